package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"crewlet/engine/enginetest"
	"crewlet/engine/tool"
)

// asked files ENG-1 with two questions to Ana, and gives their ids.
func (a acting) asked() (choice, words string) {
	a.t.Helper()
	a.act("create_work_item", `{"project":"ENG","title":"One"}`)
	id := func(args string) string {
		return a.act("comment_on_work_item", args)["ask"].(map[string]any)["id"].(string)
	}
	return id(`{"key":"ENG-1","body":"Ship it?","ask":{"to":"ana.admin","decision":{"options":[{"label":"Yes"},{"label":"No"}]}}}`),
		id(`{"key":"ENG-1","body":"When?","ask":{"to":"ana.admin"}}`)
}

func TestAQuestionIsAnsweredOnce(t *testing.T) {
	s, ana, api := workshop(t)
	choice, when := api.asked()
	for _, from := range []string{"/inbox", onENG1} {
		action := from + "/asks/" + choice
		if a := ana.post(action, ana.get(from).form(t, action, "body")); a.status != http.StatusUnprocessableEntity || !strings.Contains(a.blamed(), "choice-"+choice) {
			t.Errorf("%s, nothing chosen: %d blaming %q", from, a.status, a.blamed())
		}
		form := ana.get(from).form(t, action, "body")
		form.Set("choice", "9")
		form.Set("body", "Because")
		a := ana.post(action, form)
		if back := a.form(t, action, "body"); a.status != http.StatusUnprocessableEntity || strings.TrimPrefix(back.Get("body"), "\n") != "Because" {
			t.Errorf("%s, an option there is not: %d with %q", from, a.status, back.Get("body"))
		}
	}
	late := map[string]url.Values{}
	for _, from := range []string{"/inbox", onENG1} {
		late[from] = ana.get(from).form(t, from+"/asks/"+when, "body")
		late[from].Set("body", "My own words, "+from)
	}
	form := ana.get("/inbox").form(t, "/inbox/asks/"+when, "body")
	form.Set("body", "On Monday")
	ana.landed(ana.post("/inbox/asks/"+when, form))
	ana.landed(ana.post("/inbox/asks/"+when, form))
	for from, form := range late {
		a := ana.post(from+"/asks/"+when, form)
		if a.status != http.StatusConflict || !strings.Contains(a.body, "On Monday") || !strings.Contains(a.body, "My own words, "+from) || !strings.Contains(a.body, "data-form-says") {
			t.Errorf("%s, answered already: %d\n%s", from, a.status, a.body)
		}
	}
	if n := s.number(t, `SELECT count(*) FROM comments`); n != 3 {
		t.Errorf("two questions and an answer are %d comments", n)
	}
}

func TestMarkingTheInbox(t *testing.T) {
	s, ana, api := workshop(t)
	api.asked()
	unread := func() int {
		return s.number(t, `SELECT count(*) FROM notices WHERE read_at IS NULL AND party LIKE 'person:%'`)
	}
	before := unread()
	form := ana.get("/inbox").form(t, "/inbox", "entries")
	form.Set("as", "read")
	ana.landed(ana.post("/inbox", form))
	if got := unread(); got != before-1 {
		t.Errorf("%d are unread, want %d", got, before-1)
	}
	form.Set("as", "unread") // after going back
	if a := ana.post("/inbox", form); a.status != http.StatusConflict || !strings.Contains(a.body, "already sent") {
		t.Errorf("the same form with another press: %d", a.status)
	}
	form.Set("_key", tool.NewKey())
	form.Set("as", "snoozed")
	form.Set("until", "someday")
	if a := ana.post("/inbox", form); a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body, "data-form-says") {
		t.Errorf("until someday: %d", a.status)
	}
	ana.landed(ana.post("/inbox", ana.get("/inbox").form(t, "/inbox", "all")))
	if got := unread(); got != 0 {
		t.Errorf("%d are unread after all", got)
	}
}

// Somebody who may only read is shown everything, and no form they could not send.
func TestAReaderOfWork(t *testing.T) {
	s, ana, api := workshop(t)
	choice, _ := api.asked()
	form := ana.get(onENG1).form(t, onENG1+"/comments", "body")
	form.Set("body", "Mine")
	ana.landed(ana.post(onENG1+"/comments", form))
	s.write(t, enginetest.Regrant, "{state:read}")
	for _, page := range []string{"/inbox", "/work", "/work/mine", "/work/projects/ENG", onENG1} {
		a := ana.get(page)
		if a.status != http.StatusOK || strings.Contains(a.body, `"/work/new`) || strings.Contains(a.body, `action="/work/items/`) && strings.Contains(a.body, `type="submit" class="button is-primary"`) {
			t.Errorf("%s: %d with a form or a way to file", page, a.status)
		}
	}
	a := ana.get(onENG1)
	for _, none := range []string{`/comments"`, `/asks"`, `/asks/` + choice + `"`, `edit-title`, `/remove"`, `name="watchers`, `name="status`, `data-fact`} {
		if strings.Contains(a.body, none) {
			t.Errorf("the item's page holds %s", none)
		}
	}
	for _, some := range []string{"Ship it?", "Yes", "Mine", "<dt>Status</dt>", "Todo"} {
		if !strings.Contains(a.body, some) {
			t.Errorf("the item's page lacks %s", some)
		}
	}
	if a := ana.get("/work/new"); a.status != http.StatusForbidden {
		t.Errorf("GET /work/new: %d", a.status)
	}
	if a := ana.post(onENG1+"/comments", form); a.status != http.StatusForbidden {
		t.Errorf("a comment: %d", a.status)
	}
}
