package static_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

const places = `<nav id="nav"><ul><li><a href="/company" data-go="c"><span>Company</span></a></li></ul>
	<h2>Settings</h2><ul><li><a href="/secrets" data-go="s"><span>Sécrets</span></a></li></ul></nav>
	<fieldset><input type="radio" name="theme" value="dark" aria-label="Dark"><input type="radio" name="theme" value="system" aria-label="System"></fieldset>
	<main id="main"><input id="field" aria-label="Field"></main>
	<dialog id="keys" aria-label="Keys"><dl><div><dt>This help</dt><dd>?</dd></div></dl></dialog>
	<dialog id="palette" aria-label="Pages"><input id="palette-ask" aria-label="Page"><div role="listbox" aria-label="Pages"></div>
	<p class="palette-none" hidden>None</p></dialog>`

func placesShown(b *tab, s *site) {
	for _, path := range []string{"/", "/company", "/secrets"} {
		s.shows(path, places)
	}
	b.open("/")
}

const shown = `[...document.querySelectorAll("#palette [role=option]")].filter((e) => !e.hidden).map((e) => e.id).join()`

func paletteTyped(t *testing.T, b *tab, s *site) {
	placesShown(b, s)
	b.press("k", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.waits(`document.activeElement.id === "palette-ask"`)
	same(t, b.text(shown), "palette-c,palette-s")
	b.press("zzz")
	b.waits(`!document.querySelector(".palette-none").hidden`)
	b.do(`document.getElementById("palette-ask").value = ""`)
	b.press("secr")
	b.waits(`(` + shown + `) === "palette-s" && document.getElementById("palette-ask").getAttribute("aria-activedescendant") === "palette-s"`)
	b.do(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true }))`)
	same(t, b.text("location.pathname"), "/")
	b.press("\r")
	b.waits(`location.pathname === "/secrets"`)
}

func keysGo(t *testing.T, b *tab, s *site) {
	placesShown(b, s)
	b.do(`document.getElementById("field").focus()`)
	b.press("?gc")
	same(t, b.text(`document.getElementById("field").value`), "?gc")
	same(t, b.text("location.pathname"), "/")
	b.do(`document.getElementById("field").blur()`)
	b.press("?")
	b.waits(`document.getElementById("keys").open`)
	same(t, b.text(`[...document.querySelectorAll("#keys dt")].map((e) => e.textContent).join()`), "This help,Go to Company,Go to Sécrets")
	b.do(`document.getElementById("keys").close()`)
	b.press("gc")
	b.waits(`location.pathname === "/company"`)
}

func themeKept(_ *testing.T, b *tab, s *site) {
	placesShown(b, s)
	b.do(`document.querySelector("[value=dark]").click()`)
	b.waits(`document.documentElement.dataset.theme === "dark"`)
	b.open("/company")
	b.waits(`document.documentElement.dataset.theme === "dark" && document.querySelector("[value=dark]").checked`)
	b.do(`document.querySelector("[value=system]").click()`)
	b.waits(`document.documentElement.dataset.theme === undefined`)
}
