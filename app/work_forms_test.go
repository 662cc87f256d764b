package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

const workCompany = `name: Acme
units:
  - id: eng
    name: Engineering
    project: ENG
    lead: lead
    roles:
      - {name: Tech lead, handle: lead}
      - {name: Builder, handle: builder}
`

// workshop is a node with a project in it, and the first administrator.
func workshop(t *testing.T) (*site, *visitor, acting) {
	t.Helper()
	s := serving(t)
	ana := s.administrator(t, "Ana Admin")
	s.must(t, workCompany, "company", "import", "-")
	return s, ana, acting{s.visitor(t), s.token(t, "--grants", "all")}
}

// wrongly is a form filled in badly, and what it has to say.
type wrongly struct {
	page, action, holds string // the form, and a field it has
	fill                url.Values
	blames              string // ids of fields
	status              int
}

const onENG1 = "/work/items/ENG-1"

func wrongForms() map[string]wrongly {
	fact := func(name, value string) wrongly {
		return wrongly{onENG1, onENG1, name, url.Values{name: {value}}, name, 422}
	}
	link := func(name, value string) wrongly {
		w := fact(name+".add", value)
		w.blames = "add-" + strings.TrimSuffix(name, "s")
		return w
	}
	lines := "two\nlines"
	return map[string]wrongly{
		"no title":             {"/work/new", "/work/new", "", url.Values{"title": {""}, "description": {"Kept"}, "due": {"tomorrow"}, "type": {"bug"}}, "title", 422},
		"all of it":            {"/work/new", "/work/new", "", url.Values{"title": {"x"}, "project": {"NOPE"}}, "project", 422},
		"an unknown assignee":  {"/work/new", "/work/new", "", url.Values{"title": {"x"}, "assignee": {"nemo"}}, "assignee", 422},
		"a day that is none":   {"/work/new", "/work/new", "", url.Values{"title": {"x"}, "due": {"someday"}, "assignee": {"lead"}}, "due", 422},
		"no such parent":       {"/work/new", "/work/new", "", url.Values{"title": {"x"}, "parent": {"ENG-99"}}, "parent", 422},
		"a long title":         {"/work/new", "/work/new", "", url.Values{"title": {strings.Repeat("x", 301)}}, "title", 422},
		"an emptied title":     {onENG1, onENG1, "title", url.Values{"title": {" "}}, "title", 422},
		"a long description":   {onENG1, onENG1, "description", url.Values{"description": {strings.Repeat("x", 128<<10+1)}}, "description", 422},
		"a status":             fact("status", "nearly"),
		"a priority":           fact("priority", "very"),
		"an assignee":          fact("assignee", "nemo"),
		"a due day":            fact("due", "someday"),
		"a start":              fact("start", "2031-02-30"),
		"minutes":              fact("estimate_minutes", "soon"),
		"points":               fact("points", "many"),
		"a parent":             fact("parent", "ENG-1"),
		"waiting on itself":    link("waiting_on", "ENG-1"),
		"linked with nothing":  link("linked", "ENG-99"),
		"an address":           link("references", "javascript:alert(1)"),
		"an empty comment":     {onENG1, onENG1 + "/comments", "body", url.Values{"body": {" "}}, "comment-body", 422},
		"a long comment":       {onENG1, onENG1 + "/comments", "body", url.Values{"body": {strings.Repeat("é", 16<<10+1)}}, "comment-body", 422},
		"nobody asked":         {onENG1, onENG1 + "/asks", "body", url.Values{"body": {"Well?"}, "_options": {lines}}, "ask-to", 422},
		"somebody unknown":     {onENG1, onENG1 + "/asks", "body", url.Values{"body": {"Well?"}, "ask.to": {"nemo"}, "_options": {lines}}, "ask-to", 422},
		"one option":           {onENG1, onENG1 + "/asks", "body", url.Values{"body": {"Well?"}, "ask.to": {"lead"}, "_options": {"one"}}, "ask-options", 422},
		"a long option":        {onENG1, onENG1 + "/asks", "body", url.Values{"body": {"Well?"}, "ask.to": {"lead"}, "_options": {"a\n" + strings.Repeat("x", 121)}}, "ask-options", 422},
		"several of nothing":   {onENG1, onENG1 + "/asks", "body", url.Values{"body": {"Well?"}, "ask.to": {"lead"}, "ask.decision.multi": {"true"}}, "ask-options", 422},
		"a day to answer by":   {onENG1, onENG1 + "/asks", "body", url.Values{"body": {"Well?"}, "ask.to": {"lead"}, "ask.due": {"someday"}}, "ask-due", 422},
		"a question unwritten": {onENG1, onENG1 + "/asks", "body", url.Values{"ask.to": {"lead"}}, "ask-body", 422},
	}
}

