package static_test

import (
	"strings"
	"testing"
)

// linesShown: each line of an editor is numbered, and a link to one selects it
// where it can be seen.
func linesShown(t *testing.T, b *tab, s *site) {
	text := strings.Repeat("a: b\n", 299) + "wrong: here\n" + strings.Repeat("c: d\n", 99) + "last"
	s.shows("/page", `<main class="main"><p><a id="to" href="#f-text" data-line="300">300</a> <a id="past" href="#f-text" data-line="900">900</a></p>
		<form method="post" action="/new"><div class="field"><label for="f-text">Text</label>
		<textarea id="f-text" class="input is-area is-mono is-editor" name="text" rows="30" wrap="off">`+"\n"+text+`</textarea></div></form></main>`)
	b.open("/page")
	const numbers = `document.querySelector(".gutter[aria-hidden] > div").textContent`
	b.waits(`document.querySelector(".gutter") !== null`)
	if got := b.text(numbers); !strings.HasPrefix(got, "1\n2\n") || !strings.HasSuffix(got, "\n399\n400") {
		t.Errorf("the numbers are %s", got)
	}
	const selected = `(() => { const e = document.activeElement; return e.value.slice(e.selectionStart, e.selectionEnd) })()`
	b.do(`document.getElementById("to").click()`)
	same(t, b.text(selected), "wrong: here")
	// Its number stands beside it, inside what is seen.
	b.waits(`(() => {
		const area = document.getElementById("f-text"), style = getComputedStyle(area), top = 299 * parseFloat(style.lineHeight);
		const seen = top > area.scrollTop && top < area.scrollTop + area.clientHeight;
		const moved = document.querySelector(".gutter > div").getBoundingClientRect().top - area.getBoundingClientRect().top - area.clientTop + area.scrollTop;
		const column = document.querySelector(".gutter > div").getBoundingClientRect().height - area.scrollHeight;
		return seen && Math.abs(moved) < 1 && Math.abs(column) < 30
	})()`)
	b.do(`document.getElementById("past").click()`)
	same(t, b.text(selected), "last")
	b.typeInto("#f-text", "\nmore\n")
	b.waits(numbers + `.endsWith("\n402")`)
}
