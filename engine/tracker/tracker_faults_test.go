package tracker_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/enginetest"
	"crewlet/engine/history"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

// rows are all a write of the tracker may leave.
const rows = `
	SELECT (SELECT count(*) FROM items) + (SELECT coalesce(sum(version), 0) FROM items) + (SELECT count(*) FROM item_editions)
		+ (SELECT count(*) FROM item_parties) + (SELECT count(*) FROM item_links) + (SELECT count(*) FROM tags) + (SELECT count(*) FROM notices)
		+ (SELECT count(*) FROM comments) + (SELECT count(*) FROM asks) + (SELECT count(*) FROM changes) + (SELECT sum(next_no) FROM projects)`

func TestOneKeyAtOnceLandsOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	in := tracker.CreateItem{Project: "ENG", Title: "once", Ask: &tracker.Ask{To: "writer", Body: "Shall we?"}}
	key, by := tool.NewKey(), enginetest.By("ana").By
	var all sync.WaitGroup
	var told [8]string
	var first [8]bool
	for i := range told {
		all.Go(func() {
			c := &tool.Call{By: by, Key: key, Door: "page"}
			out, err := tool.Do(t.Context(), h.Run, h.Tracker.CreateItem, c, in)
			if err != nil {
				t.Error(err)
				return
			}
			told[i], first[i] = out.Key+" "+out.Ask.ID, !c.Landed.Repeated
		})
	}
	all.Wait()
	landed := 0
	for i := range told {
		if told[i] != told[0] {
			t.Errorf("one is told %q, another %q", told[0], told[i])
		}
		if first[i] {
			landed++
		}
	}
	if items, asks := h.count(`SELECT count(*) FROM items`), h.count(`SELECT count(*) FROM asks`); landed != 1 || items != 1 || asks != 1 {
		t.Errorf("%d landed: %d items, %d questions", landed, items, asks)
	}
}

func TestAKeyIsOneCallersOneCall(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := tool.NewKey()
	under := func(name string) *tool.Call {
		c := enginetest.By(name)
		c.Key = key
		return c
	}
	made := do(h, h.Tracker.CreateItem, under("ana"), tracker.CreateItem{Project: "ENG", Title: "A"})
	before := h.count(rows)
	refused(h, h.Tracker.CreateItem, under("ana"), tracker.CreateItem{Project: "ENG", Title: "B"}, refusal.Conflict)
	refused(h, h.Tracker.CommentOnItem, under("ana"), tracker.CommentOnItem{Key: made.Key, Body: "A"}, refusal.Conflict)
	if after := h.count(rows); after != before {
		t.Errorf("what was refused left %d rows", after-before)
	}
	if again := do(h, h.Tracker.CreateItem, under("ana"), tracker.CreateItem{Project: "ENG", Title: "A"}); again.Key != made.Key {
		t.Errorf("the same call answers %s, then %s", made.Key, again.Key)
	}
	if other := do(h, h.Tracker.CreateItem, under("bo"), tracker.CreateItem{Project: "ENG", Title: "C"}); other.Key == made.Key {
		t.Errorf("somebody else's call under the key answers %s", other.Key)
	}
}

