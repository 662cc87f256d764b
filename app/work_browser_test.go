package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// shop is a company with a project, and two people who work in it, each at a
// browser of their own.
func shop(t *testing.T, b *browser) (s *site, ana, bo *tab, api acting) {
	t.Helper()
	s = serving(t)
	ana = b.person(t, s.url)
	s.setUp(ana)
	s.must(t, workCompany, "company", "import", "-")
	s.person(t, "bo.berg", "Bo Berg", "{state:read,work:write}")
	bo = b.person(t, s.url)
	bo.signInAs("bo.berg")
	return s, ana, bo, acting{s.visitor(t), s.token(t, "--grants", "all")}
}

const (
	offers = `document.querySelectorAll(".live-offer").length`
	status = `document.querySelector("[data-fact=status] select").value`
	due    = `[data-fact=due] input[name=due]`
)

// choose picks from a list, as somebody does who then goes on elsewhere.
func (x *tab) choose(fact, value string) {
	x.t.Helper()
	x.eval(fmt.Sprintf(`{const e = document.querySelector("[data-fact=%s] select"); e.focus(); e.value = %q; e.dispatchEvent(new Event("change", { bubbles: true })); e.blur()}`, fact, value))
}

// asPressed makes a key go down as a keyboard's does: one that a script takes
// for itself leaves no letter behind.
func asPressed(p *input.DispatchKeyEventParams) {
	if p.Type == kb.KeyDown {
		p.Type = "rawKeyDown"
	}
}

func workByKeys(t *testing.T, b *browser) {
	_, ana, _, api := shop(t, b)
	for n := range 3 {
		api.act("create_work_item", fmt.Sprintf(`{"project":"ENG","title":"Item %d"}`, n+1))
	}
	ana.open("/work?sort=key")
	ana.key("j")
	ana.key("j")
	ana.key("j")
	ana.key("k")
	ana.is("where k leads", `document.activeElement.getAttribute("href")`, "/work/items/ENG-2")
	ana.shot("row")
	ana.accessible()
	ana.key("/", asPressed)
	ana.is("where / leads", focused, "q")
	ana.open("/work?sort=key")
	ana.key("j")
	ana.key(kb.Enter)
	ana.until("the item", `location.pathname === "/work/items/ENG-1" && document.readyState === "complete"`)
	for key, name := range map[string]string{"a": "assignee/", "s": "status/todo", "p": "priority/normal"} {
		ana.key(key, asPressed)
		ana.is("where "+key+" leads, and what it leaves there", `document.activeElement.name + "/" + document.activeElement.value`, name)
		ana.eval(`document.activeElement.blur()`)
	}
	ana.quiet()
	ana.key("e", asPressed)
	ana.until("the title's form", `document.activeElement.name === "title"`)
	ana.put(`#edit-title [name=title]`, strings.Repeat("x", 307))
	ana.reads("This is 7 characters too long.")
	ana.shot("too-long")
	ana.accessible()
	ana.fill(`#edit-title [name=title]`, "Item one")
	ana.until("no sentence", `!document.querySelector(".too-long")`)
	ana.press(`#edit-title button[type=submit]`)
	ana.reads("Item one")

	ana.quiet()
	ana.key("c", asPressed)
	ana.until("the form for a new one", `location.pathname === "/work/new" && document.readyState === "complete" && document.activeElement.name === "title"`)
	ana.key("Filed by hand")
	ana.fill(`[name=assignee]`, "me")
	ana.press(sendForm)
	ana.until("its page", `location.pathname === "/work/items/ENG-4"`)
	ana.is("whom it has", `document.querySelector("[name=assignee]").value`, "ana.admin")
	ana.quiet()
	ana.open("/work/new")
	ana.is("a draft left over", `document.querySelector("[name=title]").value`, "")
	ana.put(`[name=title]`, "filed  BY hand")
	ana.allow("409")
	ana.press(sendForm)
	ana.reads("ENG-4 is open and has this title")
	ana.shot("exists")
	ana.accessible()
	ana.quiet()
	ana.click(`[name=allow_duplicate]`)
	ana.press(sendForm)
	ana.until("another one's page", `location.pathname === "/work/items/ENG-5"`)
}

