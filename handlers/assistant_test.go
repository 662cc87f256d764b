package handlers

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/signin/signintest"
)

// assistantOf is the token a person minted for their own assistant.
func (w *world) assistantOf(person string, grants ...string) string {
	w.t.Helper()
	w.write(`UPDATE people SET grants = '{state:read,work:write}' WHERE id = $1`, person)
	by := access.Principal{Kind: access.Person, ID: person, Credential: "session:x", Name: "p." + person, Grants: access.StateRead | access.WorkWrite, Fresh: true}
	made, err := tool.Do(w.t.Context(), w.Run, w.Identity.MintOwnToken, &tool.Call{By: by, Key: tool.NewKey(), Door: page},
		identity.MintOwnToken{Label: "assistant", Grants: grants})
	w.must(err)
	return made.Value
}

// A person's assistant files an item, asks somebody, waits, and reads the
// answer that is given on a page, with nothing but what the door says.
func TestAnAssistantAsksAndReadsTheAnswer(t *testing.T) {
	t.Parallel()
	for _, era := range []string{mcpOld, mcpNew} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.follow()
			w.write(project)
			browser, token := w.administrator(), w.assistantOf(w.someone(), "state:read", "work:write")
			names := w.listed(t, token, era)
			for _, needed := range []string{"create_work_item", "wait_events", "list_asks", "get_work_item", "get_person"} {
				if !slices.Contains(names, needed) {
					t.Fatalf("%s is not among %v", needed, names)
				}
			}
			if slices.Contains(names, "list_audit") {
				t.Error("it is shown what its person did not give it")
			}
			args := map[string]any{
				"project": "TALK", "title": "Ship it", "op_id": tool.NewKey(),
				"ask": map[string]any{"to": signintest.Login, "body": "Shall we?", "decision": map[string]any{"options": []any{map[string]any{"label": "Yes"}, map[string]any{"label": "No"}}}},
			}
			filed := w.callTool(t, token, era, "create_work_item", args)
			asked, _ := filed.fields["ask"].(map[string]any)
			key, _ := filed.fields["key"].(string)
			if filed.Error || asked["state"] != "open" || filed.fields["op_id"] != args["op_id"] {
				t.Fatalf("filed %s", filed.Content)
			}
			w.sentAgain(token, era, args, filed)
			waits := w.waiting(t, token, map[string]any{"after": filed.fields["position"], "topics": []string{"item:" + key}})
			if got := browser.Post("/inbox/asks/"+asked["id"].(string), "application/x-www-form-urlencoded", "_key="+tool.NewKey()+"&choice=1&body=Go"); got.Status != http.StatusSeeOther {
				t.Fatalf("the page answers %d: %s", got.Status, got.Text())
			}
			if heard := eventsOf(t, <-waits); !slices.ContainsFunc(heard.Events, func(e struct {
				Kind     string
				Position int64
			}) bool {
				return e.Kind == "ask.answered"
			}) {
				t.Errorf("it hears %+v", heard)
			}
			w.readsTheAnswer(token, era, key)
		})
	}
}

// sentAgain is the same call after a lost answer, and another under its key.
func (w *world) sentAgain(token, era string, args map[string]any, first called) {
	w.t.Helper()
	if again := w.callTool(w.t, token, era, "create_work_item", args); string(again.Content) != string(first.Content) {
		w.t.Errorf("sent again it answers %s, at first %s", again.Content, first.Content)
	}
	other := map[string]any{"project": "TALK", "title": "Another", "op_id": args["op_id"]}
	if got := w.callTool(w.t, token, era, "create_work_item", other); !got.isRefused(refusal.Conflict) {
		w.t.Errorf("another item under the key: %s", got.Content)
	}
	var items int
	w.must(w.DB.GetContext(w.t.Context(), &items, `SELECT count(*) FROM items`))
	if items != 1 {
		w.t.Errorf("%d items are there", items)
	}
}

