package tracker_test

import (
	"sync"
	"testing"

	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

func keys(items []tracker.Item) []string {
	list := []string{}
	for _, it := range items {
		list = append(list, it.Key)
	}
	return list
}

func queued(m tracker.Mine) []string {
	list := []string{}
	for _, q := range m.Priorities {
		list = append(list, q.Key)
	}
	return list
}

func TestMyWorkIsReadAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	low := h.item(tracker.CreateItem{Title: "low", Assignee: "platform", Priority: "low"}).Key
	urgent := h.item(tracker.CreateItem{Title: "urgent", Assignee: "platform", Priority: "urgent"}).Key
	h.item(tracker.CreateItem{Title: "done", Assignee: "platform", Status: "done"})
	shared := h.item(tracker.CreateItem{Title: "shared", Assignee: "writer"}).Key
	do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: shared, Collaborators: &tracker.Sets{Add: []string{"platform"}}})
	watched := h.item(tracker.CreateItem{Title: "watched", Watchers: []string{"platform"}}).Key
	h.item(tracker.CreateItem{Title: "still", Watchers: []string{"platform"}})
	h.write(`UPDATE items SET updated_at = updated_at - interval '15 days' WHERE title = 'still'`)
	h.item(tracker.CreateItem{Title: "another's", Assignee: "writer"})
	asked := h.ask(h.seat("writer"), watched, tracker.Ask{To: "platform"})
	do(h, h.Tracker.SetPriorities, enginetest.By("ana"), tracker.SetPriorities{Whose: "platform", Items: []string{low, urgent}})

	m := do(h, h.Tracker.MyWork, h.seat("platform"), tracker.MyWork{})
	same(t, "queue", queued(m), low, urgent)
	same(t, "assigned", keys(m.Assigned), urgent, low)
	same(t, "collaborating", keys(m.Collaborating), shared)
	same(t, "watched and moved", keys(m.Watched), watched)
	same(t, "workable", keys(m.Workable))
	if len(m.Asked) != 1 || m.Asked[0].ID != asked.ID || !m.Asked[0].Mine {
		t.Errorf("asked %+v", m.Asked)
	}
	if m.OrderedBy == nil || m.Priorities[1].Place != 2 || m.AsOf == 0 {
		t.Errorf("ordered by %+v, %+v", m.OrderedBy, m.Priorities)
	}
	do(h, h.Tracker.UpdateItem, h.seat("platform"), tracker.UpdateItem{Key: low, Status: "done"})
	m = do(h, h.Tracker.MyWork, h.seat("platform"), tracker.MyWork{})
	same(t, "the queue's open items", queued(m), urgent)
	if m.Priorities[0].Place != 1 {
		t.Errorf("the first stands at %d", m.Priorities[0].Place)
	}
	none := do(h, h.Tracker.MyWork, h.seat("backend-dev"), tracker.MyWork{})
	if len(none.Assigned)+len(none.Priorities)+len(none.Asked)+len(none.Watched) != 0 {
		t.Errorf("another has %+v", none)
	}
}

