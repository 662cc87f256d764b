package tracker_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

func text(s string) *string { return &s }

func TestUpdateItem(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "a", Due: "today"}).Key
	got := do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{
		Key: key, IfMatch: 1, Title: text("b"), Status: "in_progress", Priority: "urgent", Assignee: tool.Some("reviewer"), Due: tool.Cleared[string](),
		Estimate: tool.Some(90), Labels: &tracker.Sets{Add: []string{"New"}}, CreateLabels: true, Watchers: &tracker.Sets{Add: []string{"writer"}},
		References: &tracker.Sets{Set: &[]string{"https://example.com"}},
	})
	if got.Title != "b" || got.Status != "in_progress" || got.Priority != "urgent" || got.Assignee.Handle != "reviewer" || got.Due != "" || *got.Estimate != 90 ||
		got.Labels[0] != "new" || got.Version != 2 || got.References[0] != "https://example.com" {
		t.Errorf("got %+v", got)
	}
	read := h.read(key)
	if len(read.Watchers) != 1 || read.Watchers[0].Handle != "writer" || read.Version != 2 {
		t.Errorf("read %+v", read)
	}
	c := enginetest.By("ana")
	if got := do(h, h.Tracker.UpdateItem, c, tracker.UpdateItem{Key: key, Title: text("b")}); got.Version != 2 || c.Landed.Outcome != "unchanged" {
		t.Errorf("the same again: %+v %+v", got.Version, c.Landed)
	}
}

func TestAStaleUpdateIsToldWhatChanged(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "a"}).Key
	do(h, h.Tracker.UpdateItem, enginetest.By("bo"), tracker.UpdateItem{Key: key, Title: text("b")})
	no := refused(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: key, IfMatch: 1, Status: "done", Watchers: &tracker.Sets{Add: []string{"writer"}}}, refusal.Stale)
	if no.Details["version"] != 2 || no.Details["current"].(tracker.Item).Title != "b" || !strings.Contains(fmt.Sprint(no.Details["changed"]), "item.updated") {
		t.Errorf("refused with %+v", no.Details)
	}
	if read := h.read(key); read.Status != "todo" || len(read.Watchers) != 0 {
		t.Error("a refused update was partly written")
	}
	refused(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: key, IfMatch: 9}, refusal.Invalid)
}

func TestADescriptionIsSavedOverTheOneRead(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "a", Description: "one"}).Key
	save := func(base int, words string) (tracker.Item, error) {
		return tool.Do(t.Context(), h.Run, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: key, BaseVersion: base, Description: &words})
	}
	if _, err := save(0, "two"); !refusal.Is(err, refusal.Invalid) || refusal.Of(err).Fields["base_version"] == "" {
		t.Errorf("without a base: %v", err)
	}
	do(h, h.Tracker.UpdateItem, enginetest.By("bo"), tracker.UpdateItem{Key: key, Status: "in_progress"})
	if _, err := save(1, "two"); err != nil { // another field moved, the text did not
		t.Errorf("over the one read: %v", err)
	}
	if _, err := save(1, "three"); !refusal.Is(err, refusal.Stale) {
		t.Errorf("over an older one: %v", err)
	}
	if read := h.read(key); read.Description != "two" || read.Edition != 3 {
		t.Errorf("read %q, saved at %d", read.Description, read.Edition)
	}
}

func TestUpdateItemRefuses(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "a"}).Key
	h.item(tracker.CreateItem{Title: "other", Project: "MKT"})
	for name, c := range map[string]struct {
		in    tracker.UpdateItem
		field string
	}{
		"an empty title":      {tracker.UpdateItem{Title: text(" ")}, "title"},
		"another project":     {tracker.UpdateItem{Parent: tool.Some("MKT-1")}, "parent"},
		"itself":              {tracker.UpdateItem{Parent: tool.Some(key)}, "parent"},
		"waiting on itself":   {tracker.UpdateItem{WaitingOn: &tracker.Sets{Add: []string{key}}}, "waiting_on"},
		"no such unit":        {tracker.UpdateItem{RoutingUnit: text("nope")}, "routing_unit"},
		"no such person":      {tracker.UpdateItem{Assignee: tool.Some("nobody-here")}, "assignee"},
		"a bad date":          {tracker.UpdateItem{Due: tool.Some("soon")}, "due"},
		"a label nobody made": {tracker.UpdateItem{Labels: &tracker.Sets{Add: []string{"x"}}}, "labels"},
	} {
		t.Run(name, func(t *testing.T) {
			c.in.Key = key
			_, err := tool.Do(t.Context(), h.Run, h.Tracker.UpdateItem, enginetest.By("ana"), c.in)
			if no := refusal.Of(err); no == nil || no.Class != refusal.Invalid || no.Fields[c.field] == "" {
				t.Errorf("got %v", err)
			}
		})
	}
	refused(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: "ENG-99", Status: "done"}, refusal.NotFound)
	if _, err := tool.Decode[tracker.UpdateItem]([]byte(`{"key":"ENG-1","labels":["a"]}`)); !refusal.Is(err, refusal.Invalid) || !strings.Contains(err.Error(), "add") {
		t.Errorf("a bare list: %v", err)
	}
}

