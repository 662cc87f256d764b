package main

import (
	"testing"
)

const queued = `[...document.querySelectorAll(".queued .item-key")].map((e) => e.textContent).join(" ")`

// queuesInOrder orders a queue by button and by key, one's own and another's,
// while somebody else has the same page open.
func queuesInOrder(t *testing.T, b *browser) {
	s, ana, bo, api := shop(t, b)
	for _, title := range []string{"One", "Two", "Three"} {
		api.act("create_work_item", `{"project":"ENG","title":"`+title+`","assignee":"bo.berg"}`)
	}
	for i, x := range []*tab{ana, bo} {
		x.open([]string{"/work/mine?person=bo.berg", "/work/mine"}[i])
		x.eval(`window.sameDocument = true`)
	}
	for _, key := range []string{"ENG-1", "ENG-2", "ENG-3"} {
		ana.click(`.enqueue:has([value="` + key + `"]) button`)
		ana.until(key+" in the queue", queued+`.endsWith("`+key+`")`)
	}
	bo.until("what Ana put in", queued+` === "ENG-1 ENG-2 ENG-3"`)
	bo.reads("Ordered by")
	ana.shot("another's")
	ana.accessible()

	bo.eval(`document.querySelector("#queued-ENG-3 a").focus()`)
	bo.key("K")
	bo.until("one up", queued+` === "ENG-1 ENG-3 ENG-2"`)
	bo.is("the focus", `document.activeElement.closest("[data-row]").id`, "queued-ENG-3")
	bo.key("K")
	bo.until("the first", queued+` === "ENG-3 ENG-1 ENG-2"`)
	bo.until("no word of another's order", `!document.querySelector(".queue-by")`)
	bo.key("K") // it is the first already
	bo.key("j")
	bo.is("the next row", `document.activeElement.closest("[data-row]").id`, "queued-ENG-1")
	ana.until("the order at Ana's", queued+` === "ENG-3 ENG-1 ENG-2"`)

	ana.eval(`document.querySelector("#queued-ENG-3 [data-place=down]").focus()`)
	ana.click(`#queued-ENG-3 [data-place=down]`)
	ana.until("one down", queued+` === "ENG-1 ENG-3 ENG-2"`)
	ana.is("the focus", `document.activeElement.closest("[data-row]").id + " " + document.activeElement.dataset.place`, "queued-ENG-3 down")
	bo.click(`#queued-ENG-1 [data-place=close]`)
	bo.until("one less", queued+` === "ENG-3 ENG-2"`)
	bo.is("the same document", `window.sameDocument`, "true")
	bo.accessible()

	ana.until("one less at Ana's", queued+` === "ENG-3 ENG-2"`)
	ana.allow("422")
	ana.click(`#queue-add summary`)
	ana.fill(`#queue-item`, "ENG-99")
	ana.click(`#queue-add button`)
	ana.reads("There is no item ENG-99")
	ana.is("the focus", focused, "item")
	ana.fill(`#queue-item`, "ENG-1")
	ana.click(`#queue-add button`)
	ana.until("it is in", queued+` === "ENG-3 ENG-2 ENG-1"`)
	if n := s.number(t, `SELECT count(*) FROM priorities`); n != 3 {
		t.Errorf("the queue has %d", n)
	}
}

// chosenFirst changes what comes first in the inbox, in every open tab.
func chosenFirst(t *testing.T, b *browser) {
	_, ana, _, api := shop(t, b)
	api.asked()
	ana.open("/inbox")
	ana.reads("Ship it?")
	second := ana.beside()
	second.open("/inbox")
	second.eval(`window.sameDocument = true`)
	ana.click(`#inbox-reasons summary`)
	ana.shot("open")
	ana.accessible()
	ana.click(`#reasons [value=asked]`)
	ana.press(`#inbox-reasons button`)
	ana.reads("Nothing here")
	second.until("the split in the other tab", `!document.body.innerText.includes("Ship it?") && !document.querySelector("#reasons [value=asked]").checked`)
	second.is("the same document", `window.sameDocument`, "true")
	ana.open("/inbox?box=other")
	ana.reads("Ship it?")
}
