package tracker_test

import (
	"testing"
	"time"

	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

func TestActivityIsFilteredAndPaged(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	one := h.item(tracker.CreateItem{Title: "A"}).Key
	h.Clock.Move(48 * time.Hour)
	two := do(h, h.Tracker.CreateItem, h.seat("writer"), tracker.CreateItem{Title: "B"}).Key // in MKT
	do(h, h.Tracker.UpdateItem, h.human("reviewer"), tracker.UpdateItem{Key: one, Status: "in_progress"})
	h.ask(h.seat("writer"), one, tracker.Ask{To: "platform"})
	for name, c := range map[string]struct {
		in   tracker.TaskActivity
		want []string // kind and key, the newest first; changes of projects left out
	}{
		"everything":        {tracker.TaskActivity{}, []string{"ask.opened " + one, "comment.added " + one, "item.updated " + one, "item.created " + two, "item.created " + one}},
		"one item":          {tracker.TaskActivity{Item: "eng-1", Kind: "item"}, []string{"item.updated " + one, "item.created " + one}},
		"one project":       {tracker.TaskActivity{Project: "mkt"}, []string{"item.created " + two}},
		"one kind":          {tracker.TaskActivity{Kind: "comment.added"}, []string{"comment.added " + one}},
		"by one":            {tracker.TaskActivity{Author: "Writer", Kind: "item"}, []string{"item.created " + two}},
		"by me":             {tracker.TaskActivity{Author: "me"}, []string{"item.updated " + one}},
		"by a kind":         {tracker.TaskActivity{AuthorKind: "human"}, []string{"item.updated " + one}},
		"by operators":      {tracker.TaskActivity{AuthorKind: "operator", Kind: "item"}, []string{"item.created " + one}},
		"since":             {tracker.TaskActivity{Since: "today", Kind: "item"}, []string{"item.updated " + one, "item.created " + two}},
		"until":             {tracker.TaskActivity{Until: "2026-01-02", Kind: "item"}, []string{"item.created " + one}},
		"nothing like that": {tracker.TaskActivity{Kind: "item.creat"}, nil},
		"a page":            {tracker.TaskActivity{Item: one, Limit: 1}, []string{"ask.opened " + one}},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := tool.Do(t.Context(), h.Run, h.Tracker.TaskActivity, h.human("reviewer"), c.in)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, e := range out.Events {
				if e.Item != "" {
					got = append(got, e.Kind+" "+e.Item)
				}
			}
			same(t, "events", got, c.want...)
		})
	}
	var seen []string
	in := tracker.TaskActivity{Item: one, Limit: 2}
	for {
		page := do(h, h.Tracker.TaskActivity, enginetest.By("ana"), in)
		for _, e := range page.Events {
			seen = append(seen, e.Kind)
		}
		if in.Cursor = page.Next; in.Cursor == "" {
			break
		}
		h.say(h.seat("writer"), one, "meanwhile")
	}
	same(t, "seen", seen, "ask.opened", "comment.added", "item.updated", "item.created")
	for field, in := range map[string]tracker.TaskActivity{
		"item": {Item: "ENG-99"}, "project": {Project: "NO"}, "author": {Author: "nemo"}, "since": {Since: "once"}, "until": {Until: "never"}, "cursor": {Cursor: "x"},
	} {
		if no := refused(h, h.Tracker.TaskActivity, enginetest.By("ana"), in, refusal.Invalid); no.Fields[field] == "" {
			t.Errorf("%s: refused %+v", field, no)
		}
	}
	refused(h, h.Tracker.TaskActivity, enginetest.By("ana"), tracker.TaskActivity{Item: one, Project: "ENG"}, refusal.Invalid)
}

func TestActivityComesWithWhatIsAroundIt(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "Before"}).Key
	do(h, h.Tracker.UpdateItem, h.human("reviewer"), tracker.UpdateItem{Key: key, Title: new("After")})
	described := tracker.TaskActivity{Project: "eng", Describe: true}
	for name, kind := range map[string]string{"with changes": "", "without any": "comment"} {
		in := described
		in.Kind = kind
		out := do(h, h.Tracker.TaskActivity, enginetest.By("ana"), in)
		if p := out.Around.Project; p == nil || p.Key != "ENG" || p.Open != 1 || p.Lead == nil {
			t.Errorf("%s: the project is %+v", name, p)
		}
		if (len(out.Events) > 0) != (kind == "") || len(out.Around.Everybody) == 0 {
			t.Errorf("%s: %+v", name, out)
		}
		same(t, name+", projects", out.Around.Projects, "ENG", "MKT")
	}
	for _, e := range do(h, h.Tracker.TaskActivity, enginetest.By("ana"), tracker.TaskActivity{Kind: "item"}).Events {
		if e.Title != "After" {
			t.Errorf("%s %s is called %q", e.Kind, e.Item, e.Title)
		}
	}
	former := h.human("reviewer") // of the name the directory has, but nobody in it
	former.By.Name = "Reviewer"
	do(h, h.Tracker.UpdateItem, former, tracker.UpdateItem{Key: key, Status: "done"})
	if by := do(h, h.Tracker.TaskActivity, enginetest.By("ana"), tracker.TaskActivity{Author: "reviewer"}).Events; len(by) != 1 || by[0].Author.Name != "Reviewer" {
		t.Errorf("by whom the seat had: %+v", by)
	}
	described.Project, described.Kind = "NO", "comment"
	if no := refused(h, h.Tracker.TaskActivity, enginetest.By("ana"), described, refusal.Invalid); no.Fields["project"] == "" {
		t.Errorf("refused %+v", no)
	}
}

