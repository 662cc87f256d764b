package tracker_test

import (
	"slices"
	"testing"

	"crewlet/engine/enginetest"
	"crewlet/engine/tracker"
)

func (h *house) watchers(key string) []string {
	h.t.Helper()
	var names []string
	for _, p := range h.read(key).Watchers {
		names = append(names, p.Handle)
	}
	slices.Sort(names)
	return names
}

// Whom a description speaks to watches from then on, as whom a comment speaks
// to does; whoever left is not called back by the same words.
func TestAMentionInADescriptionWatches(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	change := func(in tracker.UpdateItem) {
		t.Helper()
		in.Key = "ENG-1"
		do(h, h.Tracker.UpdateItem, enginetest.By("ana"), in)
	}
	h.item(tracker.CreateItem{Title: "a", Description: "For @reviewer, not `@platform` nor @nobody.", Watchers: []string{"writer"}})
	if got := h.watchers("ENG-1"); !slices.Equal(got, []string{"reviewer", "writer"}) {
		t.Errorf("%v watch a new item", got)
	}
	change(tracker.UpdateItem{Watchers: &tracker.Sets{Remove: []string{"reviewer"}}})
	change(tracker.UpdateItem{Description: new("For @reviewer and @Tech-Lead."), BaseVersion: 2})
	if got := h.watchers("ENG-1"); !slices.Equal(got, []string{"tech-lead", "writer"}) {
		t.Errorf("%v watch it after another description", got)
	}
}

// Where no more may watch, the description lands all the same.
func TestADescriptionLandsWhereNoMoreMayWatch(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.item(tracker.CreateItem{Title: "a"})
	h.write(`INSERT INTO item_parties (item, party, role) SELECT i.id, 'person:' || n, 'watcher' FROM items i, generate_series(1, 63) n`)
	do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: "ENG-1", Description: new("@writer @reviewer"), BaseVersion: 1})
	if got := h.watchers("ENG-1"); len(got) != 64 || !slices.Contains(got, "writer") || slices.Contains(got, "reviewer") || h.read("ENG-1").Description == "" {
		t.Errorf("%d watch: %v", len(got), got)
	}
	if box := h.inbox(h.human("reviewer")); len(box) != 1 {
		t.Errorf("who found no room hears %v", box)
	}
}
