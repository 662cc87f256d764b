package layout

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"crewlet/static"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

var everything = []string{"config:read", "secrets:read", "audit:read"}

func shell() Shell {
	return Shell{
		Title: "Secrets", Company: "Acme", Here: "secrets", AsOf: 41, Topics: []string{"secrets"}, Landed: "k-1",
		Viewer: Viewer{Name: "Jane Doe", Login: "jane.doe", Grants: everything},
		Crumbs: []Crumb{{"Settings", "/settings"}}, Done: "Stored.",
	}
}

// places returns every place of every group, in order.
func (s Shell) places() []Place {
	var all []Place
	for _, g := range s.Groups() {
		all = append(all, g.Places...)
	}
	return all
}

func TestNavigationByGrants(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		grants []string
		want   []string
	}{
		"all":     {everything, []string{"company", "tools", "secrets", "configuration", "tokens", "audit", "sign-ins"}},
		"none":    {nil, []string{"company", "tools", "tokens", "sign-ins"}},
		"auditor": {[]string{"audit:read"}, []string{"company", "tools", "tokens", "audit", "sign-ins"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			keys := func(s Shell) (keys []string) {
				for _, p := range s.places() {
					keys = append(keys, p.Key)
				}
				return keys
			}
			work := []string{"inbox", "mine", "work", "projects", "history"}
			if got := keys(Shell{Viewer: Viewer{Grants: c.grants}}); !slices.Equal(got, slices.Concat(work, c.want)) {
				t.Errorf("got %v, want those of work and %v", got, c.want)
			}
			if got := keys(Shell{Viewer: Viewer{Grants: c.grants}, Elsewhere: true}); !slices.Equal(got, c.want) {
				t.Errorf("with work elsewhere: got %v, want %v", got, c.want)
			}
		})
	}
}

func TestGoKeysAreOneLetterEach(t *testing.T) {
	t.Parallel()
	seen := map[string]string{"?": "help", "g": "go"}
	for _, p := range shell().places() {
		if other, taken := seen[p.Go]; taken || len(p.Go) != 1 {
			t.Errorf("g %s goes to %s and to %q", p.Go, p.Key, other)
		}
		seen[p.Go] = p.Key
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	doc := draw(t, Page(shell()))
	main := one(t, doc, "main")
	for name, want := range map[string]string{
		"data-as-of": "41", "data-live-topics": "secrets", "data-landed": "k-1", "tabindex": "-1",
	} {
		if got := attr(main, name); got != want {
			t.Errorf("main has %s=%q, want %q", name, got, want)
		}
	}
	if got := one(t, doc, "title").FirstChild.Data; got != "Secrets · Acme" {
		t.Errorf("the title is %q", got)
	}
	var current []string
	each(doc, func(n *html.Node) {
		if n.Data == "a" && attr(n, "aria-current") == "page" {
			current = append(current, attr(n, "href"))
		}
	})
	if !slices.Equal(current, []string{"/settings/secrets"}) {
		t.Errorf("lit in the navigation: %v", current)
	}
}

// What the content security policy would stop, and what htmx could not read.
func TestDocumentsKeepThePolicy(t *testing.T) {
	t.Parallel()
	for name, page := range documents() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ids := map[string]bool{}
			each(draw(t, page), func(n *html.Node) {
				checkElement(t, n)
				if id := attr(n, "id"); id != "" && ids[id] {
					t.Errorf("two elements are #%s", id)
				} else {
					ids[id] = true
				}
			})
		})
	}
}

func documents() map[string]templ.Component {
	return map[string]templ.Component{
		"page":          Page(shell()),
		"page of none":  Page(Shell{}),
		"bare":          Bare(Alone{Title: "Sign in", Lede: "To Acme."}),
		"not found":     NotFound(Lost{Path: "/x", RequestID: "r-1", SignedIn: true}),
		"not found out": NotFound(Lost{}),
		"broken":        Broken(Lost{RequestID: "r-1"}),
	}
}

func checkElement(t *testing.T, n *html.Node) {
	t.Helper()
	switch {
	case n.Data == "style", n.Data == "script" && attr(n, "src") == "":
		t.Errorf("inline <%s>", n.Data)
	case attr(n, "style") != "":
		t.Errorf("<%s> has an inline style", n.Data)
	case n.Data == "meta" && attr(n, "name") == "htmx-config":
		if !json.Valid([]byte(attr(n, "content"))) {
			t.Errorf("htmx-config is no JSON: %s", attr(n, "content"))
		}
	case n.Data == "use":
		checkIcon(t, attr(n, "href"))
	case n.Data == "link", n.Data == "script":
		if _, ok := static.Lookup(attr(n, "href") + attr(n, "src")); !ok {
			t.Errorf("<%s> leads nowhere: %s%s", n.Data, attr(n, "href"), attr(n, "src"))
		}
	}
}

func checkIcon(t *testing.T, href string) {
	t.Helper()
	path, name, _ := strings.Cut(href, "#")
	sprite, ok := static.Lookup(path)
	if !ok || !strings.Contains(string(sprite.Content), `<symbol id="`+name+`"`) {
		t.Errorf("there is no icon %q", name)
	}
}

func TestNotFoundShowsThePathAsText(t *testing.T) {
	t.Parallel()
	doc := draw(t, NotFound(Lost{Path: "/<img src=x>"}))
	each(doc, func(n *html.Node) {
		if n.Data == "img" {
			t.Error("the path became an element")
		}
	})
}

func TestInitial(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"acme": "A", "«élan»": "É", "42 Ltd": "4", "…": "C", "": "C", "\xff": "C"} {
		if got := initial(name); got != want {
			t.Errorf("initial(%q) = %q, want %q", name, got, want)
		}
	}
}

func draw(t *testing.T, c templ.Component) *html.Node {
	t.Helper()
	var out strings.Builder
	if err := c.Render(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(strings.NewReader(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func each(doc *html.Node, visit func(*html.Node)) {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			visit(n)
		}
	}
}

func one(t *testing.T, doc *html.Node, name string) *html.Node {
	t.Helper()
	var found *html.Node
	each(doc, func(n *html.Node) {
		if n.Data == name && found == nil {
			found = n
		}
	})
	if found == nil {
		t.Fatalf("there is no <%s>", name)
	}
	return found
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
