package main

import (
	"testing"
)

// came calls the tool, and looks for a text in what that came to.
func (x *tab) came(text string) {
	x.t.Helper()
	x.press(`#try-form button[type=submit]`)
	x.within(starting, "the result", `document.getElementById("result")`)
	x.is("the result says "+text, `document.getElementById("result").innerText.includes("`+text+`")`, "true")
}

// toolsTried calls tools from their pages.
func toolsTried(t *testing.T, b *browser) {
	s := serving(t)
	kites := newKites(t, kite("fold", `{}`), kite("burn", `{"destructiveHint": true}`), kite("mystery", ""))
	s.must(t, "", "mcp", "add", "everything", "--", "node", installed(t, "server-everything"))
	s.must(t, "", append([]string{"mcp", "add", "kites", "--"}, kites.command...)...)
	x := b.person(t, s.url)
	s.setUp(x)
	x.open("/settings/tools")
	x.lists("get-sum")
	x.lists("burn")

	x.press(`#tool-get-sum a`)
	x.fill(`[name="_arg:a"]`, "2")
	x.fill(`[name="_arg:b"]`, "40")
	x.came("42")
	x.is("kept", `document.querySelector('[name="_arg:a"]').value + "+" + document.querySelector('[name="_arg:b"]').value`, "2+40")
	x.is("the focus", `document.activeElement.id`, "result")
	x.reads("Ana Admin") // in the record of calls
	x.shot("sum")
	x.accessible()

	x.open("/settings/tools/tool/get-tiny-image")
	x.came("image")
	x.until("the image drawn", `document.querySelector("#result img")?.naturalWidth > 0`)
	x.shot("image")
	x.accessible()

	x.allow("422")
	for _, name := range []string{"burn", "mystery"} {
		before := s.number(t, `SELECT count(*) FROM mcp_calls`)
		x.open("/settings/tools/tool/" + name)
		x.press(`#try-form button[type=submit]`)
		x.until(name+" asks first", `document.getElementById("f-sure-error") && !document.getElementById("result")`)
		if n := s.number(t, `SELECT count(*) FROM mcp_calls`); n != before || len(kites.called(t)) != 0 {
			t.Errorf("%s ran without an answer: %d calls, want %d", name, n, before)
		}
		x.shot(name)
		x.accessible()
		x.click(`[name=sure]`)
		x.came(name + " is done")
		if got := kites.called(t); got != name {
			t.Errorf("called %q, want %s alone", got, name)
		}
		kites.forget(t)
	}
}
