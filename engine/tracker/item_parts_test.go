package tracker_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

// inOne reads an item as a program does, and holds the answer against what one
// may hold.
func (h *house) inOne(in tracker.GetItem) tracker.ItemRead {
	h.t.Helper()
	out := do(h, h.Tracker.GetItem, enginetest.By("ana"), in)
	if text, err := tool.Encode(out); err != nil || len(text) > tool.MaxAnswer {
		h.t.Errorf("%+v is answered %d bytes: %v", in, len(text), err)
	}
	return out
}

func TestALongItemComesInParts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	words := strings.Repeat("<é> \"日本\" & so on,\n", 6000)[:128<<10-3]
	words = strings.ToValidUTF8(words, "")
	key := h.item(tracker.CreateItem{Title: "Long", Description: words}).Key
	var all []string
	for i := range 25 {
		body := fmt.Sprintf("%d\n%s", i, strings.Repeat("word ", 6000))
		if i%5 == 0 {
			all = append(all, do(h, h.Tracker.CommentOnItem, enginetest.By("ana"), tracker.CommentOnItem{Key: key, Body: body, Ask: &tracker.Ask{To: "writer"}}).Comment.ID)
			continue
		}
		all = append(all, h.say(enginetest.By("ana"), key, body).Comment.ID)
	}
	h.write(`UPDATE asks SET state = 'withdrawn'`) // open ones are told whole
	first := h.inOne(tracker.GetItem{Key: key})
	if first.Bytes != len(words) || first.More == 0 || len(first.Watchers) == 0 {
		t.Fatalf("the first part: %d bytes, next %d", first.Bytes, first.More)
	}
	text := first.Description
	for next := first.More; next != 0; {
		part := h.inOne(tracker.GetItem{Key: key, Offset: next})
		if part.More != 0 && part.More <= next {
			t.Fatalf("after %d comes %d", next, part.More)
		}
		text, next = text+part.Description, part.More
	}
	if text != words {
		t.Errorf("the parts are %d bytes, the description %d", len(text), len(words))
	}
	slices.Reverse(all) // the newest first
	var read []string
	for page := first; ; page = h.inOne(tracker.GetItem{Key: key, Before: page.CommentsNext}) {
		for _, said := range page.Thread {
			read = append(read, said.ID)
		}
		if page.CommentsNext == "" || len(read) > len(all) {
			break
		}
	}
	same(t, "the thread", read, all...)
	page := do(h, h.Tracker.GetItem, enginetest.By("ana"), tracker.GetItem{Key: key, Whole: true})
	if page.Description != words || len(page.Thread) != 20 || page.More != 0 || len(page.History) != 31 {
		t.Errorf("a page is handed %d bytes, %d comments, %d changes", len(page.Description), len(page.Thread), len(page.History))
	}
	refused(h, h.Tracker.GetItem, enginetest.By("ana"), tracker.GetItem{Key: key, Offset: len(words) + 1}, refusal.Invalid)
	refused(h, h.Tracker.GetItem, enginetest.By("ana"), tracker.GetItem{Key: key, Offset: 1, Before: all[0]}, refusal.Invalid)
}

// Changes that are long each leave room for the rest of the item.
func TestALongHistoryComesInParts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	for i := range 40 {
		title := fmt.Sprintf("%d %s", i, strings.Repeat("title ", 45))
		do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: key, Title: &title})
	}
	out := h.inOne(tracker.GetItem{Key: key})
	more := do(h, h.Tracker.TaskActivity, enginetest.By("ana"), tracker.TaskActivity{Item: key, Cursor: out.HistoryNext})
	if len(out.History) == 0 || len(out.History)+len(more.Events) != 41 || out.History[len(out.History)-1].Position <= more.Events[0].Position {
		t.Errorf("%d changes, then %d", len(out.History), len(more.Events))
	}
}
