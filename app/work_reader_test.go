package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"crewlet/engine/enginetest"
)

// readable are the pages of work somebody who may only look is shown.
func readable() []string {
	pages := []string{"/inbox", "/inbox?box=other", "/inbox?box=snoozed", "/work?show_closed=true", "/work?q=nothing+like+this", "/work/projects/NEW", "/company"}
	for pattern, p := range stops() {
		if strings.HasPrefix(pattern, "GET /work") && !strings.HasSuffix(p.at, "/new") {
			pages = append(pages, p.at)
		}
	}
	return pages
}

// Nobody is offered what the server refuses them: each link and each form of
// every page of work is followed and sent as a reader.
func TestAReaderIsOfferedNothingThatIsRefused(t *testing.T) {
	s := fullCompany(t)
	s.write(t, `INSERT INTO projects (key, name, unit, created_at) VALUES ('NEW', 'New', '', now())`)
	reader := s.visitor(t)
	reader.signIn()
	// Ana has written, asked and been asked before she may only look.
	s.write(t, enginetest.Regrant, "{state:read}")
	tried, links, forms := map[string]bool{}, 0, 0
	for _, page := range readable() {
		a := reader.get(page)
		if a.status != http.StatusOK {
			t.Errorf("%s: %d", page, a.status)
			continue
		}
		for _, o := range a.offers(t) {
			key := o.method + " " + o.address + " " + o.fields.Get("as")
			if tried[key] {
				continue
			}
			tried[key] = true
			got := answer{}
			if o.method == http.MethodPost {
				forms++
				got = reader.post(o.address, o.fields)
			} else {
				links++
				got = reader.get(o.address)
			}
			if got.status == http.StatusForbidden || got.status >= http.StatusInternalServerError {
				t.Errorf("%s offers %s, which is answered %d", page, key, got.status)
			}
		}
		for _, none := range []string{`data-may-create`, `data-create`, `data-open-key`, `data-place`} {
			if strings.Contains(a.body, none) {
				t.Errorf("%s has a control for %s", page, none)
			}
		}
	}
	if links < 30 || forms < 3 {
		t.Errorf("%d links and %d forms were tried; a reader has more", links, forms)
	}
}

// offer is a link or a form of a page.
type offer struct {
	method, address string
	fields          url.Values
}

// offers are the links and forms of a page that lead somewhere here, with every
// button a form has; but for the one that signs out.
func (a answer) offers(t *testing.T) []offer {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	var list []offer
	for n := range doc.Descendants() {
		to, _, _ := strings.Cut(attribute(n, "href")+attribute(n, "action"), "#")
		if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "/static/") || to == "/sign-out" {
			continue
		}
		switch {
		case n.Data == "form" && attribute(n, "method") == "post":
			list = append(list, offer{http.MethodPost, to, pressed(n)})
		case n.Data == "a" || n.Data == "form":
			list = append(list, offer{http.MethodGet, to, nil})
		}
	}
	return list
}

// pressed is what a form sends by its first button.
func pressed(form *html.Node) url.Values {
	values := sent(form)
	for n := range form.Descendants() {
		if n.Data == "button" && attribute(n, "name") != "" {
			values.Set(attribute(n, "name"), attribute(n, "value"))
			break
		}
	}
	return values
}
