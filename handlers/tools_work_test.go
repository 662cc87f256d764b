package handlers

import (
	"fmt"

	"crewlet/engine/refusal"
)

// onItemsPage is a form of the page of an item that was filed just now.
func onItemsPage(fields ...string) func(*world) asking {
	return func(w *world) asking { return post("/work/items/"+w.filed(), fields...) }
}

// inTalk is a call that needs the tests' project to be there.
func inTalk(a asking) func(*world) asking {
	return func(w *world) asking {
		w.write(project)
		return a
	}
}

// workRows are the tools of items and projects.
func workRows() []row {
	const title = `{"project":"TALK","title":%q}`
	return append(append(workReads(), workPages()...), []row{
		{tool: "create_work_item", door: command, does: inTalk(run(fmt.Sprintf(title, "Filed in plain words"))), landed: wrote, object: "item:",
			refuses: inTalk(run(fmt.Sprintf(title, "two\nlines"))), class: refusal.Invalid},
		{tool: "update_work_item", door: command, does: onItem(`{"key":%q,"status":"in_progress","labels":{"add":["new"]},"labels_create_missing":true}`),
			landed: counts{Operations: 1, Changes: 2, Audit: 1}, object: "item:", refuses: onItem(`{"key":%q,"labels":{"add":["unheard-of"]}}`), class: refusal.Invalid},
		{tool: "write_project", door: command, does: inTalk(run(`{"key":"TALK","purpose":"To talk"}`)), landed: wrote, object: "project:",
			refuses: is(run(`{"key":"NOPE","purpose":"None"}`)), class: refusal.NotFound},
		{tool: "declare_projects", door: system, does: is(run(`{}`)), landed: counts{Operations: 1}, refuses: without(run(`{}`)), class: refusal.Forbidden},
	}...)
}

func workReads() []row {
	reads := []row{
		{tool: "get_work_item", door: command, does: onItem(`{"key":%q}`), refuses: without(run(`{"key":"TALK-1"}`))},
		{tool: "search_work_items", door: command, does: is(run(`{"q":"item"}`)), refuses: without(run(`{"q":"item"}`))},
		{tool: "describe_project", door: command, does: inTalk(run(`{"key":"TALK"}`)), refuses: without(run(`{"key":"TALK"}`))},
	}
	for name, args := range map[string]string{
		"list_work_items": `{"container":"workspace","status":"todo","limit":1}`, "get_work_catalogue": `{}`, "list_projects": `{}`,
	} {
		reads = append(reads, row{tool: name, door: command, does: is(run(args)), refuses: without(run(args))})
	}
	return forbidden(reads)
}

func workPages() []row {
	return append(forbidden([]row{
		{tool: "list_work_items", door: page, does: is(get("/work?status=todo")), refuses: without(get("/work"))},
		{tool: "list_work_items", door: page, does: inTalk(get("/work/projects/TALK")), refuses: without(get("/work/projects/TALK"))},
		{tool: "list_projects", door: page, does: is(get("/work/projects")), refuses: without(get("/work/projects"))},
		{tool: "list_projects", door: page, does: is(get("/work/new")), refuses: without(get("/work/new")), unrecorded: true}, // not offered
		{tool: "get_work_item", door: page, does: ofItem(""), refuses: without(get("/work/items/TALK-1"))},
	}), []row{
		{tool: "create_work_item", door: page, does: inTalk(post("/work/new", "project", "TALK", "title", "Filed by form")), status: 303, landed: wrote,
			object: "item:", refuses: inTalk(post("/work/new", "project", "TALK", "title", "")), class: refusal.Invalid},
		{tool: "update_work_item", door: page, does: onItemsPage("title", "Otherwise", "_form", "title"), status: 303, landed: wrote, object: "item:",
			refuses: onItemsPage("due", "someday", "_form", "facts"), class: refusal.Invalid},
	}...)
}
