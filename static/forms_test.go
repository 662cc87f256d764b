package static_test

import (
	"net/http"
	"strings"
	"testing"
)

// draftForm is a form of the name "new", drawn with a key and what it edits.
func draftForm(key, more, value string) string {
	return `<main id="main" tabindex="-1"><form method="post" action="/new" novalidate data-draft="new" ` + more + `>
		<input type="hidden" name="_key" value="` + key + `"><input type="hidden" name="base" value="rev-of-` + key + `">
		<input id="name" name="name" aria-label="Name" value="` + value + `"><textarea id="args" name="args" aria-label="Arguments"></textarea>
		<input id="secret" type="password" name="secret" autocomplete="off" aria-label="Secret"><input id="box" type="checkbox" name="box" aria-label="Box">
		<button id="save">Save</button></form></main>`
}

func draftKept(b *tab) {
	b.typeInto("#name", "half")
	b.typeInto("#args", "two")
	b.typeInto("#secret", "hunter2")
	b.waits(`(localStorage.getItem("draft::new") ?? "").includes("two")`)
}

const drawn = `[...document.querySelectorAll("form input, form textarea")].map((e) => e.value).join("|")`

func same(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func draftRestored(t *testing.T, b *tab, s *site) {
	s.shows("/first", draftForm("k-1", "", ""))
	s.shows("/second", draftForm("k-2", "", ""))
	b.open("/first")
	draftKept(b)
	if kept := b.text(`localStorage.getItem("draft::new")`); strings.Contains(kept, "hunter2") {
		t.Error("a password is kept in the draft")
	}
	b.open("/second")
	b.waits(`document.querySelector(".draft-note button") !== null`)
	same(t, b.text(drawn), "k-1|rev-of-k-1|half|two||on")
	b.do(`document.querySelector(".draft-note button").click()`)
	same(t, b.text(drawn), "k-2|rev-of-k-2||||on")
	b.open("/second")
	b.waits(`document.readyState === "complete"`)
	same(t, b.text(drawn), "k-2|rev-of-k-2||||on")
}

func draftRedrawn(t *testing.T, b *tab, s *site) {
	s.shows("/first", draftForm("k-1", "", ""))
	s.shows("/redrawn", draftForm("k-2", "data-redrawn", "as sent"))
	s.shows("/later", draftForm("k-3", "", ""))
	b.open("/first")
	draftKept(b)
	b.open("/redrawn")
	b.waits(`localStorage.getItem("draft::new").includes("k-2")`)
	same(t, b.text(drawn), "k-2|rev-of-k-2|as sent|||on")
	b.open("/later")
	b.waits(`document.getElementById("name").value === "as sent"`)
	same(t, b.text(drawn), "k-2|rev-of-k-2|as sent|||on")
}

func draftLanded(t *testing.T, b *tab, s *site) {
	s.shows("/first", draftForm("k-1", "", ""))
	s.shows("/other", `<main data-landed="k-9"></main>`)
	s.shows("/landed", `<main data-landed="k-1"></main>`)
	b.open("/first")
	draftKept(b)
	b.open("/other?landed=k-9&page=2")
	b.waits(`location.search === "?page=2" && localStorage.getItem("draft::new") !== null`)
	b.open("/landed")
	b.waits(`localStorage.getItem("draft::new") === null`)
}

func formTwice(t *testing.T, b *tab, s *site) {
	const twice = `const form = document.querySelector("form"); form.requestSubmit(); form.requestSubmit()`
	held := make(chan struct{})
	s.shows("/page", draftForm("k-1", "", ""))
	s.shows("/island", draftForm("k-2", `hx-post="/island" hx-swap="outerHTML"`, ""))
	s.page("POST /new", func(*http.Request) string { return document(`<main id="landed"></main>`) })
	s.page("POST /island", func(*http.Request) string {
		<-held
		return `<main id="landed"></main>`
	})
	b.open("/page")
	b.do(twice)
	b.waits(`document.getElementById("landed") !== null`)
	b.open("/island")
	b.do(twice)
	b.waits(`document.getElementById("save").disabled`)
	close(held)
	b.waits(`document.getElementById("landed") !== null`)
	posts := 0
	for len(s.asked) > 0 {
		if strings.HasPrefix(<-s.asked, "POST") {
			posts++
		}
	}
	if posts != 2 {
		t.Errorf("two forms pressed twice posted %d times", posts)
	}
}

func formWrong(_ *testing.T, b *tab, s *site) {
	s.shows("/field", strings.Replace(draftForm("k-1", "data-redrawn", ""), `id="args"`, `id="args" aria-invalid="true"`, 1))
	s.shows("/whole", `<main><form method="post"><div id="says" tabindex="-1" data-form-says>No.</div></form></main>`)
	b.open("/field")
	b.waits(`document.activeElement.id === "args"`)
	b.open("/whole")
	b.waits(`document.activeElement.id === "says"`)
}
