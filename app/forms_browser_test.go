package main

import (
	"testing"
)

// wrong is what one form says about itself after a refusal.
const wrong = `JSON.stringify([...document.querySelectorAll("main [aria-invalid=true]")].map((e) => e.name +
	(document.getElementById(e.getAttribute("aria-describedby")?.split(" ").at(-1)) ?? e.closest("fieldset")?.querySelector(".field-error") ? "" : " without a sentence")))`

func severalWrong(t *testing.T, b *browser) {
	s := serving(t)
	x := b.person(t, s.url)
	x.allow("422")

	x.open(s.setupLink(t))
	x.fill(`[name=name]`, "Ana Admin")
	x.fill(`[name=login]`, "ana")
	x.fill(`[name=password]`, "short")
	x.press(sendForm)
	x.is("wrong at set-up", wrong, `["login","password"]`)
	x.is("focus at set-up", focused, "login")
	x.is("kept at set-up", `document.querySelector("[name=name]").value + document.querySelector("[name=login]").value`, "Ana Adminana")
	x.shot("set-up")
	x.accessible()
	if n := s.number(t, `SELECT count(*) FROM people`); n != 0 {
		t.Errorf("there are %d people", n)
	}
	s.setUp(x)

	x.open("/settings/tokens")
	x.fill(`[name=days]`, "400")
	x.press(sendForm)
	x.is("wrong with a token", wrong, `["label","grants","days"]`)
	x.is("focus with a token", focused, "label")
	x.is("kept with a token", `document.querySelector("[name=days]").value`, "400")
	x.shot("token")
	x.accessible()
	if n := s.number(t, tokensThere); n != 0 {
		t.Errorf("there are %d tokens", n)
	}

	x.open("/settings/secrets")
	x.put(`[name=hosts]`, "api.example.com")
	x.press(`#store button[type=submit]`)
	x.is("wrong with a secret", wrong, `["name","value"]`)
	x.is("focus with a secret", focused, "name")
	x.is("kept with a secret", `document.querySelector("[name=hosts]").value`, "api.example.com")
	x.shot("secret")
	x.accessible()

	x.open("/settings/tools/new")
	x.fill(`[name=name]`, "Not A Name")
	x.put(`[name=env]`, "no equals sign")
	x.press(sendForm)
	x.is("focus with a server", focused, x.ask(`document.querySelector("[aria-invalid=true]").name`))
	x.is("kept with a server", `document.querySelector("[name=name]").value + "/" + document.querySelector("[name=env]").value`, "Not A Name/no equals sign")
	x.shot("server")
	x.accessible()

	x.open("/settings/configuration")
	typed := "name: Acme\nmision: Build\nunits: 12\n"
	x.put(`[name=text]`, typed)
	x.press(sendForm)
	x.is("wrong with the document", wrong, `["text","summary"]`)
	x.is("focus with the document", focused, "text")
	x.is("kept with the document", `document.querySelector("[name=text]").value`, typed)
	x.reads("mission")
	x.shot("document")
	x.accessible()
	if n := s.number(t, revisionsThere); n != 1 {
		t.Errorf("there are %d revisions", n)
	}
}

const focused = `document.activeElement.name`

// is compares what an expression gives.
func (x *tab) is(what, js, want string) {
	x.t.Helper()
	if got := x.ask(js); got != want {
		x.t.Errorf("%s: it is %s, want %s", what, got, want)
	}
}

// twoEditors write the document at the same time: the later one is told what
// changed, keeps what they typed, and saves it over the newer one.
func twoEditors(t *testing.T, b *browser) {
	s := serving(t)
	ana := b.person(t, s.url)
	s.setUp(ana)
	s.person(t, "bo.editor", "Bo", "{state:read,config:read,config:write}")
	bo := b.person(t, s.url)
	bo.allow("409")
	bo.signInAs("bo.editor")
	for _, x := range []*tab{ana, bo} {
		x.open("/settings/configuration")
	}
	const later = "name: Bo's\nvision: As Bo has it\n"
	bo.put(`[name=text]`, later)
	bo.put(`[name=summary]`, "Bo's way")
	ana.put(`[name=text]`, "name: Ana's\n")
	ana.put(`[name=summary]`, "Ana's way")
	ana.press(sendForm)
	ana.reads("Revision 2 is saved.")
	bo.reads("The document moved on")
	bo.is("Bo's text under a live change", `document.querySelector("[name=text]").value`, later)
	bo.shot("moved-on")
	bo.press(sendForm)
	bo.reads("What changed since")
	bo.reads("Ana's")
	bo.is("Bo's text after the refusal", `document.querySelector("[name=text]").value`, later)
	bo.shot("told")
	bo.accessible()
	if n := s.number(t, revisionsThere); n != 2 {
		t.Errorf("there are %d revisions, want 2", n)
	}
	bo.press(sendForm)
	bo.reads("Revision 3 is saved.")
	bo.is("the text saved", `document.querySelector("[name=text]").value`, later)
	ana.reads("Revision 3")
}