func TestWhoMayOrderAQueue(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	one, two := h.item(tracker.CreateItem{Title: "A"}).Key, h.item(tracker.CreateItem{Title: "B"}).Key
	refused(h, h.Tracker.SetPriorities, h.seat("tech-lead"), tracker.SetPriorities{Whose: "platform", Items: []string{one}}, refusal.Forbidden)
	if no := refused(h, h.Tracker.SetPriorities, h.human("reviewer"), tracker.SetPriorities{Whose: "platform", Items: []string{one}}, refusal.Forbidden); no.Details["reason"] != "not_lead" {
		t.Errorf("forbidden for %v", no.Details)
	}
	// A person in the seat of the lead may; so may the company's operator.
	lead := h.human("tech-lead")
	q := do(h, h.Tracker.SetPriorities, lead, tracker.SetPriorities{Whose: "reviewer", Items: []string{two, one}})
	if q.OrderedBy == nil || q.OrderedBy.Handle != "tech-lead" || q.Whose.Handle != "reviewer" {
		t.Errorf("ordered %+v", q)
	}
	same(t, "the owner is told", h.inbox(h.human("reviewer")), "prioritised queue.ordered "+one, "prioritised queue.ordered "+two)
	mine := do(h, h.Tracker.MyWork, h.human("reviewer"), tracker.MyWork{})
	if mine.OrderedBy == nil || mine.OrderedBy.Handle != "tech-lead" {
		t.Errorf("stamped %+v", mine.OrderedBy)
	}
	c := h.human("tech-lead")
	do(h, h.Tracker.SetPriorities, c, tracker.SetPriorities{Whose: "reviewer", Items: []string{two, one}})
	if c.Landed.Outcome != "unchanged" {
		t.Errorf("the same order is %s", c.Landed.Outcome)
	}
	// The same order in the owner's own hand takes the stamp away.
	c = h.human("reviewer")
	do(h, h.Tracker.SetPriorities, c, tracker.SetPriorities{Items: []string{two, one}})
	if m := do(h, h.Tracker.MyWork, h.human("reviewer"), tracker.MyWork{}); m.OrderedBy != nil || c.Landed.Outcome != "applied" {
		t.Errorf("still stamped %+v, %s", m.OrderedBy, c.Landed.Outcome)
	}
	do(h, h.Tracker.SetPriorities, enginetest.By("ana"), tracker.SetPriorities{Whose: "reviewer", Items: []string{one, two}})
	same(t, "only what came further to the front is told", h.inbox(h.human("reviewer"))[:2], "prioritised queue.ordered "+one, "prioritised queue.ordered "+one)
	do(h, h.Tracker.SetPriorities, h.human("reviewer"), tracker.SetPriorities{Items: []string{}})
	same(t, "emptied", queued(do(h, h.Tracker.MyWork, h.human("reviewer"), tracker.MyWork{})))
}

func TestQueuesThatCannotBe(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	one := h.item(tracker.CreateItem{Title: "A"}).Key
	over := h.item(tracker.CreateItem{Title: "B", Status: "done"}).Key
	for name, c := range map[string]struct {
		in    tracker.SetPriorities
		field string
	}{
		"no such item":    {tracker.SetPriorities{Items: []string{"ENG-99"}}, "items"},
		"no key":          {tracker.SetPriorities{Items: []string{"first"}}, "items"},
		"finished":        {tracker.SetPriorities{Items: []string{over}}, "items"},
		"twice":           {tracker.SetPriorities{Items: []string{one, "eng-1"}}, "items"},
		"nobody's":        {tracker.SetPriorities{Whose: "nemo", Items: []string{one}}, "whose"},
		"longer than 100": {tracker.SetPriorities{Items: make([]string, 101)}, "items"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tool.Do(t.Context(), h.Run, h.Tracker.SetPriorities, h.human("reviewer"), c.in)
			if no := refusal.Of(err); no == nil || no.Class != refusal.Invalid || no.Fields[c.field] == "" {
				t.Errorf("got %v %v, want invalid on %s", err, no, c.field)
			}
		})
	}
}

func TestTwoOrdersOfOneQueueComeOneAfterTheOther(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	one, two, three := h.item(tracker.CreateItem{Title: "A"}).Key, h.item(tracker.CreateItem{Title: "B"}).Key, h.item(tracker.CreateItem{Title: "C"}).Key
	wanted := [][]string{{one, two}, {two, three}, {three, one}, {two}}
	calls := []*tool.Call{h.human("reviewer"), h.human("reviewer"), h.human("reviewer"), h.human("reviewer")}
	errs := make([]error, len(calls))
	var all sync.WaitGroup
	for i, c := range calls {
		all.Go(func() {
			_, errs[i] = tool.Do(t.Context(), h.Run, h.Tracker.SetPriorities, c, tracker.SetPriorities{Items: wanted[i]})
		})
	}
	all.Wait()
	last, position := 0, int64(0)
	for i, c := range calls {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		if c.Landed.Position > position {
			last, position = i, c.Landed.Position
		}
	}
	same(t, "the last order stands", queued(do(h, h.Tracker.MyWork, h.human("reviewer"), tracker.MyWork{})), wanted[last]...)
}
