package tracker_test

import (
	"sync"
	"testing"

	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

// queueOf is a queue's keys, as somebody reads it.
func (h *house) queueOf(c *tool.Call, whose string) []string {
	h.t.Helper()
	list := []string{}
	for _, q := range do(h, h.Tracker.GetPriorities, c, tracker.GetPriorities{Whose: whose}).Priorities {
		list = append(list, q.Key)
	}
	return list
}

func TestAnItemIsPlacedInAQueue(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var k []string
	for _, title := range []string{"A", "B", "C", "D"} {
		k = append(k, h.item(tracker.CreateItem{Title: title}).Key)
	}
	own := func() *tool.Call { return h.human("reviewer") }
	for _, step := range []struct {
		name    string
		in      tracker.PlacePriority
		want    []string
		outcome string
	}{
		{"into an empty queue", tracker.PlacePriority{Item: k[0]}, []string{k[0]}, "applied"},
		{"to the end", tracker.PlacePriority{Item: k[1]}, []string{k[0], k[1]}, "applied"},
		{"in front", tracker.PlacePriority{Item: k[2], Before: k[0]}, []string{k[2], k[0], k[1]}, "applied"},
		{"there already", tracker.PlacePriority{Item: k[0]}, []string{k[2], k[0], k[1]}, "unchanged"},
		{"down", tracker.PlacePriority{Item: k[2], After: k[0]}, []string{k[0], k[2], k[1]}, "applied"},
		{"up, typed small", tracker.PlacePriority{Item: "eng-2", Before: "eng-3"}, []string{k[0], k[1], k[2]}, "applied"},
		{"where it is", tracker.PlacePriority{Item: k[1], After: k[0]}, []string{k[0], k[1], k[2]}, "unchanged"},
		{"out", tracker.PlacePriority{Item: k[1], Out: true}, []string{k[0], k[2]}, "applied"},
		{"out of where it is not", tracker.PlacePriority{Item: k[1], Out: true}, []string{k[0], k[2]}, "unchanged"},
	} {
		c := own()
		got := do(h, h.Tracker.PlacePriority, c, step.in)
		same(t, step.name, got.Items, step.want...)
		same(t, step.name+", read", h.queueOf(own(), ""), step.want...)
		if c.Landed.Outcome != step.outcome || got.OrderedBy != nil {
			t.Errorf("%s: %s, ordered by %+v", step.name, c.Landed.Outcome, got.OrderedBy)
		}
	}
	// What is finished leaves with the next change, and counts for no place.
	do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: k[0], Status: "done"})
	same(t, "beside what is finished", do(h, h.Tracker.PlacePriority, own(), tracker.PlacePriority{Item: k[3], Before: k[2]}).Items, k[3], k[2])
}

func TestPlacesThatCannotBe(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	one, two := h.item(tracker.CreateItem{Title: "A"}).Key, h.item(tracker.CreateItem{Title: "B"}).Key
	over := h.item(tracker.CreateItem{Title: "C", Status: "done"}).Key
	do(h, h.Tracker.PlacePriority, h.human("reviewer"), tracker.PlacePriority{Item: one})
	for name, c := range map[string]struct {
		in    tracker.PlacePriority
		field string
	}{
		"no such item":         {tracker.PlacePriority{Item: "ENG-99"}, "item"},
		"out, no such item":    {tracker.PlacePriority{Item: "ENG-99", Out: true}, "item"},
		"no key":               {tracker.PlacePriority{Item: "first"}, "item"},
		"none":                 {tracker.PlacePriority{}, "item"},
		"finished":             {tracker.PlacePriority{Item: over}, "item"},
		"two places":           {tracker.PlacePriority{Item: two, Before: one, After: one}, "item"},
		"out and in":           {tracker.PlacePriority{Item: one, Before: one, Out: true}, "item"},
		"before a stranger":    {tracker.PlacePriority{Item: one, Before: two}, "before"},
		"after a stranger":     {tracker.PlacePriority{Item: one, After: two}, "after"},
		"before itself":        {tracker.PlacePriority{Item: one, Before: one}, "before"},
		"after what is no key": {tracker.PlacePriority{Item: two, After: "x"}, "after"},
		"nobody's":             {tracker.PlacePriority{Whose: "nemo", Item: one}, "whose"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tool.Do(t.Context(), h.Run, h.Tracker.PlacePriority, h.human("reviewer"), c.in)
			if no := refusal.Of(err); no == nil || no.Class != refusal.Invalid || no.Fields[c.field] == "" {
				t.Errorf("got %v %v, want invalid on %s", err, no, c.field)
			}
		})
	}
}

