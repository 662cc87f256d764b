package main

import (
	"strings"
	"testing"
)

// sayingNo looks at the pages of a 404, a 403 and a 500: each says what
// happened, and leads on.
func sayingNo(t *testing.T, b *browser) {
	s := serving(t)
	ana := b.person(t, s.url)
	ana.allow("404")
	ana.allow("500")
	s.setUp(ana)

	ana.open("/settings/sercets")
	ana.reads("There is nothing here")
	ana.reads("/settings/sercets")
	ana.press(`main a`)
	ana.until("the dashboard", `location.pathname === "/inbox"`)
	ana.open("/settings/configuration/revisions/99")
	ana.reads("There is nothing here")

	s.write(t, `ALTER TABLE tokens RENAME TO tokens_elsewhere`)
	ana.open("/settings/tokens")
	ana.reads("Something broke on our side")
	ana.shot("500")
	ana.accessible()
	id := ana.ask(`document.querySelector(".alone-request code").innerText`)
	if !strings.Contains(s.log.String(), id) {
		t.Errorf("the log does not hold %q", id)
	}
	if strings.Contains(ana.ask(`document.documentElement.outerHTML`), "relation") {
		t.Error("the page tells what the database said")
	}
	s.write(t, `ALTER TABLE tokens_elsewhere RENAME TO tokens`)
	ana.open("/settings/tokens")
	ana.reads("No tokens yet")

	s.person(t, "bo.reader", "Bo", "{state:read}")
	bo := b.person(t, s.url)
	bo.allow("403")
	bo.signInAs("bo.reader")
	if places := bo.ask(`document.getElementById("nav").innerText`); strings.Contains(places, "Secrets") || strings.Contains(places, "Audit") {
		t.Errorf("the navigation offers what is not Bo's:\n%s", places)
	}
	bo.shot("fewer-grants")
	bo.accessible()
	bo.open("/settings/secrets")
	bo.reads("That is not yours to do")
	bo.shot("403")
	bo.accessible()
	bo.open("/settings/tools/new")
	bo.reads("That is not yours to do")
	bo.press(`main a`)
	bo.until("a page of Bo's", `location.pathname === "/inbox"`)
}