// A call that is wrong in its last part leaves nothing of its first.
func TestARefusedCallLeavesNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	other := h.item(tracker.CreateItem{Title: "other"}).Key
	key := h.item(tracker.CreateItem{Title: "A", Description: "one"}).Key
	do(h, h.Tracker.UpdateItem, enginetest.By("bo"), tracker.UpdateItem{Key: key, Priority: "high"})
	whole := func(change func(*tracker.UpdateItem)) tracker.UpdateItem {
		in := tracker.UpdateItem{
			Key: key, IfMatch: 2, Title: text("B"), Description: text("two"), Status: "done", Assignee: tool.Some("writer"), CreateLabels: true,
			Labels: &tracker.Sets{Add: []string{"fresh"}}, Watchers: &tracker.Sets{Add: []string{"platform"}}, WaitingOn: &tracker.Sets{Add: []string{other}},
		}
		change(&in)
		return in
	}
	before := h.count(rows)
	for name, c := range map[string]struct {
		change func(*tracker.UpdateItem)
		class  refusal.Class
	}{
		"stale":             {func(in *tracker.UpdateItem) { in.IfMatch = 1 }, refusal.Stale},
		"nobody watches":    {func(in *tracker.UpdateItem) { in.Watchers.Add = []string{"nemo"} }, refusal.Invalid},
		"waits for nothing": {func(in *tracker.UpdateItem) { in.WaitingOn.Add = []string{"ENG-999"} }, refusal.Invalid},
		"waits for itself":  {func(in *tracker.UpdateItem) { in.WaitingOn.Add = []string{key} }, refusal.Invalid},
		"no such label":     {func(in *tracker.UpdateItem) { in.CreateLabels = false }, refusal.Invalid},
	} {
		refused(h, h.Tracker.UpdateItem, enginetest.By("ana"), whole(c.change), c.class)
		if after := h.count(rows); after != before {
			t.Errorf("%s: it left %d rows", name, after-before)
		}
	}
	refused(h, h.Tracker.CreateItem, enginetest.By("ana"),
		tracker.CreateItem{Project: "ENG", Title: "C", Labels: []string{"new"}, CreateLabels: true, Ask: &tracker.Ask{To: "nemo", Body: "?"}}, refusal.Invalid)
	if after := h.count(rows); after != before {
		t.Errorf("an item with a question to nobody left %d rows", after-before)
	}
	if out := do(h, h.Tracker.UpdateItem, enginetest.By("ana"), whole(func(*tracker.UpdateItem) {})); out.Title != "B" || out.Status != "done" {
		t.Errorf("the whole change makes %+v", out)
	}
}

func TestTextsOverTheirLimitSayByHowMuch(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	before := h.count(rows)
	long := strings.Repeat("é", 100<<10) // 200 KiB
	for field, no := range map[string]*refusal.Refusal{
		"description": refused(h, h.Tracker.CreateItem, enginetest.By("ana"), tracker.CreateItem{Project: "ENG", Title: "B", Description: long}, refusal.Invalid),
		"body":        refused(h, h.Tracker.CommentOnItem, enginetest.By("ana"), tracker.CommentOnItem{Key: key, Body: long}, refusal.Invalid),
	} {
		if !strings.Contains(no.Fields[field], "102400 characters") || !strings.Contains(no.Fields[field], "bytes too long") {
			t.Errorf("%s: it says %v", field, no.Fields)
		}
	}
	refused(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: key, IfMatch: 1, Description: &long}, refusal.Invalid)
	if after := h.count(rows); after != before {
		t.Errorf("they left %d rows", after-before)
	}
	if most := long[:128<<10]; do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: key, IfMatch: 1, Description: &most}).Version != 2 {
		t.Error("a description as long as it may be is not saved")
	}
}

func TestOnlyProseSpeaksToAnybody(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	it := h.item(tracker.CreateItem{Title: "A", Description: "`@writer`, me@writer.example, https://x.example/@writer\n\n    @writer\n"})
	h.say(enginetest.By("ana"), it.Key, "```\n@writer\n```\nand \\@writer")
	same(t, "what is not prose", h.inbox(h.seat("writer")))
	do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: it.Key, IfMatch: 1, Description: text("For @writer, please.")})
	same(t, "a description", h.inbox(h.seat("writer")), "mention item.updated "+it.Key)
	do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: it.Key, IfMatch: 2, Description: text("For @writer and @tech-lead.")})
	same(t, "named before, and watching since", h.inbox(h.seat("writer")), "watcher item.updated "+it.Key, "mention item.updated "+it.Key)
	same(t, "named since", h.inbox(h.seat("tech-lead"))[:1], "mention item.updated "+it.Key)
}