// Whoever closes the circle is refused, however many try it at once.
func TestNoCircleClosesBetweenTwo(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const n = 6
	var keys []string
	for i := range n {
		keys = append(keys, h.item(tracker.CreateItem{Title: fmt.Sprint(i), Project: []string{"ENG", "MKT"}[i%2]}).Key)
	}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			_, err := tool.Do(t.Context(), h.Run, h.Tracker.UpdateItem, enginetest.By("ana"),
				tracker.UpdateItem{Key: keys[i], WaitingOn: &tracker.Sets{Add: []string{keys[(i+1)%n]}}})
			if err != nil && !refusal.Is(err, refusal.Invalid) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	waiting := 0
	for _, key := range keys {
		waiting += len(h.read(key).WaitingOn)
	}
	if waiting != n-1 {
		t.Errorf("%d of %d waits landed", waiting, n)
	}
	parents := []string{h.item(tracker.CreateItem{Title: "p"}).Key, h.item(tracker.CreateItem{Title: "q"}).Key}
	for i := range 2 {
		all.Go(func() {
			_, err := tool.Do(t.Context(), h.Run, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: parents[i], Parent: tool.Some(parents[1-i])})
			if err != nil && !refusal.Is(err, refusal.Invalid) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if (h.read(parents[0]).Parent == "") == (h.read(parents[1]).Parent == "") {
		t.Error("two items are part of each other, or neither landed")
	}
}

func TestCountsFollowTheWork(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	top := h.item(tracker.CreateItem{Title: "top"}).Key
	part := h.item(tracker.CreateItem{Title: "part", Parent: top}).Key
	waiting := h.item(tracker.CreateItem{Title: "waiting", WaitingOn: []string{part}}).Key
	if read := h.read(top); read.Subtasks != 1 || read.SubtasksOpen != 1 || read.Parts[0].Key != part {
		t.Errorf("top %+v", read.Item)
	}
	if read := h.read(waiting); !read.Blocked || read.WaitingOn[0].Key != part {
		t.Errorf("waiting %+v", read)
	}
	if read := h.read(part); read.Blocking[0].Key != waiting || read.Trail[0].Key != top {
		t.Errorf("part %+v", read)
	}
	do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: part, Status: "done"})
	if read := h.read(top); read.Subtasks != 1 || read.SubtasksOpen != 0 {
		t.Errorf("top after %+v", read.Item)
	}
	if h.read(waiting).Blocked {
		t.Error("it still waits on what is done")
	}
	do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: part, Status: "todo"})
	if !h.read(waiting).Blocked {
		t.Error("it does not wait on what was opened again")
	}
	projects := do(h, h.Tracker.ListProjects, enginetest.By("ana"), tracker.ListProjects{})
	if p := projects.Projects[0]; p.Open != 3 || p.Done != 0 {
		t.Errorf("project %+v", p)
	}
}

func TestItemsNestEightDeep(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	parent := ""
	for i := range 9 {
		parent = h.item(tracker.CreateItem{Title: fmt.Sprint(i), Parent: parent}).Key
	}
	no := refused(h, h.Tracker.CreateItem, enginetest.By("ana"), tracker.CreateItem{Project: "ENG", Title: "too deep", Parent: parent}, refusal.Invalid)
	if no.Fields["parent"] == "" {
		t.Errorf("refused %+v", no)
	}
	loose := h.item(tracker.CreateItem{Title: "loose"}).Key
	h.item(tracker.CreateItem{Title: "below", Parent: loose})
	refused(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: loose, Parent: tool.Some("ENG-8")}, refusal.Invalid)
}

func TestSeatsHandOnFiveTimes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "hot"}).Key
	to := []string{"tech-lead", "backend-dev"}
	for i := range 5 {
		do(h, h.Tracker.UpdateItem, h.seat("platform"), tracker.UpdateItem{Key: key, Assignee: tool.Some(to[i%2])})
	}
	refused(h, h.Tracker.UpdateItem, h.seat("platform"), tracker.UpdateItem{Key: key, Assignee: tool.Some(to[1])}, refusal.ReassignmentBudget)
	do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: key, Priority: "high"})
	do(h, h.Tracker.UpdateItem, h.seat("platform"), tracker.UpdateItem{Key: key, Assignee: tool.Some(to[1])})
}

func TestWatchersAreSetWhole(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "a"}).Key
	do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: key, Watchers: &tracker.Sets{Add: []string{"writer", "platform"}}})
	do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: key, Watchers: &tracker.Sets{Set: &[]string{"writer", "reviewer"}}})
	var names []string
	for _, p := range h.read(key).Watchers {
		names = append(names, p.Handle)
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"reviewer", "writer"}) {
		t.Errorf("watchers %v", names)
	}
}
