package main

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// plain switches the page's own scripts off, as some people do.
func (x *tab) plain() {
	x.t.Helper()
	x.do("switch scripts off", func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return chromedp.Void{}, err
	})
}

// withoutScripts signs in, adds a server, stores a secret, edits the document
// and mints a token by plain forms.
func withoutScripts(t *testing.T, b *browser) {
	s := serving(t)
	s.administrator(t, "Ana Admin")
	x := b.person(t, s.url)
	x.plain()
	x.signIn()
	if got := x.ask(`document.documentElement.hasAttribute("data-js")`); got != "false" {
		t.Fatal("scripts run")
	}
	x.shot("home")

	x.newServer("one")
	x.do("press twice", chromedp.DoubleClick(chromedp.CSS(sendForm)))
	x.reads("The server one is saved.")
	if n := s.number(t, revisionsThere); n != 2 {
		t.Errorf("there are %d revisions, want 2", n)
	}

	x.open("/settings/secrets")
	x.fill(`[name=name]`, "GITHUB_TOKEN")
	x.fill(`[name=value]`, "hunter2-hunter2")
	x.press(`#store button[type=submit]`)
	x.reads("The secret GITHUB_TOKEN is stored.")
	x.shot("stored")

	x.open("/settings/configuration")
	x.put(`[name=text]`, "name: Plainly\n")
	x.put(`[name=summary]`, "Shorter")
	x.press(sendForm)
	x.reads("Revision 3 is saved.")
	x.reads("Plainly")
	x.shot("edited")

	x.open("/settings/tools?text=config")
	x.reads("get_config")
	x.look(390, false)
	x.open("/settings/tools")
	x.click(`[popovertarget=nav]`)
	x.until("the menu", `document.getElementById("nav").matches(":popover-open")`)
	x.shot("menu")
}
