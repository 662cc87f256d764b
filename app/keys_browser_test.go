package main

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func (x *tab) key(keys string, modifiers ...chromedp.KeyOption) {
	x.t.Helper()
	x.do("press "+keys, chromedp.KeyEvent(keys, modifiers...))
}

// ring is how the focused element shows that it is.
const ring = `(() => {
	const s = getComputedStyle(document.activeElement);
	const r = document.activeElement.getBoundingClientRect();
	const drawn = s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1.5 || s.boxShadow !== "none";
	return (drawn ? "" : "no ring ") + (r.width > 0 && r.bottom > 0 && r.top < innerHeight ? "" : "out of sight");
})()`

func keyboardAlone(t *testing.T, b *browser) {
	s := serving(t)
	x := b.person(t, s.url)
	s.setUp(x)

	x.open("/settings/secrets")
	x.key(kb.Tab)
	x.is("first in the order", `document.activeElement.className`, "skip")
	x.until("the skip link in sight", `document.activeElement.getBoundingClientRect().top >= 0`)
	x.shot("skip")
	x.key(kb.Enter)
	x.until("the focus in the page", `document.activeElement.id === "main"`)
	x.key(kb.Tab)
	x.is("the next stop is in the page", `document.querySelector("main").contains(document.activeElement)`, "true")

	x.open("/settings/tools")
	for range 24 {
		x.key(kb.Tab)
		if wrong := x.ask(ring); wrong != "" {
			t.Errorf("%s: %s", wrong, x.ask(`document.activeElement.outerHTML.slice(0, 200)`))
		}
	}
	x.shot("focus")

	x.open("/settings/secrets")
	x.key("?")
	x.until("the help", `document.getElementById("keys").open`)
	x.shot("help")
	x.accessible()
	x.key(kb.Escape)
	x.until("no help", `!document.getElementById("keys").open`)

	x.key("k", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	x.until("the palette", `document.getElementById("palette").open && document.activeElement.id === "palette-ask"`)
	x.shot("palette")
	x.accessible()
	x.key(kb.Escape)
	x.until("no palette", `!document.getElementById("palette").open`)
	x.key("k", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	x.until("the palette", `document.getElementById("palette").open`)
	x.key("aud")
	x.until("pages first, then tools", `[...document.querySelectorAll("#palette [role=option]")].filter((e) => !e.hidden).map((e) => e.innerText.split("\n")[0]).join() === "Audit,list_audit"`)
	x.shot("palette-filtered")
	x.key(kb.Enter)
	x.until("the page it leads to", `location.pathname === "/settings/audit" && document.readyState === "complete"`)

	x.key("gc")
	x.until("the page of its letter", `location.pathname === "/company" && document.readyState === "complete"`)

	x.open("/settings/secrets")
	x.fill(`[name=name]`, "GITHUB_TOKEN")
	x.fill(`[name=value]`, "hunter2-hunter2")
	x.key(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	x.reads("The secret GITHUB_TOKEN is stored.")
}
