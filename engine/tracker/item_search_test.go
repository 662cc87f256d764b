package tracker_test

import (
	"context"
	"strings"
	"testing"

	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

// following starts what a serving node does, the keyword index among it.
func (h *house) following() {
	h.t.Helper()
	if err := h.Start(context.WithoutCancel(h.t.Context())); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) found(in tracker.SearchItems) string {
	h.t.Helper()
	out := do(h, h.Tracker.SearchItems, enginetest.By("ana"), in)
	if out.Behind {
		h.t.Error("the index did not keep up")
	}
	var keys []string
	for _, it := range out.Items {
		keys = append(keys, it.Key)
	}
	return strings.Join(keys, " ")
}

// built waits until the index knows of everything.
func (h *house) built() {
	h.t.Helper()
	for do(h, h.Tracker.SearchItems, enginetest.By("ana"), tracker.SearchItems{Q: "anything"}).Behind {
		if h.t.Context().Err() != nil {
			h.t.Fatal("the index is never built")
		}
	}
}

func TestItemsAreFoundByTheirWords(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.item(tracker.CreateItem{Title: "Sign-in fails on Safari", Description: "The cookie is dropped."})
	h.item(tracker.CreateItem{Title: "Write the newsletter", Project: "MKT"})
	h.following()
	h.built()
	h.item(tracker.CreateItem{Title: "Colours of the newsletter", Project: "MKT", Status: "done"})
	do(h, h.Tracker.CommentOnItem, enginetest.By("ana"), tracker.CommentOnItem{Key: "ENG-1", Body: "It is the zeppelin again."})
	for name, c := range map[string]struct {
		in   tracker.SearchItems
		want string
	}{
		"a word of the title":   {tracker.SearchItems{Q: "safari"}, "ENG-1"},
		"of the description":    {tracker.SearchItems{Q: "cookie"}, "ENG-1"},
		"of a comment":          {tracker.SearchItems{Q: "zeppelin"}, "ENG-1"},
		"a key":                 {tracker.SearchItems{Q: "mkt-1"}, "MKT-1"},
		"in another project":    {tracker.SearchItems{Q: "newsletter", Project: "eng"}, ""},
		"unfinished":            {tracker.SearchItems{Q: "newsletter", Open: true}, "MKT-1"},
		"nothing has that word": {tracker.SearchItems{Q: "quark"}, ""},
	} {
		if got := h.found(c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	if got := h.keys(tracker.Query{Q: "newsletter", ShowClosed: "true"}); got != "MKT-1 MKT-2" {
		t.Errorf("a list by words: %s", got)
	}
	out := do(h, h.Tracker.SearchItems, enginetest.By("ana"), tracker.SearchItems{Q: "cookie"})
	if it := out.Items[0]; len(it.Marks) != 1 || it.Snippet[it.Marks[0][0]:it.Marks[0][1]] != "cookie" {
		t.Errorf("snippet %+v", it)
	}
	do(h, h.Tracker.UpdateItem, enginetest.By("ana"), tracker.UpdateItem{Key: "MKT-1", Title: text("Write the gazette")})
	if got := h.found(tracker.SearchItems{Q: "gazette"}); got != "MKT-1" {
		t.Errorf("after a change: %q", got)
	}
	if _, err := tool.Do(t.Context(), h.Run, h.Tracker.SearchItems, enginetest.By("ana"), tracker.SearchItems{}); !refusal.Is(err, refusal.Invalid) {
		t.Errorf("nothing asked: %v", err)
	}
}
