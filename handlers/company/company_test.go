package company

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/company"
	"crewlet/handlers/signin/signintest"
	"crewlet/handlers/web"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const acme = `name: Acme
mission: To make <things>
roles:
  - {name: Chief, handle: chief, kind: human}
units:
  - name: Engineering
    purpose: Builds it
    goals: [Ship]
    lead: lead
    roles:
      - {name: Lead, handle: lead, goal: Keep it simple}
    children:
      - name: Tools
        roles: [{name: Smith, handle: smith}]
`

func TestTheCompanyIsDrawn(t *testing.T) {
	t.Parallel()
	c := company.New(company.Sources{
		Stored:        func(context.Context, *db.Tx) ([]string, error) { return nil, nil },
		InEnvironment: func(string) bool { return false },
	})
	b := signintest.New(t, func(mux *http.ServeMux, door *web.Door, b *signintest.Bench) {
		h := &Handlers{Run: b.Run, Company: c}
		mux.Handle("GET /company", door.Page(h.Show))
		mux.Handle("GET /company/seats/{handle}/rename", door.Page(h.RenameSeatForm))
		mux.Handle("POST /company/seats/{handle}/rename", door.Page(h.RenameSeat))
	})
	w := b.Administrator()
	if text := w.Get("/company").Text(); !strings.Contains(text, "No units or seats yet") {
		t.Errorf("the empty page reads %s", text)
	}
	if done, err := c.Import(t.Context(), b.Run, []byte(acme), "Begin"); err != nil || !done {
		t.Fatalf("import: %v %v", done, err)
	}
	page := w.Get("/company")
	for _, want := range []string{"To make <things>", "Chief", "Engineering 2 seats", "Builds it", "Ship", "lead", "Keep it simple", "Tools", "Smith", "Person", "Agent"} {
		if !strings.Contains(page.Text(), want) {
			t.Errorf("the page does not say %q: %s", want, page.Text())
		}
	}
	if p := w.Get("/company", "Accept", "application/json"); !strings.Contains(p.Body, `"handle":"smith"`) {
		t.Errorf("as JSON: %s", p.Body)
	}
	renamed(t, b, w)
	if p := w.Get("/company", "HX-Request", "true", "HX-Request-Type", "partial"); strings.Contains(p.Body, "<html") || !strings.Contains(p.Body, "Engineering") {
		t.Errorf("the fragment: %s", p.Body)
	}
}

// renamed gives a seat another handle, as the page of the company offers it.
func renamed(t *testing.T, b *signintest.Bench, w *signintest.Browser) {
	t.Helper()
	const at = "/company/seats/smith/rename"
	if !strings.Contains(w.Get("/company").Body, `href="`+at+`"`) {
		t.Error("no seat can be renamed")
	}
	form := w.Get(at)
	if form.Value("to") != "smith" || form.Value("name") != "Smith" {
		t.Errorf("the form holds %s", form.Body)
	}
	for to, field := range map[string]string{"lead": "to", "Not A Handle": "to", "": "to"} {
		again := form.Send(at, url.Values{"to": {to}})
		if again.Status < 400 || again.ByID("f-"+field+"-error") == "" || again.Value("to") != to {
			t.Errorf("%q is answered %d: %s", to, again.Status, again.Text())
		}
	}
	done := form.Send(at, url.Values{"to": {"wright"}, "name": {"Wright"}})
	if text := w.Get(done.Header.Get("Location")).Text(); !strings.Contains(text, "The seat is called wright now, everywhere.") || strings.Contains(text, "Smith") {
		t.Errorf("renamed, the page reads %s", text)
	}
	if gone := w.Get(at); gone.Status != http.StatusNotFound {
		t.Errorf("the old handle answers %d", gone.Status)
	}
	b.Write(`UPDATE people SET grants = '{state:read,config:read}'`)
	if page := w.Get("/company"); strings.Contains(page.Body, "/rename") {
		t.Error("a reader is offered it")
	}
	if no := w.Get("/company/seats/wright/rename"); no.Status != http.StatusForbidden {
		t.Errorf("a reader is answered %d", no.Status)
	}
	b.Write(`UPDATE people SET grants = '{all}'`)
}
