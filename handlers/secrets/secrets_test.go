package secrets

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"crewlet/db/dbtest"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
	"crewlet/handlers/signin/signintest"
	"crewlet/handlers/web"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const (
	path   = "/settings/secrets"
	canary = "canary-value-3141592"
)

// open serves the area; the document uses USED and GONE.
func open(t *testing.T) (*signintest.Bench, *secrets.Secrets) {
	t.Helper()
	ring, _, err := secrets.NewKeyring("test")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string][]string{"USED": {"mcp_servers[0].env.A"}, "GONE": {"mcp_servers[0].env.B"}}
	s := secrets.New(ring, func(context.Context, *tool.Call) (map[string][]string, error) {
		copied := map[string][]string{}
		for name, places := range used {
			copied[name] = places
		}
		return copied, nil
	})
	return signintest.New(t, func(mux *http.ServeMux, door *web.Door, b *signintest.Bench) {
		h := &Handlers{Run: b.Run, Secrets: s}
		mux.Handle("GET "+path, door.Page(h.List))
		mux.Handle("POST "+path, door.Page(h.Store))
		mux.Handle("POST "+path+"/{name}/delete", door.Page(h.Delete))
		mux.Handle("GET /secrets", door.API(h.GetAll))
		mux.Handle("PUT /secrets/{name}", door.API(h.Put))
		mux.Handle("DELETE /secrets/{name}", door.API(h.Remove))
	}), s
}

func status(t *testing.T, p *signintest.Page, want int) *signintest.Page {
	t.Helper()
	if p.Status != want {
		t.Fatalf("answered %d, want %d: %s", p.Status, want, p.Text())
	}
	if strings.Contains(p.Body, canary) {
		t.Fatalf("a value is shown: %s", p.Body)
	}
	return p
}

func form(name, value, hosts string) url.Values {
	return url.Values{"name": {name}, "value": {value}, "hosts": {hosts}}
}

func TestASecretIsStored(t *testing.T) {
	t.Parallel()
	b, s := open(t)
	w := b.Administrator()
	empty := status(t, w.Get(path), 200)
	if !strings.Contains(empty.Text(), "Store GONE") || !strings.Contains(empty.Text(), "No secrets yet") {
		t.Errorf("the empty page reads %s", empty.Text())
	}
	if name := status(t, w.Get(path+"?name=GONE"), 200).Value("name"); name != "GONE" {
		t.Errorf("the form is filled with %q", name)
	}
	fill := form("USED", canary, "api.example.com\r\nother.example.com")
	done := status(t, empty.Send(path, fill), http.StatusSeeOther)
	page := status(t, w.Get(done.Header.Get("Location")), 200)
	for _, want := range []string{"The secret USED is stored.", "api.example.com, other.example.com", "mcp_servers[0].env.A", "by " + signintest.Login} {
		if !strings.Contains(page.Text(), want) {
			t.Errorf("the page does not say %q: %s", want, page.Text())
		}
	}
	values, err := s.Values(t.Context(), b.DB)
	if err != nil || values["USED"].Plain != canary {
		t.Errorf("stored %v %v", values, err)
	}
	status(t, empty.Send(path, fill), http.StatusSeeOther)
	other := form("OTHER", canary, "")
	conflict := status(t, empty.Send(path, other), 409)
	if conflict.Value("_key") == empty.Value("_key") || conflict.Value("name") != "OTHER" || !strings.Contains(conflict.Text(), "already sent") {
		t.Errorf("a used key reads %s", conflict.Text())
	}
	if text := w.Get(path + "?stored=NOT_THERE").Text(); strings.Contains(text, "NOT_THERE") {
		t.Errorf("an address makes the page say %s", text)
	}
}

func TestARefusedFormKeepsAllButTheValue(t *testing.T) {
	t.Parallel()
	b, _ := open(t)
	page := b.Administrator().Get(path)
	for name, c := range map[string]struct {
		fill  url.Values
		field string
	}{
		"a wrong name":    {form("1x", canary, "h.example.com"), "name"},
		"a reserved name": {form("PGPASSWORD", canary, ""), "name"},
		"no value":        {form("FINE", "", ""), "value"},
		"a host's url":    {form("FINE", canary, "https://h.example.com"), "hosts"},
		"NUL":             {form("A\x00", canary, ""), "name"},
	} {
		t.Run(name, func(t *testing.T) {
			back := status(t, page.Send(path, c.fill), 422)
			if back.ByID("f-"+c.field+"-error") == "" || back.Value("_key") != page.Value("_key") {
				t.Errorf("nothing beside %s: %s", c.field, back.Text())
			}
			if typed := c.fill.Get("name"); !strings.Contains(typed, "\x00") && back.Value("name") != typed {
				t.Errorf("the name came back as %q", back.Value("name"))
			}
		})
	}
}

