package static_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

const places = `<nav id="nav"><a href="/company" data-go="c">Company</a><a href="/secrets" data-go="s">Secrets</a></nav>
	<fieldset><input type="radio" name="theme" value="dark" aria-label="Dark"><input type="radio" name="theme" value="system" aria-label="System"></fieldset>
	<main id="main"><input id="field" aria-label="Field"></main>
	<dialog id="keys" aria-label="Keys">Keys</dialog>
	<dialog id="palette" aria-label="Pages"><input id="palette-ask" aria-label="Page"><div role="listbox" aria-label="Pages">
	<a role="option" id="p-c" href="/company" data-words="Company">Company</a>
	<a role="option" id="p-s" href="/secrets" data-words="Settings Sécrets">Secrets</a></div><p class="palette-none" hidden>None</p></dialog>`

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
	same(t, b.text(shown), "p-c,p-s")
	b.press("zzz")
	b.waits(`!document.querySelector(".palette-none").hidden`)
	b.do(`document.getElementById("palette-ask").value = ""`)
	b.press("secr")
	b.waits(`(` + shown + `) === "p-s" && document.getElementById("palette-ask").getAttribute("aria-activedescendant") === "p-s"`)
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
