package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func TestPastOfWork(t *testing.T) {
	_, ana, api := workshop(t)
	api.act("create_work_item", `{"project":"ENG","title":"Paint the bridge","description":"one"}`)
	api.act("update_work_item", `{"key":"ENG-1","base_version":1,"description":"two"}`)
	for n := range 53 {
		api.act("comment_on_work_item", fmt.Sprintf(`{"key":"ENG-1","body":"Comment %d"}`, n))
	}
	for address, want := range map[string]struct {
		status int
		says   string
	}{
		"/work/items/ENG-99/editions":                 {404, "ENG-99"},
		"/work/items/ENG-99/editions/1":               {404, "ENG-99"},
		onENG1 + "/editions/99":                       {404, "editions/99"},
		onENG1 + "/editions/first":                    {404, "editions/first"},
		onENG1 + "/editions/2?against=99":             {422, "not saved as 99"},
		onENG1 + "/editions/2?against=first":          {422, "whole number"},
		onENG1 + "/editions/2?against=2":              {200, "letter by letter"},
		onENG1 + "/editions/2":                        {200, "From version 1 to version 2"},
		onENG1 + "/editions/1?against=2":              {200, "From version 2 to version 1"},
		onENG1 + "/editions?before=2":                 {200, "Version 1"},
		onENG1 + "/editions?before=first":             {422, "whole number"},
		onENG1:                                        {200, "Edited once"},
		"/work/projects/NOPE/history":                 {404, "NOPE"},
		"/work/projects/NOPE/history?kind=zzz":        {404, "NOPE"},
		"/work/projects/NOPE/history?since=once":      {404, "NOPE"},
		"/work/items/ENG-99/history?kind=item":        {404, "ENG-99"},
		onENG1 + "/history?project=ENG":               {422, "not both"},
		onENG1 + "/history?kind=item":                 {200, "edited the description of"},
		"/work/history?since=once":                    {422, "is no date"},
		"/work/history?author=nemo":                   {422, "nemo"},
		"/work/history?author_kind=robot":             {422, "Not looked up"},
		"/work/history?colour=red":                    {422, "Colour"},
		"/work/history?cursor=tampered":               {422, "cursor"},
		"/work/history?project=NOPE":                  {422, "NOPE"},
		"/work/history?author=me":                     {200, "Take off Who: me"},
		"/work/history?kind=ask&author_kind=human":    {200, "Nothing like that happened"},
		"/work/history?kind=item.created&since=-7d":   {200, "Take off What: Items filed"},
		"/work/history?until=yesterday":               {200, "Nothing like that happened"},
		"/work/projects/eng/history?kind=comment":     {200, "commented on"},
		"/work/projects/ENG/history?since=once":       {422, "Engineering"},
		"/work/projects/ENG/history?until=2031-01-01": {200, "Until: 2031-01-01"},
	} {
		t.Run(address, func(t *testing.T) {
			v := &visitor{t: t, base: ana.base, http: ana.http}
			a := v.get(address)
			if a.status != want.status || !strings.Contains(a.body, want.says) {
				t.Errorf("answered %d, want %d with %q:\n%s", a.status, want.status, want.says, a.body)
			}
		})
	}
	for _, first := range []string{"/work/history", "/work/projects/ENG/history", onENG1 + "/history?kind=comment", onENG1 + "/history"} {
		t.Run("older than "+first, func(t *testing.T) {
			v := &visitor{t: t, base: ana.base, http: ana.http}
			newest := v.get(first)
			older := v.get(newest.link(t, "href", "cursor="))
			const row = `class="happened"`
			if older.status != http.StatusOK || strings.Count(newest.body, row) != 50 || strings.Count(older.body, row) < 3 {
				t.Errorf("%d rows, then %d with %d", strings.Count(newest.body, row), older.status, strings.Count(older.body, row))
			}
			if strings.Contains(older.body, "data-live-region") || !strings.Contains(newest.body, "data-live-region") {
				t.Error("what keeps itself current is not the first page alone")
			}
		})
	}
}