func (w *world) readsTheAnswer(token, era, key string) {
	w.t.Helper()
	type answer struct {
		Body   string
		By     struct{ Name string }
		Choice []struct{ Label string }
	}
	var list struct{ Asks []struct{ Answer answer } }
	w.must(json.Unmarshal(w.callTool(w.t, token, era, "list_asks", map[string]any{"item": key, "state": "answered"}).Content, &list))
	if len(list.Asks) != 1 || w.inFence(list.Asks[0].Answer.Body) != "Go" || list.Asks[0].Answer.By.Name == "" || list.Asks[0].Answer.Choice[0].Label != "Yes" {
		w.t.Errorf("the questions read %+v", list)
	}
	var item struct {
		Asks   []any
		Thread []struct {
			Body string
			Ask  *struct{ Answer answer }
		}
	}
	w.must(json.Unmarshal(w.callTool(w.t, token, era, "get_work_item", map[string]any{"key": key}).Content, &item))
	if len(item.Asks) != 0 || len(item.Thread) != 2 || w.inFence(item.Thread[0].Body) != "Go" || w.inFence(item.Thread[1].Body) != "Shall we?" || w.inFence(item.Thread[1].Ask.Answer.Body) != "Go" {
		w.t.Errorf("the item reads %+v", item)
	}
}

// inFence is a text that a model was handed.
func (w *world) inFence(text string) string {
	w.t.Helper()
	_, _, inner := inFence(w.t, text)
	return inner
}

// What nobody declared is named at every door, and nothing is written.
func TestStrangeArgumentsOfWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.filed()
	before := w.counts()
	args := map[string]map[string]any{
		"create_work_item":     {"project": "TALK", "title": "B", "titel": "x"},
		"update_work_item":     {"key": key, "labels": map[string]any{"ad": []string{"x"}}},
		"comment_on_work_item": {"key": key, "body": "x", "ask": map[string]any{"to": "ann", "decision": map[string]any{"option": []any{}}}},
		"list_work_items":      {"statsu": "todo"},
		"get_work_item":        {"key": key, "commentsbefore": "x"},
	}
	wants := map[string]string{
		"create_work_item": "titel", "update_work_item": "labels.ad", "comment_on_work_item": "ask.decision.option", "list_work_items": "statsu", "get_work_item": "commentsbefore",
	}
	for name, one := range args {
		body, err := json.Marshal(one)
		w.must(err)
		envelopes := map[string]map[string]any{"mcp": w.callTool(t, w.token.Value, mcpOld, name, one).fields}
		if w.tool(name).Writes() {
			envelopes["act"] = w.ask(t, "POST", "/operator/act/"+name, text(`{"args":`+string(body)+`}`), typed(w.token.Value, "Idempotency-Key", tool.NewKey())...).envelope(t)
		} else {
			envelopes["api"] = w.ask(t, "GET", "/api/v1/tools/"+name+"?"+wants[name]+"=x", nil, as(w.token.Value)...).envelope(t)
		}
		for door, no := range envelopes {
			says, _ := no["fields"].(map[string]any)
			if no["error"] != "invalid" || says[wants[name]] == nil {
				t.Errorf("%s by %s: %v", name, door, no)
			}
		}
	}
	bare := w.callTool(t, w.token.Value, mcpOld, "update_work_item", map[string]any{"key": key, "labels": []string{"x"}})
	if says, _ := bare.fields["message"].(string); !bare.isRefused(refusal.Invalid) || !strings.Contains(says, "add") || !strings.Contains(says, "set") {
		t.Errorf("a bare list: %s", bare.Content)
	}
	if left := w.counts().since(before); left.Operations != 0 || left.Changes != 0 {
		t.Errorf("they left %+v", left)
	}
}

// A reader's assistant looks, and changes nothing.
func TestAReadersAssistantWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, token := w.filed(), w.assistantOf(w.someone(), "state:read")
	if got := w.callTool(t, token, mcpOld, "get_work_item", map[string]any{"key": key}); got.Error {
		t.Errorf("it reads %s", got.Content)
	}
	for name, args := range map[string]map[string]any{
		"create_work_item": {"project": "TALK", "title": "B"}, "update_work_item": {"key": key, "status": "done"},
		"comment_on_work_item": {"key": key, "body": "x"}, "answer_ask": {"ask": tool.NewKey(), "body": "x"}, "write_project": {"key": "TALK", "name": "x"},
	} {
		if got := w.callTool(t, token, mcpOld, name, args); !got.isRefused(refusal.Forbidden) || got.fields["reason"] != "no_grant" {
			t.Errorf("%s answers %s", name, got.Content)
		}
	}
	if got := w.callTool(t, token, mcpOld, "restore_edition", map[string]any{"key": key, "edition": 1, "if_match": 1}); !got.isRefused(refusal.Forbidden) {
		t.Errorf("what pages alone do answers %s", got.Content)
	}
}
