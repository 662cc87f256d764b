package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"crewlet/engine/tool"
)

// acting is a program with a token that calls tools over HTTP.
type acting struct {
	*visitor
	token string
}

// acts is such a program, or a person's own browser when v is given.
func (s *site) acts(t *testing.T) acting {
	t.Helper()
	return acting{s.visitor(t), s.token(t, "--grants", "all")}
}

// act calls a tool that has to land, and gives its receipt.
func (a acting) act(name, args string) map[string]any {
	a.t.Helper()
	headers := []string{"Content-Type", "application/json", "Accept", "application/json", "Idempotency-Key", tool.NewKey()}
	if a.token != "" {
		headers = append(headers, "Authorization", "Bearer "+a.token)
	}
	got := a.send(http.MethodPost, "/operator/act/"+name, `{"args":`+args+`}`, headers...)
	var told struct{ Receipt map[string]any }
	if err := json.Unmarshal([]byte(got.body), &told); err != nil || got.status != http.StatusOK {
		a.t.Fatalf("%s %s: %d %v %s", name, args, got.status, err, got.body)
	}
	return told.Receipt
}

// work fills the tracker with what stretches its pages: the longest titles,
// texts that run the other way, threads, questions open and answered.
func (s *site) work(t *testing.T) {
	t.Helper()
	other, ana := s.acts(t), acting{s.visitor(t), ""}
	ana.signIn()
	other.act("create_work_item", fmt.Sprintf(`{"project":"ENG","title":%q,"description":%q,"assignee":"ana.admin","priority":"urgent","type":"bug",
		"due":"-3d","labels":["no blanks in this label"],"labels_create_missing":true,"watchers":["ada"]}`,
		"The bridge hums at night: "+strings.Repeat("and again ", 24), longText))
	for i, title := range []string{
		"לבדוק את הכבלים של הגשר לפני החורף", "夜間点検の結果を町の掲示板に貼り出す", strings.Repeat("AWordWithoutAnEnd", 17), "Order paint 🎨",
	} {
		other.act("create_work_item", fmt.Sprintf(`{"project":"ENG","title":%q,"assignee":%q,"parent":%q}`,
			title, []string{"ana.admin", "chief", "ada", "hanako"}[i], []string{"ENG-1", "ENG-1", "", "ENG-2"}[i]))
	}
	other.act("update_work_item", `{"key":"ENG-1","waiting_on":{"add":["ENG-3"]},"linked":{"add":["ENG-4"]},
		"references":{"add":["https://example.com/`+strings.Repeat("a-path-without-an-end/", 12)+`"]},"collaborators":{"add":["bridge-engineer"]}}`)
	other.act("update_work_item", `{"key":"ENG-1","assignee":"ada","reason":"She knows the bearings, and she is awake at that hour anyway."}`)
	other.act("update_work_item", `{"key":"ENG-1","assignee":"ana.admin","status":"in_progress"}`)
	other.act("update_work_item", fmt.Sprintf(`{"key":"ENG-1","base_version":4,"description":%q}`, "Once more:\n\n"+strings.Replace(longText, "a hum", "a low hum", 1)))
	other.act("comment_on_work_item", fmt.Sprintf(`{"key":"ENG-1","body":%q}`, "@ana.admin, @ada: it is the bearings. "+longText))
	ana.act("comment_on_work_item", `{"key":"ENG-1","body":"שומעים את זה עד הכיכר"}`)
	two := `"decision":{"free":true,"options":[{"label":"Close it tonight","consequence":"Two towns sleep, and nobody gets across before six"},{"label":"Leave it open"}]}`
	for range 2 {
		other.act("comment_on_work_item", `{"key":"ENG-1","body":"Shall we close it?","ask":{"to":"ana.admin","due":"+7d",`+two+`}}`)
	}
	other.act("comment_on_work_item", `{"key":"ENG-2","body":"Which cables?","ask":{"to":"ana.admin"}}`)
	asked := ana.act("comment_on_work_item", `{"key":"ENG-1","body":"Who is on the night shift?","ask":{"to":"ada"}}`)
	other.act("answer_ask", fmt.Sprintf(`{"ask":%q,"body":"山田花子."}`, asked["ask"].(map[string]any)["id"]))
}

const longText = "## What is heard\n\n- a hum, **always** the same\n- `" +
	"a/line/of/code/that/never/ends/and/holds/no/blank/a/line/of/code/that/never/ends/and/holds/no/blank" +
	"`\n\n| when | how loud |\n|---|---|\n| at night | as loud as a ferry that is late, and has people waiting on both shores |\n\n> Somebody said it is the wind.\n\n" +
	"1. look\n2. listen\n\n```\nGET /hum HTTP/1.1 and a header line that is much longer than any page is wide, so that it has to scroll by itself\n```\n"