// What is never a seat's, and what is only its own.
func TestWhatSeatsMayNot(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A", Description: "one"}).Key
	said := h.say(enginetest.By("ana"), key, "Hello").Comment.ID
	asked := h.ask(enginetest.By("ana"), key, tracker.Ask{To: "backend-dev"}).ID
	name := "Other"
	before := h.count(rows)
	for what, c := range map[string]struct {
		err    error
		reason string
	}{
		"reading all questions":      {try(h, h.Tracker.ListAsks, tracker.ListAsks{}), "seat_refused"},
		"the operators' answer":      {try(h, h.Tracker.AnswerAsk, tracker.AnswerAsk{Ask: asked, Body: "Yes"}), "seat_refused"},
		"who was told":               {try(h, h.Tracker.WorkRouting, tracker.WorkRouting{Key: key}), "seat_refused"},
		"restoring a description":    {try(h, h.Tracker.RestoreEdition, tracker.RestoreEdition{Key: key, Edition: 1, IfMatch: 1}), "seat_refused"},
		"ordering a colleague":       {try(h, h.Tracker.SetPriorities, tracker.SetPriorities{Whose: "writer", Items: []string{key}}), "not_lead"},
		"renaming a project":         {try(h, h.Tracker.WriteProject, tracker.WriteProject{Key: "ENG", Name: &name}), "not_lead"},
		"choosing who hears":         {try(h, h.Tracker.UpdateItem, tracker.UpdateItem{Key: key, RoutingUnit: text("mkt")}), "not_lead"},
		"editing another's words":    {try(h, h.Tracker.EditComment, tracker.EditComment{Comment: said, Body: "x"}), "not_author"},
		"removing another's words":   {try(h, h.Tracker.RemoveComment, tracker.RemoveComment{Comment: said}), "not_author"},
		"withdrawing another's":      {try(h, h.Tracker.WithdrawAsk, tracker.WithdrawAsk{Ask: asked}), "not_author"},
		"declaring projects":         {try(h, h.Tracker.DeclareProjects, tracker.DeclareProjects{}), "no_scope"},
		"answering what others were": {try(h, h.Tracker.CommentOnItem, tracker.CommentOnItem{Key: key, Body: "x", Answers: h.ask(enginetest.By("ana"), h.item(tracker.CreateItem{Title: "B"}).Key, tracker.Ask{To: "writer"}).ID}), ""},
	} {
		no := refusal.Of(c.err)
		if no == nil || c.reason != "" && (no.Class != refusal.Forbidden || no.Details["reason"] != c.reason) {
			t.Errorf("%s: %v %v", what, c.err, no)
		}
	}
	if h.count(`SELECT count(*) FROM changes WHERE recorded_as = 'agent'`) != 0 || before == 0 {
		t.Error("what was refused is in the log")
	}
	do(h, h.Tracker.UpdateItem, h.seat("tech-lead"), tracker.UpdateItem{Key: key, RoutingUnit: text("mkt")})
	do(h, h.Tracker.WriteProject, h.seat("backend-dev"), tracker.WriteProject{Key: "ENG", Declare: []string{"mine"}})
	do(h, h.Tracker.CommentOnItem, h.seat("backend-dev"), tracker.CommentOnItem{Key: key, Body: "Yes"})
}

// try is an agent's call.
func try[In, Out any](h *house, u tool.Use[In, Out], in In) error {
	h.t.Helper()
	_, err := tool.Do(h.t.Context(), h.Run, u, h.seat("backend-dev"), in)
	return err
}

// Whoever holds a seat is one with it: neither hears of what the other wrote.
func TestASeatAndItsPersonAreOne(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	person, seat := h.human("reviewer"), h.seat("reviewer")
	key := do(h, h.Tracker.CreateItem, person, tracker.CreateItem{Project: "ENG", Title: "A", Assignee: "me", Description: "@reviewer", Watchers: []string{"reviewer"}}).Key
	h.say(h.human("reviewer"), key, "@reviewer, remember")
	do(h, h.Tracker.UpdateItem, h.human("reviewer"), tracker.UpdateItem{Key: key, Status: "done"})
	same(t, "the person", h.inbox(h.human("reviewer")))
	same(t, "the seat", h.inbox(seat))
	if person.By.Party() != access.SeatParty(h.seats["reviewer"]) {
		t.Error("they are two")
	}
	h.say(h.seat("writer"), key, "Well done")
	same(t, "another's word", h.inbox(h.human("reviewer")), "assignee comment.added "+key)
}

// Somebody whose queue was ordered by another hears of it; a colleague does not.
func TestWhoHearsThatAQueueWasOrdered(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	from := int64(0)
	do(h, h.Tracker.SetPriorities, enginetest.By("ana"), tracker.SetPriorities{Whose: "reviewer", Items: []string{key}})
	for who, c := range map[string]struct {
		by    *tool.Call
		hears bool
	}{"its owner": {h.human("reviewer"), true}, "the seat": {h.seat("reviewer"), true}, "a colleague": {h.seat("writer"), false}} {
		page := do(h, h.History.PollEvents, c.by, history.PollEvents{After: &from})
		if hears := slices.ContainsFunc(page.Events, func(e history.Event) bool { return e.Kind == "queue.ordered" }); hears != c.hears {
			t.Errorf("%s hears: %v", who, hears)
		}
	}
}
