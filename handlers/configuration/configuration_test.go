package configuration_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/company"
	"crewlet/engine/servers"
	"crewlet/handlers/configuration"
	"crewlet/handlers/signin/signintest"
	"crewlet/handlers/web"

	"golang.org/x/net/html"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const path = "/settings/configuration"

// open serves the area over a first revision.
func open(t *testing.T, text string) (*signintest.Bench, *company.Company) {
	t.Helper()
	c := company.New(company.Sources{
		Stored:        func(context.Context, *db.Tx) ([]string, error) { return nil, nil },
		InEnvironment: func(string) bool { return false },
	})
	b := signintest.New(t, func(mux *http.ServeMux, door *web.Door, b *signintest.Bench) {
		h := &configuration.Handlers{Run: b.Run, Company: c, Nodes: func(context.Context) ([]servers.Node, error) {
			return []servers.Node{{Name: "node-1", Live: true, Revision: 9}, {Name: "node-2", Live: true}, {Name: "node-3"}, {Name: "node-4", Live: true, ApplyError: "No room."}}, nil
		}}
		routes(mux, door, h)
	})
	if done, err := c.Import(t.Context(), b.Run, []byte(text), "Begin"); err != nil || !done {
		t.Fatalf("import: %v %v", done, err)
	}
	return b, c
}

func routes(mux *http.ServeMux, door *web.Door, h *configuration.Handlers) {
	for pattern, handler := range map[string]web.Handler{
		"GET " + path:                             h.Edit,
		"POST " + path:                            h.Save,
		"GET " + path + "/revisions":              h.History,
		"GET " + path + "/revisions/{id}":         h.Revision,
		"POST " + path + "/revisions/{id}/revert": h.Revert,
	} {
		mux.Handle(pattern, door.Page(handler))
	}
	for pattern, handler := range map[string]web.Handler{
		"GET /config":                            h.Get,
		"PUT /config":                            h.Put,
		"PATCH /config":                          h.Patch,
		"POST /config/reload":                    h.Reload,
		"GET /config/references":                 h.References,
		"GET /config/revisions":                  h.ListRevisions,
		"GET /config/revisions/{id}":             h.GetRevision,
		"GET /config/revisions/{id}/diff":        h.DiffRevisions,
		"POST /config/revisions/{id}/revert":     h.RevertRevision,
		"PUT /config/mcp-servers/{name}":         h.PutServer,
		"DELETE /config/mcp-servers/{name}":      h.DeleteServer,
		"POST /config/mcp-servers/{name}/rename": h.RenameServer,
		"POST /config/seats/{handle}/rename":     h.RenameSeat,
	} {
		mux.Handle(pattern, door.API(handler))
	}
}

func status(t *testing.T, p *signintest.Page, want int) *signintest.Page {
	t.Helper()
	if p.Status != want {
		t.Fatalf("answered %d, want %d: %s", p.Status, want, p.Text())
	}
	return p
}

// typed is what the editor holds.
func typed(t *testing.T, p *signintest.Page) string {
	t.Helper()
	area := p.Find(func(n *html.Node) bool { return n.Data == "textarea" && signintest.Attr(n, "name") == "text" })
	if area == nil {
		t.Fatalf("no editor in %s", p.Text())
	}
	if area.FirstChild == nil {
		return ""
	}
	return area.FirstChild.Data
}

func current(t *testing.T, b *signintest.Bench, c *company.Company) company.Revision {
	t.Helper()
	rev, _, _, _, err := c.Current(t.Context(), b.DB)
	if err != nil {
		t.Fatal(err)
	}
	return rev
}

func sent(text, summary string) url.Values {
	return url.Values{"text": {strings.ReplaceAll(text, "\n", "\r\n")}, "summary": {summary}}
}

func TestTheDocumentIsEdited(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]string{"LF": "\n", "CRLF": "\r\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, c := open(t, "name: Acme"+ends+"mission: old"+ends)
			w := b.Administrator()
			page := status(t, w.Get(path), 200)
			if text := typed(t, page); text != "name: Acme\nmission: old\n" {
				t.Errorf("the editor holds %q", text)
			}
			if !strings.Contains(page.Text(), "Revision 1 by crewlet") || !strings.Contains(page.Text(), "Applied node-1 Applying node-2 It stands at revision 0. Not reported node-3 It has not been heard of for three beats. Failed node-4 No room.") {
				t.Errorf("the page reads %s", page.Text())
			}
			fill := sent("name: Acme\nmission: new\n", "Newer")
			done := status(t, page.Send(path, fill), http.StatusSeeOther)
			if rev := current(t, b, c); rev.ID != 2 || rev.Text != "name: Acme"+ends+"mission: new"+ends || rev.Summary != "Newer" || rev.AuthorName != signintest.Login {
				t.Errorf("stored %+v", rev)
			}
			if text := w.Get(done.Header.Get("Location")).Text(); !strings.Contains(text, "Revision 2 is saved.") {
				t.Errorf("afterwards: %s", text)
			}
			status(t, page.Send(path, fill), http.StatusSeeOther) // a double press
			if rev := current(t, b, c); rev.ID != 2 {
				t.Errorf("it landed twice: %+v", rev)
			}
		})
	}
}