func TestAFullQueueTakesNoMore(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write(`
		INSERT INTO items (id, project, no, type, title, folded, status, reporter, created_at, updated_at)
		SELECT gen_random_uuid(), 'MKT', n, 'task', 'T' || n, 't' || n, 'todo', '', now(), now() FROM generate_series(1, 101) n`)
	h.write(`INSERT INTO priorities (party, item, ord, set_by, set_at) SELECT 'seat:' || $1::text, id, no, 'seat:' || $1::text, now() FROM items WHERE project = 'MKT' AND no <= 100`, h.seats["reviewer"])
	if no := refused(h, h.Tracker.PlacePriority, h.human("reviewer"), tracker.PlacePriority{Item: "MKT-101", Before: "MKT-1"}, refusal.Invalid); no.Fields["item"] == "" {
		t.Errorf("refused %v", no.Fields)
	}
	got := do(h, h.Tracker.PlacePriority, h.human("reviewer"), tracker.PlacePriority{Item: "MKT-100", Before: "MKT-1"}).Items
	if len(got) != 100 || got[0] != "MKT-100" || got[99] != "MKT-99" {
		t.Errorf("within a full one: %d from %s to %s", len(got), got[0], got[len(got)-1])
	}
}

// Whoever leads somebody reads and orders their queue, and its owner is told
// of what was placed, not of what moved by that.
func TestWhoMayPlaceInAQueue(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	one, two := h.item(tracker.CreateItem{Title: "A", Assignee: "reviewer"}).Key, h.item(tracker.CreateItem{Title: "B", Assignee: "reviewer"}).Key
	do(h, h.Tracker.PlacePriority, h.human("reviewer"), tracker.PlacePriority{Item: one})
	for _, c := range []*tool.Call{h.seat("tech-lead"), h.seat("backend-dev"), h.human("writer")} {
		refused(h, h.Tracker.PlacePriority, c, tracker.PlacePriority{Whose: "reviewer", Item: two}, refusal.Forbidden)
		refused(h, h.Tracker.GetPriorities, c, tracker.GetPriorities{Whose: "reviewer"}, refusal.Forbidden)
	}
	q := do(h, h.Tracker.GetPriorities, h.human("tech-lead"), tracker.GetPriorities{Whose: "reviewer"})
	if len(q.Priorities) != 1 || len(q.Assigned) != 1 || q.Assigned[0].Key != two || q.Whose.Handle != "reviewer" || q.OrderedBy != nil || q.Own {
		t.Errorf("the lead reads %+v", q)
	}
	if by := do(h, h.Tracker.PlacePriority, h.human("tech-lead"), tracker.PlacePriority{Whose: "reviewer", Item: two, Before: one}).OrderedBy; by == nil || by.Handle != "tech-lead" {
		t.Errorf("ordered by %+v", by)
	}
	do(h, h.Tracker.PlacePriority, h.human("tech-lead"), tracker.PlacePriority{Whose: "reviewer", Item: two, After: one})
	told := "prioritised queue.ordered " + two
	if got := h.inbox(h.human("reviewer")); len(got) == 0 || got[0] != told || len(got) > 1 && got[1] == told {
		t.Errorf("the owner is told %v, want %s once", got, told)
	}
	if by := do(h, h.Tracker.GetPriorities, h.human("tech-lead"), tracker.GetPriorities{Whose: "reviewer"}).OrderedBy; by == nil || by.Handle != "tech-lead" {
		t.Errorf("the lead reads it ordered by %+v", by)
	}
	mine := do(h, h.Tracker.MyWork, h.human("tech-lead"), tracker.MyWork{Describe: true})
	var whose []string
	for _, p := range mine.Others {
		whose = append(whose, p.Handle)
	}
	same(t, "whom the lead may order", whose, "backend-dev", "reviewer", "platform")
	if n := len(do(h, h.Tracker.MyWork, h.seat("tech-lead"), tracker.MyWork{Describe: true}).Others); n != 0 {
		t.Errorf("a seat may order %d", n)
	}
}

// Nothing that is placed while somebody else places is lost.
func TestManyPlaceAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const many = 8
	keys, errs := make([]string, many), make([]error, many)
	for i := range keys {
		keys[i] = h.item(tracker.CreateItem{Title: string(rune('A' + i))}).Key
	}
	var all sync.WaitGroup
	for i, key := range keys {
		c := h.human("reviewer")
		all.Go(func() {
			_, errs[i] = tool.Do(t.Context(), h.Run, h.Tracker.PlacePriority, c, tracker.PlacePriority{Item: key})
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	if got := h.queueOf(h.human("reviewer"), ""); len(got) != many {
		t.Errorf("of %d there are %v", many, got)
	}
}
