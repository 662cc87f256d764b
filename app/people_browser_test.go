package main

import (
	"strings"
	"testing"
)

const peopleCompany = `name: Acme
roles:
  - {name: Founder, handle: founder, kind: human}
  - {name: Chief engineer, handle: cto, kind: human}
`

// twoPeople is one who invites and one who joins: each sees at once what the
// other's page did.
func twoPeople(t *testing.T, b *browser) {
	s := serving(t)
	ana := b.person(t, s.url)
	s.setUp(ana)
	ana.open("/settings/configuration")
	ana.put(`[name=text]`, peopleCompany)
	ana.put(`[name=summary]`, "Begin")
	ana.press(sendForm)
	ana.open("/settings/people")
	ana.fill(`#invite [name=name]`, "Bo Berg")
	ana.eval(`document.querySelector("#invite [name=seat]").value = "cto"`)
	ana.click(`#invite [value="state:read"]`)
	ana.press(`#invite button[type=submit]`)
	ana.reads("The invitation of Bo Berg")
	link := ana.ask(`document.getElementById("invitation-link").textContent.trim()`)
	ana.shot("invited")
	ana.accessible()

	bo := b.person(t, s.url)
	bo.open(strings.TrimPrefix(link, s.url))
	bo.reads("You will hold the seat cto")
	bo.shot("invitation")
	bo.accessible()
	bo.fill(`[name=login]`, "bo.berg")
	bo.fill(`[name=password]`, password)
	bo.press(sendForm)
	bo.open("/company")
	bo.reads("bo.berg")
	bo.shot("company")
	ana.until("the list shows who joined", `document.querySelector("#people").textContent.includes("bo.berg")`)

	ana.open("/settings/tools")
	ana.click(`.nav-search`)
	ana.fill(`#palette-ask`, "berg")
	ana.until("the palette finds a person", `[...document.querySelectorAll("#palette [role=option]")].some((e) => !e.hidden && e.textContent.includes("Bo Berg"))`)

	bo.open("/account/sign-ins")
	bo.allow("401") // the stream of who is suspended ends
	ana.open("/settings/people")
	ana.open(ana.ask(`[...document.querySelectorAll("#people a")].find((a) => a.textContent === "Bo Berg").getAttribute("href")`))
	for _, dark := range []bool{false, true} {
		ana.look(390, dark)
		if wrong := ana.ask(faults); wrong != "" {
			t.Errorf("narrow, dark %t: %s", dark, wrong)
		}
		ana.accessible()
	}
	ana.shot("person")
	ana.look(1280, false)
	ana.click(`#stage summary`)
	ana.press(`#stage .confirm-box button[type=submit]`)
	ana.reads("suspended")
	bo.until("who is suspended is led to sign in", `location.pathname === "/sign-in"`)
}

// ownToken mints a token of one's own and looks at what assistants are told.
func ownToken(t *testing.T, b *browser) {
	s := serving(t)
	ana := b.person(t, s.url)
	s.setUp(ana)
	ana.open("/settings/tokens")
	ana.fill(`[name=label]`, "claude on my laptop")
	ana.click(`[value="state:read"]`)
	ana.press(sendForm)
	ana.reads("Give it to your assistant")
	value := ana.ask(`document.getElementById("token-value").textContent.trim()`)
	if !strings.HasPrefix(value, "crw_pat_") {
		t.Errorf("the value is %q", value)
	}
	for _, width := range []int{1280, 390} {
		ana.look(width, width == 390)
		ana.eval(`document.querySelectorAll("#connect details").forEach((d) => (d.open = true))`)
		if wrong := ana.ask(faults); wrong != "" {
			t.Errorf("at %d: %s", width, wrong)
		}
		ana.shot("connect")
		ana.accessible()
	}
	ana.look(1280, false)
	ana.open("/settings/tokens")
	if strings.Contains(ana.ask(`document.documentElement.outerHTML`), value) {
		t.Error("the value is shown twice")
	}
}
