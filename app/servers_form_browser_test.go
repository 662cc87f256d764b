package main

import (
	"strings"
	"testing"
)

// field is an expression for what the server's form holds under a name.
func field(name string) string {
	return `document.querySelector("main form.form [name=` + name + `]").value`
}

// madeInPlace stores a secret from within the form of a server, an hour after
// the password was typed: nothing typed is lost, and the value is nowhere.
func madeInPlace(t *testing.T, b *browser) {
	s := serving(t)
	x := b.person(t, s.url)
	x.allow("403")
	x.allow("422")
	s.setUp(x)
	x.open("/settings/tools/new")
	x.fill(`[name=name]`, "kites")
	x.fill(`[name=command]`, "node")
	x.put(`[name=args]`, installed(t, "server-everything"))
	x.eval(`window.sameDocument = true`)
	s.write(t, `UPDATE browser_sessions SET confirmed_at = confirmed_at - interval '61 minutes'`)

	x.fill(`[name=env]`, "TOKEN=$PGKITE")
	x.until("the offer to make it", `document.querySelector(".complete-entry[data-make]")`)
	x.click(`.complete-entry[data-make]`)
	x.until("the dialog", `document.getElementById("make-secret").open && document.activeElement.id === "make-value"`)
	x.is("the name", `document.getElementById("make-name").value`, "PGKITE")
	x.shot("make-secret")
	x.accessible()
	x.fill(`#make-value`, "swordfish-swordfish")
	x.click(`#make-secret [data-part] button[type=submit]`)
	x.until("the password is asked for", `document.activeElement.name === "_password"`)
	x.shot("make-secret-again")
	x.accessible()
	x.fill(`#make-secret [name=_password]`, "not the password")
	x.click(`#make-secret [data-part] button[type=submit]`)
	x.until("it is wrong", `document.querySelector("#make-secret .field-error")`)
	x.fill(`#make-secret [name=_password]`, password)
	x.click(`#make-secret [data-part] button[type=submit]`)
	x.until("the name is none", `document.getElementById("make-name-error")`)
	x.is("the value", `document.getElementById("make-value").value`, "swordfish-swordfish")
	x.accessible()
	x.click(`#make-secret .dialog-head button`)
	x.until("closed", `!document.getElementById("make-secret").open && !document.getElementById("make-value")`)

	x.fill(`[name=env]`, "TOKEN=$KITE_TOKEN")
	x.until("the offer to make it", `document.querySelector(".complete-entry[data-make]")`)
	x.click(`.complete-entry[data-make]`)
	x.until("the dialog", `document.activeElement.id === "make-value"`)
	x.fill(`#make-value`, "swordfish-swordfish")
	x.click(`#make-secret [data-part] button[type=submit]`)
	x.until("closed", `!document.getElementById("make-secret").open`)
	x.is("the focus", `document.activeElement.name`, "env")
	x.reads("The secret KITE_TOKEN is stored.")
	x.is("the form", field("name")+` + "|" + `+field("command")+` + "|" + `+field("env"), "kites|node|TOKEN=${KITE_TOKEN}")
	x.is("the same document", `window.sameDocument && location.pathname + location.search`, "/settings/tools/new")
	x.is("the value in the page", `document.documentElement.outerHTML.includes("swordfish")`, "false")
	if n := s.number(t, `SELECT count(*) FROM secrets WHERE name = 'KITE_TOKEN'`); n != 1 {
		t.Errorf("%d are stored, want 1", n)
	}
	s.neededSecret(x)
}

// neededSecret makes one that a test of the connection found missing.
func (s *site) neededSecret(x *tab) {
	x.t.Helper()
	x.put(`[name=env]`, "TOKEN=${KITE_TOKEN}\nOTHER=${KITE_OTHER}")
	x.press(testIt)
	x.until("it is missing", `document.querySelector("#tried.is-bad") && document.querySelector("a[data-make-secret=KITE_OTHER]")`)
	x.click(`a[data-make-secret=KITE_OTHER]`)
	x.until("the dialog", `document.activeElement.id === "make-value"`)
	x.fill(`#make-value`, "swordfish-too")
	x.click(`#make-secret [data-part] button[type=submit]`)
	x.until("it is stored", `document.querySelector("[data-need=KITE_OTHER]").innerText.includes("is stored.")`)
	x.press(testIt)
	x.within(starting, "it answers", `document.querySelector("#tried.is-good")`)
	x.press(sendForm)
	x.says("kites", "Running")
}

// ticked chooses tools that a test found: the lists follow the ticks, and the
// ticks what is typed.
func ticked(t *testing.T, b *browser) {
	s := serving(t)
	kites := newKites(t, kite("fold", ""), kite("get_wind", ""), kite("get_string", ""), kite("burn", ""))
	x := b.person(t, s.url)
	s.setUp(x)
	x.open("/settings/tools/new")
	x.fill(`[name=name]`, "kites")
	x.fill(`[name=command]`, kites.command[0])
	x.put(`[name=args]`, strings.Join(kites.command[1:], "\n"))
	x.press(testIt)
	x.within(starting, "ticks", `document.querySelectorAll("#tried input[data-offer]:checked").length === 4`)
	lists := field("include") + `.replaceAll("\n", ",") + "|" + ` + field("exclude") + `.replaceAll("\n", ",")`
	x.is("at first", lists, "|")
	x.click(`[data-offer=burn]`)
	x.is("without one", lists, "|burn")
	x.shot("ticked")
	x.accessible()
	x.eval(`{const e = document.querySelector("[data-offer-later]"); e.value = "out"; e.dispatchEvent(new Event("change", { bubbles: true }))}`)
	x.is("those alone", lists, "fold,get_wind,get_string|")
	x.click(`[data-offer-all=false]`)
	x.is("none", lists+` + document.querySelector("[data-offer-none]").checkVisibility()`, "|true")
	x.click(`[data-offer=burn]`)
	x.put(`[name=include]`, "burn\nget_*")
	x.is("a pattern", `["get_wind", "get_string", "fold"].map((n) => document.querySelector("[data-offer=" + n + "]")).map((e) => e.checked + " " + e.disabled).join()`,
		"true true,true true,false false")
	x.click(`[data-offer=fold]`)
	x.click(`[data-offer=burn]`)
	x.is("the pattern kept", lists, "get_*,fold|")
	x.shot("ticked-by-pattern")
	x.accessible()
	x.press(sendForm)
	x.says("kites", "Running")
	x.lists("get_wind")
	x.lists("fold")
	x.open("/settings/tools/servers/kites")
	x.until("it is not offered", `document.getElementById("not-offered")?.innerText.includes("burn")`)
}