const tops = `[...document.querySelectorAll(".sides .is-changed .sides-text")].map((e) => Math.round(e.getBoundingClientRect().top))`

// pastOfWork reads what a description was, saves it again over somebody's
// change, and watches the history while somebody works.
func pastOfWork(t *testing.T, b *browser) {
	_, ana, bo, api := shop(t, b)
	api.act("create_work_item", `{"project":"ENG","title":"Paint the bridge","description":"Paint it blue.\n\nTwice."}`)
	api.act("update_work_item", `{"key":"ENG-1","base_version":1,"description":"Paint it green.\n\nTwice."}`)
	api.act("update_work_item", `{"key":"ENG-1","base_version":2,"description":"Paint it red.\n\nTwice."}`)

	ana.open(onENG1)
	ana.press(`.edited-often a`)
	ana.until("its saves", `location.pathname === "/work/items/ENG-1/editions"`)
	ana.click(`[name=against][value="1"]`)
	ana.press(`.compare-act button`)
	ana.until("the two", `location.pathname + location.search === "/work/items/ENG-1/editions/3?against=1"`)
	ana.is("what went and came", `document.querySelector(".sides del").textContent + "/" + document.querySelector(".sides ins").textContent`, "blue/red")
	ana.is("beside each other", tops+`.every((top, i, all) => top === all[0])`, "true")
	ana.look(390, false)
	ana.until("one under the other", `((all) => all.length === 2 && all[1] > all[0])(`+tops+`)`)
	ana.shot("sides")
	ana.accessible()
	ana.look(1280, false)

	// Somebody else moves the item while one stands on the button.
	bo.open(onENG1 + "/editions/1")
	bo.shot("edition")
	bo.accessible()
	bo.eval(`document.querySelector("#restore button").focus()`)
	api.act("update_work_item", `{"key":"ENG-1","status":"in_progress"}`)
	bo.reads("This changed while you were in it.")
	bo.allow("409")
	bo.press(`#restore button[type=submit]`)
	bo.reads("nothing was saved")
	bo.reads("from Todo to In progress")
	bo.shot("stale")
	bo.accessible()
	ana.open(onENG1)
	ana.reads("Paint it red.")
	bo.press(`#restore button[type=submit]`)
	bo.until("the item", `location.pathname === "/work/items/ENG-1"`)
	bo.reads("Paint it blue.")
	ana.reads("Paint it blue.")
	ana.reads("Edited 3 times")

	ana.open("/work/projects/ENG")
	ana.press(`.page-tabs a:not([aria-current])`)
	ana.until("the project's history", `location.pathname === "/work/projects/ENG/history"`)
	ana.is("the tab", `document.querySelector(".page-tabs [aria-current]").textContent.trim()`, "History")
	bo.open("/work/history?author_kind=operator&kind=item")
	for _, x := range []*tab{ana, bo} {
		x.eval(`window.sameDocument = true`)
	}
	api.act("update_work_item", `{"key":"ENG-1","status":"done"}`)
	for _, x := range []*tab{ana, bo} {
		x.reads("from In progress to Done")
		x.is("the same document", `window.sameDocument`, "true")
	}
	bo.key("/", asPressed)
	bo.is("where / leads", focused, "author")
	bo.eval(`document.activeElement.blur()`)
	bo.key("j")
	bo.key(kb.Enter)
	bo.until("the item", `location.pathname === "/work/items/ENG-1"`)
	ana.key("g")
	ana.key("h")
	ana.until("the history of all", `location.pathname === "/work/history" && document.readyState === "complete"`)
	ana.fill(`[name=author]`, "ana.admin")
	ana.key(kb.Enter)
	ana.until("the filter in the address", `new URLSearchParams(location.search).get("author") === "ana.admin" && document.readyState === "complete"`)
	ana.press(`[aria-label="Take off Who: ana.admin"]`)
	ana.is("the address without it", `new URLSearchParams(location.search).has("author")`, "false")
	ana.shot("history")
	ana.accessible()
}
