package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

const (
	revisionsThere = `SELECT count(*) FROM revisions`
	tokensThere    = `SELECT count(*) FROM tokens`
	sendForm       = `main form.form button[type=submit]`
)

// newServer fills in the form that adds a server which never starts.
func (x *tab) newServer(name string) {
	x.t.Helper()
	x.open("/settings/tools/new")
	x.fill(`[name=name]`, name)
	x.fill(`[name=command]`, "no-such-program-on-any-path")
}

func pressedTwice(t *testing.T, b *browser) {
	s := serving(t)
	x := b.person(t, s.url)
	s.setUp(x)
	x.newServer("one")
	x.do("press twice", chromedp.DoubleClick(chromedp.CSS(sendForm)))
	x.until("the server's row", `document.getElementById("server-one")`)
	if n := s.number(t, revisionsThere); n != 2 {
		t.Errorf("there are %d revisions, want 2", n)
	}
}

// back goes back to the form as it was left. No load follows where the browser
// kept the page.
func (x *tab) back() {
	x.t.Helper()
	x.eval(`history.back()`)
	x.until("the form as it was left", `document.readyState === "complete" && document.querySelector("[name=name]")?.value === "one"`)
}

// sendAgain presses from within the page: the driver's own mouse does not find
// a page that the browser had kept.
func (x *tab) sendAgain() {
	x.t.Helper()
	x.eval(fmt.Sprintf(`window.before = true; document.querySelector(%q).click()`, sendForm))
	x.until("a new page", `window.before === undefined && document.readyState === "complete"`)
}

func backAndAgain(t *testing.T, b *browser) {
	s := serving(t)
	x := b.person(t, s.url)
	s.setUp(x)
	x.newServer("one")
	x.press(sendForm)
	x.reads("The server one is saved.")
	x.back()
	x.sendAgain()
	x.reads("The server one is saved.")
	if n := s.number(t, revisionsThere); n != 2 {
		t.Errorf("there are %d revisions, want 2", n)
	}

	// What is changed after going back is not lost, nor written in silence.
	x.allow("409")
	x.back()
	x.put(`[name=name]`, "two")
	x.sendAgain()
	x.reads("This form was already sent with other text")
	x.shot("sent-before")
	x.accessible()
	if got := x.ask(`document.querySelector("[name=name]").value`); got != "two" {
		t.Errorf("the name typed comes back as %q", got)
	}
	x.sendAgain()
	x.reads("The server two is saved.")
}

func secondTab(t *testing.T, b *browser) {
	s := serving(t)
	x := b.person(t, s.url)
	s.setUp(x)
	x.newServer("one")
	x.until("a draft", `(localStorage.getItem("draft:" + (document.body.dataset.viewer ?? "") + ":" + document.querySelector("form[data-draft]").dataset.draft) ?? "").includes("no-such-program")`)
	second := x.beside()
	second.open("/settings/tools/new")
	second.until("the draft in the second tab", `document.querySelector("[name=command]").value === "no-such-program-on-any-path"`)
	second.shot("draft")
	second.accessible()
	for _, tab := range []*tab{x, second} {
		tab.press(sendForm)
		tab.reads("The server one is saved.")
	}
	if n := s.number(t, revisionsThere); n != 2 {
		t.Errorf("there are %d revisions, want 2", n)
	}
	second.open("/settings/tools/new")
	second.until("an empty form", `document.readyState === "complete" && document.querySelector("[name=command]").value === ""`)
}

func reloaded(t *testing.T, b *browser) {
	s := serving(t)
	x := b.person(t, s.url)
	s.setUp(x)
	x.open("/settings/tokens")
	x.fill(`[name=label]`, "ci:release")
	x.click(`[name=grants][value="state:read"]`)
	x.press(sendForm)
	x.reads("The new token ci:release")
	x.shot("minted")
	x.accessible()
	x.do("load it again", chromedp.Reload())
	x.reads("was already minted")
	x.shot("minted-before")
	x.accessible()
	if n := s.number(t, tokensThere); n != 1 {
		t.Errorf("there are %d tokens, want 1", n)
	}
}