func TestARefusedTextComesBackWithItsLines(t *testing.T) {
	t.Parallel()
	b, c := open(t, "name: Acme\n")
	page := b.Administrator().Get(path)
	text := "name: Acme\nmision: <b>x\nmcp_servers:\n  - name: UPPER\n    command: c\n"
	back := status(t, page.Send(path, sent(text, "Try")), 422)
	if typed(t, back) != text || back.Value("summary") != "Try" || back.Value("if_match") != "1" || back.Value("_key") != page.Value("_key") {
		t.Errorf("typed text is lost: %q", typed(t, back))
	}
	if !strings.Contains(back.Body, `<a href="#f-text" data-line="4">4</a>`) {
		t.Errorf("no link to line 4 in %s", back.Body)
	}
	for _, want := range []string{"2 problems", "mision: <b>x", "- name: UPPER", "mcp_servers[0].name", "Did you mean"} {
		if !strings.Contains(back.Text(), want) {
			t.Errorf("the page does not say %q: %s", want, back.Text())
		}
	}
	if current(t, b, c).ID != 1 {
		t.Error("it was stored")
	}
	nosummary := status(t, page.Send(path, sent("name: Other\n", "")), 422)
	if typed(t, nosummary) != "name: Other\n" || nosummary.ByID("f-summary-error") == "" {
		t.Errorf("without a reason: %s", nosummary.Text())
	}
}

func TestACheckStoresNothing(t *testing.T) {
	t.Parallel()
	b, c := open(t, "name: Acme\n")
	page := b.Administrator().Get(path)
	text := "name: Acme\nmcp_servers:\n  - name: one\n    command: c\n    env: {A: \"${NOWHERE}\"}\n"
	fill := sent(text, "")
	fill.Set("dry_run", "true")
	checked := status(t, page.Send(path, fill), 200)
	if typed(t, checked) != text || !strings.Contains(checked.Text(), "nothing is wrong") || !strings.Contains(checked.Text(), "Store NOWHERE") {
		t.Errorf("reads %s", checked.Text())
	}
	if current(t, b, c).ID != 1 {
		t.Error("it was stored")
	}
	status(t, checked.Send(path, sent(text, "Now")), http.StatusSeeOther)
	if current(t, b, c).ID != 2 {
		t.Error("it was not stored afterwards")
	}
}

func TestAnEditOverANewerRevisionShowsWhatChanged(t *testing.T) {
	t.Parallel()
	b, c := open(t, "name: Acme\n")
	w := b.Administrator()
	mine, theirs := w.Get(path), w.Get(path)
	status(t, theirs.Send(path, sent("name: Acme\nvision: theirs\n", "Theirs")), http.StatusSeeOther)
	back := status(t, mine.Send(path, sent("name: Acme\nmission: mine\n", "Mine")), 409)
	if typed(t, back) != "name: Acme\nmission: mine\n" || back.Value("if_match") != "2" {
		t.Errorf("typed %q over %s", typed(t, back), back.Value("if_match"))
	}
	if !strings.Contains(back.Text(), "vision: theirs") || !strings.Contains(back.Text(), "What changed since") {
		t.Errorf("reads %s", back.Text())
	}
	status(t, back.Send(path, sent("name: Acme\nvision: theirs\nmission: mine\n", "Both")), http.StatusSeeOther)
	if current(t, b, c).ID != 3 {
		t.Error("the merged text was not stored")
	}
	again := status(t, theirs.Send(path, sent("name: Elsewhere\n", "Again")), 409)
	if again.Value("_key") == theirs.Value("_key") || !strings.Contains(again.Text(), "already sent") {
		t.Errorf("a used key reads %s", again.Text())
	}
}

func TestANameChangedInTheTextIsTold(t *testing.T) {
	t.Parallel()
	b, _ := open(t, "name: Acme\nroles: [{name: Bob}]\n")
	w := b.Administrator()
	page := w.Get(path)
	fill := sent("name: Acme\nroles: [{name: Robert}]\n", "Robert")
	fill.Set("dry_run", "true")
	if checked := status(t, page.Send(path, fill), 200); !strings.Contains(checked.Text(), "Line 2 : The seat bob is removed and robert is a new one.") {
		t.Errorf("reads %s", checked.Text())
	}
	fill.Del("dry_run")
	done := status(t, page.Send(path, fill), http.StatusSeeOther)
	if text := w.Get(done.Header.Get("Location")).Text(); !strings.Contains(text, "go back to revision 1 and rename it") || strings.Contains(text, "secrets it names") {
		t.Errorf("afterwards: %s", text)
	}
}

func TestTheHistoryAndTheWayBack(t *testing.T) {
	t.Parallel()
	b, c := open(t, "name: Acme\n")
	w := b.Administrator()
	status(t, w.Get(path).Send(path, sent("name: Other\n", "Elsewhere")), http.StatusSeeOther)
	list := status(t, w.Get(path+"/revisions"), 200)
	if !strings.Contains(list.Text(), "Elsewhere") || !strings.Contains(list.Text(), "Begin") {
		t.Errorf("the list reads %s", list.Text())
	}
	one := status(t, w.Get(path+"/revisions/1"), 200)
	refused := status(t, one.Send(path+"/revisions/1/revert", url.Values{"summary": {""}}), 422)
	status(t, refused.Send(path+"/revisions/1/revert", url.Values{"summary": {"Back"}}), http.StatusSeeOther)
	if rev := current(t, b, c); rev.ID != 3 || rev.Text != "name: Acme\n" {
		t.Errorf("got %+v", rev)
	}
	for _, bad := range []string{"/revisions/9", "/revisions/x", "/revisions/0"} {
		status(t, w.Get(path+bad), 404)
	}
}

func TestWhatIsLiveIsAFragment(t *testing.T) {
	t.Parallel()
	b, _ := open(t, "name: Acme\n")
	w := b.Administrator()
	for _, at := range []string{path + "?base=1", path + "/revisions"} {
		p := status(t, w.Get(at, "HX-Request", "true", "HX-Request-Type", "partial"), 200)
		if strings.Contains(p.Body, "<html") || strings.Contains(p.Body, "textarea") || p.Body == "" {
			t.Errorf("%s answers %s", at, p.Body)
		}
	}
}