func TestAllThatIsWrongIsToldAtOnce(t *testing.T) {
	t.Parallel()
	b, _ := open(t)
	back := status(t, b.Administrator().Get(path).Send(path, form("1x", "", "https://h.example.com")), 422)
	for _, field := range []string{"name", "value", "hosts"} {
		if back.ByID("f-"+field+"-error") == "" {
			t.Errorf("nothing beside %s: %s", field, back.Text())
		}
	}
}

func TestASecretIsMadeOverAnotherPage(t *testing.T) {
	t.Parallel()
	b, s := open(t)
	w := b.Administrator()
	partial := []string{"HX-Request", "true", "HX-Request-Type", "partial"}
	send := func(p *signintest.Page, value, hosts string) *signintest.Page {
		fill := url.Values{"_key": {p.Value("_key")}, "name": {p.Value("name")}, "new": {p.Value("new")}, "value": {value}, "hosts": {hosts}}
		return w.Post(path, "application/x-www-form-urlencoded", fill.Encode(), partial...)
	}
	part := status(t, w.Get(path+"?part=make&name=MADE", partial...), 200)
	if part.ByID("main") != "" || part.Value("name") != "MADE" {
		t.Fatalf("the part is %s", part.Body)
	}
	again := status(t, send(part, canary, "https://h.example.com"), 422)
	if again.ByID("main") != "" || again.ByID("make-hosts-error") == "" || strings.Contains(again.Text(), "Type the value again") {
		t.Errorf("refused, it reads %s", again.Text())
	}
	status(t, send(again, canary, ""), http.StatusNoContent)
	if values, err := s.Values(t.Context(), b.DB); err != nil || values["MADE"].Plain != canary {
		t.Errorf("stored %v %v", values, err)
	}
	taken := status(t, send(status(t, w.Get(path+"?part=make&name=MADE", partial...), 200), "another", ""), 409)
	if !strings.Contains(taken.ByID("make-name-error"), "There is a secret MADE already") {
		t.Errorf("of a name that is taken it says %s", taken.Text())
	}
	b.Pass(time.Hour)
	asked := status(t, send(status(t, w.Get(path+"?part=make&name=LATER", partial...), 200), canary, ""), 403)
	if asked.ByID("main") != "" || asked.Value("_kept") == "" {
		t.Errorf("an hour later it is answered %s", asked.Body)
	}
	b.Write(`UPDATE people SET grants = '{config:read,state:read}'`)
	status(t, w.Get(path+"?part=make&name=MADE", partial...), 403)
}

func TestDeletingWhatIsUsedAsksOnceMore(t *testing.T) {
	t.Parallel()
	b, s := open(t)
	w := b.Administrator()
	status(t, w.Get(path).Send(path, form("USED", canary, "")), http.StatusSeeOther)
	page := status(t, w.Get(path), 200)
	key := url.Values{"_key": {tool.NewKey()}}
	asked := status(t, w.Post(path+"/USED/delete", "application/x-www-form-urlencoded", key.Encode()), 409)
	if !strings.Contains(asked.Text(), "mcp_servers[0].env.A") || !strings.Contains(asked.Text(), "Delete it anyway") {
		t.Errorf("it asks %s", asked.Text())
	}
	if values, _ := s.Values(t.Context(), b.DB); len(values) != 1 {
		t.Error("it was deleted without a second word")
	}
	// The list's own question has shown the places already.
	done := status(t, page.Send(path+"/USED/delete", nil), http.StatusSeeOther)
	if text := w.Get(done.Header.Get("Location")).Text(); !strings.Contains(text, "The secret is deleted.") {
		t.Errorf("afterwards: %s", text)
	}
	status(t, w.Post(path+"/NONE/delete", "application/x-www-form-urlencoded", url.Values{"_key": {tool.NewKey()}}.Encode()), 404)
}

func TestLinesOfAValueAreKept(t *testing.T) {
	for name, c := range map[string]struct{ sent, want string }{
		"one line":             {"abc", "abc"},
		"a key, as sent":       {"-----BEGIN\r\nabc\r\n-----END\r\n", "-----BEGIN\nabc\n-----END"},
		"blanks at the end":    {"abc  ", "abc  "},
		"two breaks at an end": {"abc\r\n\r\n", "abc\n"},
	} {
		t.Run(name, func(t *testing.T) {
			b, vault := open(t)
			w := b.Administrator()
			p := w.Get("/settings/secrets").Send("/settings/secrets", form("KEY", c.sent, ""))
			if p.Status != 303 {
				t.Fatalf("answered %d: %s", p.Status, p.Text())
			}
			values, err := vault.Values(t.Context(), b.DB)
			if err != nil || values["KEY"].Plain != c.want {
				t.Errorf("stored %q, want %q (%v)", values["KEY"].Plain, c.want, err)
			}
		})
	}
}