func TestRoutingSaysWhomAChangeReached(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := do(h, h.Tracker.CreateItem, h.human("reviewer"), tracker.CreateItem{Project: "ENG", Title: "A", Assignee: "platform"}).Key
	h.ask(h.seat("writer"), key, tracker.Ask{To: "backend-dev"})
	h.say(h.seat("platform"), key, "@reviewer")
	reached := func(r tracker.Routed) []string {
		list := []string{}
		for _, one := range r.Reached {
			list = append(list, one.Reason+" "+one.Who.Handle)
		}
		return list
	}
	out := do(h, h.Tracker.WorkRouting, enginetest.By("ana"), tracker.WorkRouting{Key: key, Limit: 2})
	if len(out.Changes) != 2 || out.Next == "" {
		t.Fatalf("routing %+v", out)
	}
	said, asked := out.Changes[0], out.Changes[1]
	if said.Position < asked.Position {
		said, asked = asked, said // at one instant the order is by operation
	}
	same(t, "said", reached(said), "mention reviewer", "watcher writer", "lead tech-lead")
	same(t, "asked", asked.Kinds, "comment.added", "ask.opened")
	same(t, "asked of", reached(asked), "asked backend-dev", "assignee platform", "reporter reviewer", "lead tech-lead")
	rest := do(h, h.Tracker.WorkRouting, enginetest.By("ana"), tracker.WorkRouting{Key: key, Cursor: out.Next})
	if len(rest.Changes) != 1 || rest.Next != "" {
		t.Errorf("the rest %+v", rest)
	}
	refused(h, h.Tracker.WorkRouting, enginetest.By("ana"), tracker.WorkRouting{Key: "ENG-99"}, refusal.NotFound)
}

func TestSavesOfADescriptionAreReadAndRestored(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A", Description: "one\ntwo\n"}).Key
	text := "one\nthree\n"
	do(h, h.Tracker.UpdateItem, h.seat("writer"), tracker.UpdateItem{Key: key, Description: &text, BaseVersion: 1})
	list := do(h, h.Tracker.ListEditions, enginetest.By("ana"), tracker.ListEditions{Key: key}).Editions
	if len(list) != 2 || !list[0].Current || list[0].Author.Handle != "writer" || list[1].Current || list[1].Bytes != 8 {
		t.Fatalf("saves %+v", list)
	}
	read := do(h, h.Tracker.GetEdition, enginetest.By("ana"), tracker.GetEdition{Key: key, Edition: list[0].Edition})
	if read.Text != text || read.Against != list[1].Edition || read.Newest != read.Edition.Edition || len(read.Lines) != 3 || read.Lines[1].Text != "two" || read.Lines[2].Text != "three" {
		t.Errorf("read %+v", read)
	}
	first := do(h, h.Tracker.GetEdition, enginetest.By("ana"), tracker.GetEdition{Key: key, Edition: list[1].Edition})
	if first.Against != 0 || len(first.Lines) != 2 {
		t.Errorf("the first %+v", first)
	}
	refused(h, h.Tracker.RestoreEdition, enginetest.By("ana"), tracker.RestoreEdition{Key: key, Edition: list[1].Edition, IfMatch: 1}, refusal.Stale)
	restored := do(h, h.Tracker.RestoreEdition, enginetest.By("ana"), tracker.RestoreEdition{Key: key, Edition: list[1].Edition, IfMatch: read.Version})
	now := h.read(key)
	if now.Editions != 3 {
		t.Errorf("%d saves are counted", now.Editions)
	}
	if now.Description != "one\ntwo\n" || restored.Version != read.Version+1 {
		t.Errorf("restored %+v, it says %q", restored, now.Description)
	}
	if n := len(do(h, h.Tracker.ListEditions, enginetest.By("ana"), tracker.ListEditions{Key: key}).Editions); n != 3 {
		t.Errorf("%d saves", n)
	}
	refused(h, h.Tracker.GetEdition, enginetest.By("ana"), tracker.GetEdition{Key: key, Edition: 99}, refusal.NotFound)
	refused(h, h.Tracker.GetEdition, enginetest.By("ana"), tracker.GetEdition{Key: key, Edition: list[0].Edition, Against: 99}, refusal.Invalid)
}
