package main

import (
	"strings"
	"testing"
)

const password = "correct horse battery"

// setUp makes the first administrator through the set-up link.
func (s *site) setUp(x *tab) {
	x.t.Helper()
	x.open(s.setupLink(x.t))
	x.fill(`[name=name]`, "Ana Admin")
	x.fill(`[name=login]`, "ana.admin")
	x.fill(`[name=password]`, password)
	x.press(`main form button[type=submit]`)
}

func (x *tab) signIn() {
	x.t.Helper()
	x.signInAs("ana.admin")
}

func (x *tab) signInAs(login string) {
	x.t.Helper()
	x.open("/sign-in")
	x.fill(`[name=login]`, login)
	x.fill(`[name=password]`, password)
	x.press(`main form button[type=submit]`)
}

func firstAdministrator(t *testing.T, b *browser) {
	s := serving(t)
	link := s.setupLink(t)
	x := b.person(t, s.url)
	s.setUp(x)
	x.shot("home")
	if !strings.Contains(x.ask(`document.body.textContent`), "Ana Admin") {
		t.Errorf("who is signed in is not on the page:\n%s", x.text())
	}
	late := b.person(t, s.url)
	late.allow("409")
	late.allow("404")
	late.open(link)
	late.shot("late")
	late.signIn()
	late.open("/account/sign-ins")
	late.shot("sign-ins")
	late.accessible()
}
