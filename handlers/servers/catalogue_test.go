package servers

import (
	"net/http"
	"testing"

	"golang.org/x/net/html"

	"crewlet/handlers/signin/signintest"
)

// What is built in is folded away beside what servers bring; a filter unfolds
// all that fits it.
func TestGroupsOfTheCatalogueAreFolded(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	unfolded := func(p *signintest.Page, id string) bool {
		t.Helper()
		group := p.Find(func(n *html.Node) bool { return n.Data == "details" && signintest.Attr(n, "id") == id })
		if group == nil {
			t.Fatalf("no group %s in %s", id, p.Text())
		}
		for _, a := range group.Attr {
			if a.Key == "open" {
				return true
			}
		}
		return false
	}
	if !unfolded(w.Get(page), "from-builtin-alone") {
		t.Error("alone, what is built in is folded away")
	}
	status(t, w.Get(form).Send(form, filled("tiny", "look", "list_things")), http.StatusSeeOther)
	eventually(t, func() *signintest.Page { return w.Get(page) }, func(p *signintest.Page) bool { return p.ByID("tool-look") != "" })
	there := w.Get(page + "?delivers=tiny")
	if there.ByID("tool-list_things") == "" || there.ByID("tool-look") != "" || there.ByID("from-builtin") != "" {
		t.Errorf("what delivers to tiny is %s", there.Text())
	}
	for name, c := range map[string]struct {
		query string
		open  map[string]bool
	}{
		"all":               {"", map[string]bool{"from-builtin": false, "from-mcp-tiny": true}},
		"text":              {"?text=list", map[string]bool{"from-builtin": true, "from-mcp-tiny": true}},
		"hint":              {"?hint=read-only", map[string]bool{"from-builtin": true, "from-mcp-tiny": true}},
		"where it delivers": {"?delivers=tiny", map[string]bool{"from-mcp-tiny": true}},
		"source":            {"?source=builtin", map[string]bool{"from-builtin": true}},
		"an empty filter":   {"?text=&source=&hint=", map[string]bool{"from-builtin": false}},
		"one of blanks":     {"?text=+", map[string]bool{"from-builtin": false}},
		"a server's alone":  {"?source=mcp%3Atiny", map[string]bool{"from-mcp-tiny": true}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, p := range []*signintest.Page{
				status(t, w.Get(page+c.query), 200),
				status(t, w.Get(page+join(c.query, "part=catalogue"), partial...), 200),
			} {
				for id, want := range c.open {
					if unfolded(p, id) != want {
						t.Errorf("%s is unfolded: %v", id, !want)
					}
				}
			}
		})
	}
}
