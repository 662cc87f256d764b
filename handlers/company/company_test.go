package company

import (
	"context"
	"net/http"
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
	if p := w.Get("/company", "HX-Request", "true", "HX-Request-Type", "partial"); strings.Contains(p.Body, "<html") || !strings.Contains(p.Body, "Engineering") {
		t.Errorf("the fragment: %s", p.Body)
	}
}
