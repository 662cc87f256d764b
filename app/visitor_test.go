package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// visitor is a person's browser without a screen: it keeps cookies, follows no
// redirect, and sends what it is told as often as it is told.
type visitor struct {
	t    *testing.T
	base string
	http *http.Client
}

// answer is what a visitor was told.
type answer struct {
	status int
	header http.Header
	body   string // as it was sent, compressed or not
}

// visitor makes one that nobody is signed in with.
func (s *site) visitor(t *testing.T) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{t: t, base: s.url, http: &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// administrator is the first administrator, made by this through the set-up
// link.
func (s *site) administrator(t *testing.T, name string) *visitor {
	t.Helper()
	v := s.visitor(t)
	path := strings.TrimPrefix(s.setupLink(t), s.url)
	form := v.drawn(path, path)
	form.Set("name", name)
	form.Set("login", "ana.admin")
	form.Set("password", password)
	v.landed(v.post(path, form))
	return v
}

// signIn signs the first administrator in.
func (v *visitor) signIn() {
	v.t.Helper()
	form := v.drawn("/sign-in", "/sign-in")
	form.Set("login", "ana.admin")
	form.Set("password", password)
	v.landed(v.post("/sign-in", form))
}

// landed fails the test for anything but the redirect after a write.
func (v *visitor) landed(a answer) {
	v.t.Helper()
	if a.status != http.StatusSeeOther {
		v.t.Fatalf("answered %d, want 303: %s", a.status, a.body)
	}
}

func (v *visitor) get(path string, headers ...string) answer {
	v.t.Helper()
	return v.send(http.MethodGet, path, "", headers...)
}

func (v *visitor) post(path string, form url.Values) answer {
	v.t.Helper()
	return v.send(http.MethodPost, path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
}

func (v *visitor) send(method, path, body string, headers ...string) answer {
	v.t.Helper()
	a, err := v.try(method, path, body, headers...)
	if err != nil {
		v.t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

// try is send for other goroutines than the test's own.
func (v *visitor) try(method, path, body string, headers ...string) (answer, error) {
	r, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got, err := v.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	return answer{got.StatusCode, got.Header, string(text)}, err
}

// drawn is what a page's form would send as it was drawn.
func (v *visitor) drawn(path, action string) url.Values {
	v.t.Helper()
	a := v.get(path)
	doc, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		v.t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Data == "form" && attribute(n, "action") == action {
			return sent(n)
		}
	}
	v.t.Fatalf("GET %s: %d and no form to %s:\n%s", path, a.status, action, a.body)
	return nil
}

func sent(form *html.Node) url.Values {
	values := url.Values{}
	for n := range form.Descendants() {
		name := attribute(n, "name")
		switch {
		case name == "" || n.Data == "button" || attribute(n, "type") == "checkbox" || attribute(n, "type") == "radio" && !chosen(n):
		case n.Data == "input":
			values.Add(name, attribute(n, "value"))
		case n.Data == "textarea" && n.FirstChild != nil:
			values.Add(name, n.FirstChild.Data)
		}
	}
	return values
}

// chosen reports that a dot is the one of its group.
func chosen(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "checked" })
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
