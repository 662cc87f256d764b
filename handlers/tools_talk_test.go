package handlers

import (
	"fmt"
	"strings"

	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

// project is where the tests' items are filed: no unit of theirs declares one.
const project = `INSERT INTO projects (key, name, unit, created_at) VALUES ('TALK', 'Talk', '', now()) ON CONFLICT DO NOTHING`

// filed is the key of an item that was filed just now.
func (w *world) filed() string {
	w.t.Helper()
	w.write(project)
	it, err := tool.Do(w.t.Context(), w.Run, w.Tracker.CreateItem, enginetest.By("setup"),
		tracker.CreateItem{Project: "TALK", Title: "Item " + tool.NewKey(), Description: "one"})
	w.must(err)
	return it.Key
}

// said is what somebody said just now: whoever's call that is, else set-up's.
func (w *world) said(a asking, ask *tracker.Ask) tracker.Said {
	w.t.Helper()
	c := enginetest.By("setup")
	if a.by != nil {
		c.By = *a.by
	}
	said, err := tool.Do(w.t.Context(), w.Run, w.Tracker.CommentOnItem, c, tracker.CommentOnItem{Key: w.filed(), Body: "Hello", Ask: ask})
	w.must(err)
	return said
}

// ofOnesOwn is a person's call about a comment of theirs, a question perhaps.
func ofOnesOwn(args string, ask *tracker.Ask) func(*world) asking {
	return func(w *world) asking {
		a := itself("")(w)
		a.body = fmt.Sprintf(args, w.said(a, ask).Comment.ID)
		return a
	}
}

// notOnesOwn is a person's call about somebody else's comment.
func notOnesOwn(args string, ask *tracker.Ask) func(*world) asking {
	return func(w *world) asking {
		return itself(fmt.Sprintf(args, w.said(asking{}, ask).Comment.ID))(w)
	}
}

// ofAnothers is anybody's call about a comment of set-up's.
func ofAnothers(args string, ask *tracker.Ask) func(*world) asking {
	return func(w *world) asking { return run(fmt.Sprintf(args, w.said(asking{}, ask).Comment.ID)) }
}

// onItem is a call about an item that was filed just now.
func onItem(args string) func(*world) asking {
	return func(w *world) asking { return run(fmt.Sprintf(args, w.filed())) }
}

// inInbox is a call about an entry of a person's inbox, made just now.
func inInbox(args string) func(*world) asking {
	return func(w *world) asking {
		a := itself("")(w)
		key := w.filed()
		w.write(`
			INSERT INTO notices (id, party, item, reason, kind, actor, actor_name, summary, operation, at)
			SELECT $2, $3, id, 'watcher', 'comment.added', '', '', 'said', gen_random_uuid(), now() FROM items WHERE 'TALK-' || no = $1`,
			key, tool.NewKey(), a.by.Party())
		var id string
		w.must(w.DB.GetContext(w.t.Context(), &id, `SELECT id FROM notices WHERE party = $1 ORDER BY id DESC LIMIT 1`, a.by.Party()))
		a.body = fmt.Sprintf(args, id)
		return a
	}
}

func talkRows() []row {
	ask := &tracker.Ask{To: "ann"}
	nothing := tool.NewKey()
	return append(append(talkReads(), talkPages()...), []row{
		{tool: "comment_on_work_item", door: command, does: onItem(`{"key":%q,"body":"Hello","ask":{"to":"ann","decision":{"options":[{"label":"Yes"},{"label":"No"}]}}}`),
			landed: counts{Operations: 1, Changes: 2, Audit: 1}, object: "item:", refuses: is(run(`{"key":"TALK-9999","body":"Hello"}`)), class: refusal.NotFound},
		{tool: "edit_comment", door: runner, does: ofOnesOwn(`{"comment":%q,"body":"Better"}`, nil), landed: wrote, object: "item:",
			refuses: notOnesOwn(`{"comment":%q,"body":"Worse"}`, nil), class: refusal.Forbidden},
		{tool: "remove_comment", door: runner, does: ofOnesOwn(`{"comment":%q}`, nil), landed: wrote, object: "item:",
			refuses: itself(`{"comment":"` + nothing + `"}`), class: refusal.NotFound},
		{tool: "answer_ask", door: command, does: ofAnothers(`{"ask":%q,"body":"Yes"}`, ask), landed: counts{Operations: 1, Changes: 2, Audit: 1},
			object: "item:", refuses: is(run(`{"ask":"` + nothing + `","body":"Yes"}`)), class: refusal.NotFound},
		{tool: "withdraw_ask", door: runner, does: ofOnesOwn(`{"ask":%q}`, ask), landed: wrote, object: "item:",
			refuses: notOnesOwn(`{"ask":%q}`, ask), class: refusal.Forbidden},
		{tool: "mark_inbox", door: runner, does: inInbox(`{"entries":[%q],"as":"read"}`), landed: wrote, object: "inbox:",
			refuses: itself(`{"entries":["` + nothing + `"],"as":"read"}`), class: refusal.Invalid},
		{tool: "set_inbox_reasons", door: runner, does: itself(`{"primary":["lead"]}`), landed: wrote, object: "inbox:",
			refuses: itself(`{"primary":["boredom"]}`), class: refusal.Invalid},
		{tool: "set_priorities", door: command, does: onItem(`{"whose":"ann","items":[%q]}`), landed: wrote, object: "queue:",
			refuses: is(run(`{"whose":"ann","items":["TALK-9999"]}`)), class: refusal.Invalid},
		{tool: "place_priority", door: command, does: onItem(`{"whose":"ann","item":%q}`), landed: wrote, object: "queue:",
			refuses: is(run(`{"whose":"ann","item":"TALK-9999"}`)), class: refusal.Invalid},
		{tool: "restore_edition", door: command, does: restoring, landed: wrote, object: "item:",
			refuses: onItem(`{"key":%q,"edition":99,"if_match":1}`), class: refusal.NotFound},
	}...)
}

// rewritten is an item at version 2, by another description.
func (w *world) rewritten() string {
	w.t.Helper()
	key, text := w.filed(), "two"
	_, err := tool.Do(w.t.Context(), w.Run, w.Tracker.UpdateItem, enginetest.By("setup"), tracker.UpdateItem{Key: key, Description: &text, IfMatch: 1})
	w.must(err)
	return key
}

// restoring is a call that saves the first description again, and
// restoringPage the same by its form, drawn at a version.
func restoring(w *world) asking {
	return run(fmt.Sprintf(`{"key":%q,"edition":1,"if_match":2}`, w.rewritten()))
}

func restoringPage(version string) func(*world) asking {
	return func(w *world) asking {
		return post("/work/items/"+w.rewritten()+"/editions/1/restore", "if_match", version)
	}
}

func talkReads() []row {
	return forbidden([]row{
		{tool: "get_comment", door: command, does: ofAnothers(`{"comment":%q}`, nil), refuses: without(run(`{"comment":"` + tool.NewKey() + `"}`))},
		{tool: "get_priorities", door: command, does: is(run(`{"whose":"ann"}`)), refuses: without(run(`{"whose":"ann"}`))},
		{tool: "work_routing", door: command, does: onItem(`{"key":%q}`), refuses: without(run(`{"key":"TALK-1"}`))},
		{tool: "list_editions", door: command, does: onItem(`{"key":%q}`), refuses: without(run(`{"key":"TALK-1"}`))},
		{tool: "get_edition", door: command, does: onItem(`{"key":%q,"edition":1}`), refuses: without(run(`{"key":"TALK-1","edition":1}`))},
	})
}

// onPage is a form of an item's page, about a comment on it that is the
// caller's own, or else set-up's.
func onPage(path string, own bool, ask *tracker.Ask, fields ...string) func(*world) asking {
	return func(w *world) asking {
		a := asking{}
		if own {
			a = itself("")(w)
		}
		said := w.said(a, ask)
		return post(strings.NewReplacer("KEY", said.Item, "ID", said.Comment.ID).Replace(path), fields...)
	}
}

func talkPages() []row {
	const item = "/work/items/KEY"
	ask, two := &tracker.Ask{To: "ann"}, counts{Operations: 1, Changes: 2, Audit: 1}
	marking := func(w *world) asking {
		a := inInbox("%s")(w)
		return post("/inbox", "entries[0]", a.body, "as", "read")
	}
	return append(forbidden([]row{
		{tool: "work_inbox", door: page, does: is(get("/inbox")), refuses: without(get("/inbox"))},
		{tool: "my_work", door: page, does: is(get("/work/mine")), refuses: without(get("/work/mine"))},
		{tool: "get_priorities", door: page, does: is(get("/work/mine?person=ann")), refuses: without(get("/work/mine?person=ann"))},
		{tool: "task_activity", door: page, does: ofItem("/history"), refuses: without(get("/work/items/TALK-1/history"))},
		{tool: "task_activity", door: page, does: is(get("/work/history?kind=item")), refuses: without(get("/work/history"))},
		{tool: "task_activity", door: page, does: inTalk(get("/work/projects/TALK/history")), refuses: without(get("/work/projects/TALK/history"))},
		{tool: "list_editions", door: page, does: ofItem("/editions"), refuses: without(get("/work/items/TALK-1/editions"))},
		{tool: "get_edition", door: page, does: ofItem("/editions/1"), refuses: without(get("/work/items/TALK-1/editions/1"))},
		{tool: "work_routing", door: page, does: ofItem("/told"), refuses: without(get("/work/items/TALK-1/told"))},
	}), []row{
		{tool: "mark_inbox", door: page, does: marking, status: 303, landed: wrote, object: "inbox:",
			refuses: is(post("/inbox", "entries[0]", tool.NewKey(), "as", "read")), class: refusal.Invalid},
		{tool: "set_inbox_reasons", door: page, does: is(post("/inbox/reasons", "primary", "watcher")), status: 303, landed: wrote, object: "inbox:",
			refuses: is(post("/inbox/reasons", "primary", "boredom")), class: refusal.Invalid},
		{tool: "place_priority", door: page, does: queueing, status: 303, landed: wrote, object: "queue:",
			refuses: is(post("/work/mine", "item", "TALK-9999")), class: refusal.Invalid},
		{tool: "answer_ask", door: page, does: onPage("/inbox/asks/ID", false, ask, "body", "Yes"), status: 303, landed: two, object: "item:",
			refuses: onPage("/inbox/asks/ID", false, ask), class: refusal.Invalid},
		{tool: "answer_ask", door: page, does: onPage(item+"/asks/ID", false, ask, "body", "Yes"), status: 303, landed: two, object: "item:",
			refuses: onPage(item+"/asks/ID", false, ask), class: refusal.Invalid},
		{tool: "withdraw_ask", door: page, does: onPage(item+"/asks/ID/withdraw", true, ask), status: 303, landed: wrote, object: "item:",
			refuses: onPage(item+"/asks/ID/withdraw", false, ask), class: refusal.Forbidden},
		{tool: "comment_on_work_item", door: page, does: onPage(item+"/comments", false, nil, "body", "Hello"), status: 303, landed: wrote, object: "item:",
			refuses: onPage(item+"/comments", false, nil), class: refusal.Invalid},
		{tool: "restore_edition", door: page, does: restoringPage("2"), status: 303, landed: wrote, object: "item:",
			refuses: restoringPage("1"), class: refusal.Stale},
		{tool: "comment_on_work_item", door: page, does: onPage(item+"/asks", false, nil, "body", "Hello?", "ask.to", "ann"), status: 303, landed: two,
			object: "item:", refuses: onPage(item+"/asks", false, nil, "body", "Hello?", "ask.to", "nemo"), class: refusal.Invalid},
		{tool: "edit_comment", door: page, does: onPage(item+"/comments/ID", true, nil, "body", "Better"), status: 303, landed: wrote, object: "item:",
			refuses: onPage(item+"/comments/ID", false, nil, "body", "Worse"), class: refusal.Forbidden},
		{tool: "remove_comment", door: page, does: onPage(item+"/comments/ID/remove", true, nil), status: 303, landed: wrote, object: "item:",
			refuses: is(post("/work/items/TALK-1/comments/" + tool.NewKey() + "/remove")), class: refusal.NotFound},
	}...)
}

// queueing puts an item that was filed just now into one's queue.
func queueing(w *world) asking { return post("/work/mine", "item", w.filed()) }

// ofItem is a page of an item that was filed just now.
func ofItem(part string) func(*world) asking {
	return func(w *world) asking { return get("/work/items/" + w.filed() + part) }
}