// Whatever is wrong with a form, it comes back as it was typed, with a sentence
// beside the field; nothing is written; and put right it lands under its key.
func TestAFormOfWorkComesBackAsTyped(t *testing.T) {
	s, ana, api := workshop(t)
	api.act("create_work_item", `{"project":"ENG","title":"One","description":"As it was"}`)
	for name, w := range wrongForms() {
		t.Run(name, func(t *testing.T) {
			v := &visitor{t: t, base: ana.base, http: ana.http}
			form := v.get(w.page).form(t, w.action, w.holds)
			for field, sent := range w.fill {
				form[field] = sent
			}
			before := s.number(t, `SELECT count(*) FROM changes`)
			a := v.post(w.action, form)
			if a.status != w.status || a.blamed() != w.blames {
				t.Fatalf("answered %d blaming %q, want %d and %q", a.status, a.blamed(), w.status, w.blames)
			}
			back := a.form(t, w.action, w.holds)
			for field, sent := range w.fill {
				if got := strings.TrimPrefix(back.Get(field), "\n"); got != sent[0] && !chosenFromList(field) {
					t.Errorf("%s comes back as %.80q, want %.80q", field, got, sent[0])
				}
			}
			if s.number(t, `SELECT count(*) FROM changes`) != before {
				t.Error("something was written")
			}
		})
	}
}

// chosenFromList are fields whose wrong values no list has.
func chosenFromList(field string) bool {
	return field == "status" || field == "priority" || field == "project"
}

// A key that landed is used up: the form comes back with another one and says so.
func TestALandedFormOfWorkSaysSo(t *testing.T) {
	_, ana, api := workshop(t)
	api.act("create_work_item", `{"project":"ENG","title":"One","description":"As it was"}`)
	for name, w := range map[string]struct {
		page, action, holds, field string
		sent                       [2]string
	}{
		"an item":       {"/work/new", "/work/new", "", "title", [2]string{"Two", "Three"}},
		"a title":       {onENG1, onENG1, "title", "title", [2]string{"Uno", "Due"}},
		"a description": {onENG1, onENG1, "description", "description", [2]string{"now", "then"}},
		"a fact":        {onENG1, onENG1, "due", "due", [2]string{"tomorrow", "+9d"}},
		"a comment":     {onENG1, onENG1 + "/comments", "body", "body", [2]string{"Hello", "Good-bye"}},
	} {
		t.Run(name, func(t *testing.T) {
			v := &visitor{t: t, base: ana.base, http: ana.http}
			form := v.get(w.page).form(t, w.action, w.holds)
			form.Set(w.field, w.sent[0])
			first := v.post(w.action, form)
			v.landed(first)
			if again := v.post(w.action, form); again.header.Get("Location") != first.header.Get("Location") {
				t.Errorf("sent again it leads to %q, first to %q", again.header.Get("Location"), first.header.Get("Location"))
			}
			form.Set(w.field, w.sent[1])
			other := v.post(w.action, form)
			back := other.form(t, w.action, w.holds)
			if other.status != http.StatusConflict || !strings.Contains(other.body, "was already sent with other text") {
				t.Errorf("other words answer %d without saying so", other.status)
			}
			if got := strings.TrimPrefix(back.Get(w.field), "\n"); got != w.sent[1] || back.Get("_key") == form.Get("_key") {
				t.Errorf("it comes back with %q and the same key: %t", got, back.Get("_key") == form.Get("_key"))
			}
			if w.field == "description" { // and what is saved now, to be written over
				return
			}
			v.landed(v.post(w.action, back))
		})
	}
}

func TestADescriptionSavedMeanwhile(t *testing.T) {
	_, ana, api := workshop(t)
	api.act("create_work_item", `{"project":"ENG","title":"One","description":"As it was"}`)
	form := ana.get(onENG1).form(t, onENG1, "description")
	api.act("update_work_item", `{"key":"ENG-1","description":"As somebody else has it","base_version":1}`)
	form.Set("description", "As Ana has it")
	a := ana.post(onENG1, form)
	back := a.form(t, onENG1, "description")
	if a.status != http.StatusConflict || strings.TrimPrefix(back.Get("description"), "\n") != "As Ana has it" ||
		!strings.Contains(a.body, "As somebody else has it") || !strings.Contains(a.body, "saved another description") {
		t.Errorf("answered %d with %q: %s", a.status, back.Get("description"), a.body)
	}
	ana.landed(ana.post(onENG1, back))
	if now := ana.get(onENG1).form(t, onENG1, "description").Get("description"); strings.TrimPrefix(now, "\n") != "As Ana has it" {
		t.Errorf("saved is %q", now)
	}
}