// twoOnOneItem are two people on one page: what one writes is not lost to what
// the other changes, and each sees the other's change.
func twoOnOneItem(t *testing.T, b *browser) {
	_, ana, bo, api := shop(t, b)
	api.act("create_work_item", `{"project":"ENG","title":"Paint the bridge","description":"Blue"}`)
	for _, x := range []*tab{ana, bo} {
		x.open(onENG1)
		x.eval(`window.sameDocument = true`)
	}
	ana.choose("status", "in_progress")
	bo.until("the other's change", status+` === "in_progress"`)
	bo.reads("status")
	bo.choose("status", "todo")
	ana.until("a list that was touched shows what is", status+` === "todo"`)
	ana.choose("status", "in_review")
	bo.until("a list that was touched shows what is", status+` === "in_review"`)

	bo.fill(`#comment-body`, "Half a comm")
	bo.eval(`document.querySelector("#edit-description").open = true`)
	bo.fill(`#edit-description textarea`, "Bo's text, half")
	ana.key("e", asPressed)
	ana.fill(`#edit-title [name=title]`, "Paint both bridges")
	ana.press(`#edit-title button[type=submit]`)
	ana.fill(`#comment-body`, "I changed the *title*, @bo.berg.")
	ana.press(`#say button[type=submit]`)
	ana.reads("I changed the title")
	bo.reads("I changed the title")
	bo.reads("This changed while you were in it.")
	typed := `document.querySelector("#comment-body").value + "/" + document.querySelector("#edit-description textarea").value`
	bo.is("what Bo typed", typed, "Half a comm/Bo's text, half")
	bo.is("the same document", `window.sameDocument`, "true")
	bo.shot("offered")
	bo.accessible()
	bo.press(`#edit-description button[type=submit]`)
	bo.reads("Paint both bridges")
	bo.reads("Bo's text, half")
	bo.is("the comment after a load", `document.querySelector("#comment-body").value`, "Half a comm")
	ana.reads("Bo's text, half")

	// Both write the description: the later one is shown what is saved.
	for _, x := range []*tab{ana, bo} {
		x.open(onENG1)
		x.eval(`document.querySelector("#edit-description").open = true`)
		x.fill(`#edit-description textarea`, "As it was written by "+x.ask(`document.querySelector(".viewer-login").textContent`))
	}
	ana.press(`#edit-description button[type=submit]`)
	bo.allow("409")
	bo.reads("This changed while you were in it.")
	bo.press(`#edit-description button[type=submit]`)
	bo.reads("What is saved now")
	bo.is("what Bo typed", `document.querySelector("#edit-description textarea").value`, "As it was written by bo.berg")
	bo.is("what is saved", `document.querySelector("#newer").textContent.trim()`, "As it was written by ana.admin")
	bo.shot("stale")
	bo.accessible()
	bo.press(`#edit-description button[type=submit]`)
	ana.reads("As it was written by bo.berg")
}

// factsUnderOthers types into one fact while somebody else changes another.
func factsUnderOthers(t *testing.T, b *browser) {
	_, ana, bo, api := shop(t, b)
	api.act("create_work_item", `{"project":"ENG","title":"Paint the bridge"}`)
	for _, x := range []*tab{ana, bo} {
		x.open(onENG1)
		x.eval(`window.sameDocument = true`)
	}
	bo.allow("422")

	// One's own change is no news, though the focus stays where it was made.
	bo.key("s", asPressed)
	bo.key(kb.ArrowDown)
	bo.until("the change in the history", `document.querySelector("#item-past").innerText.includes("status")`)
	bo.is("offers after one's own change", offers, "0")
	bo.is("the focus", focused, "status")

	bo.fill(due, "tomo")
	ana.choose("priority", "urgent")
	bo.reads("This changed while you were in it.")
	bo.is("what is being typed", `document.querySelector("`+due+`").value`, "tomo")
	bo.shot("offered")
	bo.accessible()
	bo.key("rrow")
	bo.key(kb.Enter)
	bo.until("both changes", `/^\d{4}-\d\d-\d\d$/.test(document.querySelector("`+due+`").value) && document.querySelector("[data-fact=priority] select").value === "urgent"`)
	bo.is("offers left", offers, "0")

	bo.fill(due, "someday")
	bo.key(kb.Enter)
	bo.until("a sentence beside it", `document.querySelector("[data-fact=due] .field-error")`)
	bo.eval(`document.activeElement.blur()`)
	ana.choose("priority", "low")
	bo.reads("This changed while you were in it.")
	bo.is("what was refused", `document.querySelector("`+due+`").value`, "someday")
	bo.shot("refused")
	bo.accessible()
	bo.fill(due, "")
	bo.key(kb.Enter)
	bo.until("both changes", `document.querySelector("`+due+`").value === "" && document.querySelector("[data-fact=priority] select").value === "low" && !document.querySelector(".field-error")`)

	bo.fill(`[data-fact=labels] input[type=text]`, "Harbour")
	bo.key(kb.Enter)
	ana.until("the label", `document.querySelector("[data-fact=labels] [type=checkbox]")?.checked`)
	ana.click(`[data-fact=labels] [type=checkbox]`)
	bo.until("no label", `document.querySelector("[data-fact=labels] [type=checkbox]")?.checked === false || `+offers+` > 0`)
	bo.is("the same document", `window.sameDocument`, "true")
}

// askedTwice has one question open in two tabs, with different answers.
func askedTwice(t *testing.T, b *browser) {
	s, ana, _, api := shop(t, b)
	choice, when := api.asked()
	ana.open("/inbox")
	ana.reads("Ship it?")
	second, third := ana.beside(), ana.beside()
	second.open("/inbox")
	third.open(onENG1)
	for _, x := range []*tab{second, third} {
		x.allow("409")
		x.put(`#answer-body-`+when, "On my own day")
	}
	ana.shot("asked")
	ana.accessible()
	ana.click(`#ask-` + choice + ` [value="1"]`)
	ana.press(`#answer-` + choice + ` button[type=submit]`)
	ana.until("no form for it", `!document.querySelector("#answer-`+choice+`")`)
	third.reads("This changed while you were in it.")
	ana.put(`#answer-body-`+when, "On Monday")
	ana.press(`#answer-` + when + ` button[type=submit]`)
	for _, x := range []*tab{second, third} {
		x.is("what was typed", `document.querySelector("#answer-body-`+when+`").value`, "On my own day")
		x.press(`#answer-` + when + ` button[type=submit]`)
		x.reads("On Monday")
		x.reads("On my own day")
		x.shot("answered")
		x.accessible()
	}
	if n := s.number(t, `SELECT count(*) FROM comments`); n != 4 {
		t.Errorf("two questions and two answers are %d comments", n)
	}
}
