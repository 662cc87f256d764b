package signintest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/enginetest"
	"crewlet/engine/identity"
	"crewlet/engine/tool"

	"golang.org/x/net/html"
)

// Browser keeps cookies and follows no redirects.
type Browser struct {
	URL string // of the site, without a path

	t    testing.TB
	http *http.Client
}

// Browser makes a browser nobody is signed in with.
func (b *Bench) Browser() *Browser { return NewBrowser(b.t, b.URL) }

// NewBrowser is a browser at any site under test.
func NewBrowser(t testing.TB, site string) *Browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must(t, err)
	return &Browser{URL: site, t: t, http: &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// In is the same browser, cookies and all, in a test of its own.
func (w *Browser) In(t testing.TB) *Browser { return &Browser{URL: w.URL, t: t, http: w.http} }

// Cookie is what the browser sends to the site, as a header.
func (w *Browser) Cookie() string {
	w.t.Helper()
	site, err := url.Parse(w.URL)
	must(w.t, err)
	var all []string
	for _, c := range w.http.Jar.Cookies(site) {
		all = append(all, c.String())
	}
	return strings.Join(all, "; ")
}

// Administrator sets up the first administrator and answers her browser.
func (b *Bench) Administrator() *Browser {
	b.t.Helper()
	return SetUp(b.t, b.URL, b.SetupLink())
}

// SetUp redeems a set-up link and answers the administrator's browser.
func SetUp(t testing.TB, site, link string) *Browser {
	t.Helper()
	w := NewBrowser(t, site)
	p := w.Get("/setup/"+link).Send("/setup/", url.Values{"login": {Login}, "name": {"Jane Doe"}, "password": {Password}})
	if p.Status != http.StatusSeeOther {
		t.Fatalf("set-up answers %d: %s", p.Status, p.Text())
	}
	return w
}

// SetupLink makes the token of a set-up link.
func SetupLink(t testing.TB, b *enginetest.Bench) string {
	t.Helper()
	link, err := tool.Do(t.Context(), b.Run, b.Identity.MakeSetupLink, &tool.Call{By: access.System(), Door: "command"}, identity.MakeSetupLink{})
	must(t, err)
	return link.Token
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Page is what a browser was answered.
type Page struct {
	Status int
	Header http.Header
	Body   string

	w   *Browser
	doc *html.Node
}

// Get asks for a page; headers are given as name, value, name, value.
func (w *Browser) Get(path string, headers ...string) *Page {
	w.t.Helper()
	return w.Do(http.MethodGet, path, "", headers...)
}

// Post sends a body as it is.
func (w *Browser) Post(path, kind, body string, headers ...string) *Page {
	w.t.Helper()
	return w.Do(http.MethodPost, path, body, append([]string{"Content-Type", kind}, headers...)...)
}

// Do sends any request; headers are given as name, value, name, value.
func (w *Browser) Do(method, path, body string, headers ...string) *Page {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.URL+path, strings.NewReader(body))
	must(w.t, err)
	r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := w.http.Do(r)
	must(w.t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	must(w.t, err)
	doc, err := html.Parse(bytes.NewReader(text))
	must(w.t, err)
	return &Page{Status: answer.StatusCode, Header: answer.Header, Body: string(text), w: w, doc: doc}
}

// Send fills in and sends the page's first form with this action, or whose
// action begins so where it ends in "/". What the form was drawn with is sent
// along, as a browser does.
func (p *Page) Send(action string, fill url.Values) *Page {
	p.w.t.Helper()
	form := p.Find(func(n *html.Node) bool {
		to := Attr(n, "action")
		return n.Data == "form" && (to == action || strings.HasSuffix(action, "/") && strings.HasPrefix(to, action))
	})
	if form == nil {
		p.w.t.Fatalf("no form goes to %s in:\n%s", action, p.Text())
	}
	values := url.Values{}
	walk(form, func(n *html.Node) bool {
		if name := Attr(n, "name"); n.Data == "input" && name != "" && sent(n) {
			values.Add(name, Attr(n, "value"))
		}
		return false
	})
	for name, value := range fill {
		values[name] = value
	}
	return p.w.Post(Attr(form, "action"), "application/x-www-form-urlencoded", values.Encode())
}

// sent reports whether a browser sends an input: of boxes and buttons of a
// group, those that are chosen.
func sent(n *html.Node) bool {
	kind := Attr(n, "type")
	return kind != "checkbox" && kind != "radio" || has(n, "checked")
}

// Value is what the named input was drawn with.
func (p *Page) Value(name string) string {
	p.w.t.Helper()
	n := p.Find(func(n *html.Node) bool { return n.Data == "input" && Attr(n, "name") == name })
	if n == nil {
		p.w.t.Fatalf("no input %s in:\n%s", name, p.Text())
	}
	return Attr(n, "value")
}

// ByID is the text of an element; "" when there is none.
func (p *Page) ByID(id string) string {
	n := p.Find(func(n *html.Node) bool { return Attr(n, "id") == id })
	if n == nil {
		return ""
	}
	return text(n)
}

// Find is the first element that fits.
func (p *Page) Find(fits func(*html.Node) bool) *html.Node {
	return walk(p.doc, func(n *html.Node) bool { return n.Type == html.ElementNode && fits(n) })
}

// Text is what the page reads as.
func (p *Page) Text() string { return text(p.doc) }

// Attr is an attribute of an element; "" when it has none.
func Attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

func walk(n *html.Node, stop func(*html.Node) bool) *html.Node {
	if stop(n) {
		return n
	}
	for child := range n.ChildNodes() {
		if found := walk(child, stop); found != nil {
			return found
		}
	}
	return nil
}

func text(n *html.Node) string {
	var words []string
	walk(n, func(n *html.Node) bool {
		if n.Type == html.TextNode {
			words = append(words, strings.Fields(n.Data)...)
		}
		return false
	})
	return strings.Join(words, " ")
}
