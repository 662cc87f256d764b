package tracker_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

// human is a call of the person who holds a seat.
func (h *house) human(handle string) *tool.Call {
	h.t.Helper()
	c := h.seat(handle)
	c.By = access.Principal{
		Kind: access.Person, ID: "b6a8e9d0-0000-7000-8000-000000000001", Seat: h.seats[handle], Handle: handle, Credential: "session:1", Name: "rev.iewer",
		Grants: access.StateRead | access.WorkWrite,
	}
	c.Door = "page"
	return c
}

// inbox is what somebody has been told, as "reason kind key", the newest first.
func (h *house) inbox(c *tool.Call) []string {
	h.t.Helper()
	told := []string{}
	for _, e := range do(h, h.Tracker.WorkInbox, c, tracker.WorkInbox{Box: "all"}).Entries {
		told = append(told, e.Reason+" "+e.Kind+" "+e.Item)
	}
	return told
}

// say comments as somebody.
func (h *house) say(c *tool.Call, key, body string) tracker.Said {
	h.t.Helper()
	return do(h, h.Tracker.CommentOnItem, c, tracker.CommentOnItem{Key: key, Body: body})
}

// write changes rows behind everybody's back.
func (h *house) write(statement string, args ...any) {
	h.t.Helper()
	err := h.DB.InTx(h.t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(h.t.Context(), statement, args...)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

// count is the number one statement answers.
func (h *house) count(statement string, args ...any) int {
	h.t.Helper()
	var n int
	if err := h.DB.GetContext(h.t.Context(), &n, statement, args...); err != nil {
		h.t.Fatal(err)
	}
	return n
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, append([]string{}, want...)) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func TestACommentReachesThoseItConcernsUnderTheStrongestReason(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := do(h, h.Tracker.CreateItem, h.human("reviewer"), tracker.CreateItem{Project: "ENG", Title: "A", Assignee: "backend-dev"}).Key
	before := h.read(key)
	said := h.say(h.seat("platform"), key, "Please look, @backend-dev and @Writer; not `@tech-lead`.")
	if said.Version != before.Version || said.Comment.Author.Handle != "platform" || said.Comment.AuthorKind != "agent" || said.Item != key {
		t.Errorf("said %+v", said)
	}
	same(t, "the assignee", h.inbox(h.seat("backend-dev"))[:1], "mention comment.added "+key)
	same(t, "named", h.inbox(h.seat("writer")), "mention comment.added "+key)
	same(t, "the reporter", h.inbox(h.human("reviewer")), "reporter comment.added "+key)
	same(t, "the lead", h.inbox(h.seat("tech-lead"))[:1], "lead comment.added "+key)
	same(t, "the author", h.inbox(h.seat("platform")))
	now := h.read(key)
	if now.Comments != 1 || now.Version != before.Version || len(now.Thread) != 1 || now.Thread[0].ID != said.Comment.ID {
		t.Errorf("the item reads %+v", now)
	}
	var watching []string
	for _, w := range now.Watchers {
		watching = append(watching, w.Handle)
	}
	slices.Sort(watching)
	same(t, "watchers", watching, "backend-dev", "platform", "writer")
	h.say(h.seat("writer"), key, "Done.")
	same(t, "who commented", h.inbox(h.seat("platform")), "watcher comment.added "+key)
}

func TestNobodyHearsOfTheirOwnWriteUnderAnyName(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	c := h.human("reviewer")
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	h.write(`INSERT INTO people (id, login, name, password, grants, created_at, seat) VALUES ($1, 'rev.iewer', 'Rev', '', '{}', now(), $2)`, c.By.ID, c.By.Seat)
	// Rows from before this person held the seat name the person alone.
	h.write(`UPDATE items SET assignee = 'person:' || $1`, c.By.ID)
	h.say(c, key, "For myself, @reviewer.")
	if n := h.count(`SELECT count(*) FROM notices WHERE party = ANY (ARRAY['person:' || $1, 'seat:' || $2])`, c.By.ID, c.By.Seat); n != 0 {
		t.Errorf("told %d times of their own comment", n)
	}
	h.say(h.seat("writer"), key, "Hello")
	if got := h.inbox(h.human("reviewer")); len(got) != 1 {
		t.Errorf("told %q of another's", got)
	}
}

func TestACommentLandsWhereNoMoreMayWatch(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	h.write(`INSERT INTO item_parties (item, party, role) SELECT i.id, 'person:' || n, 'watcher' FROM items i, generate_series(1, 63) n`)
	h.say(h.seat("writer"), key, "I take the last place, not @platform.")
	if n := h.count(`SELECT count(*) FROM item_parties WHERE party = $1`, "seat:"+h.seats["writer"]); n != 1 {
		t.Error("the author does not watch")
	}
	h.say(h.seat("backend-dev"), key, "I have none.")
	if n := h.count(`SELECT count(*) FROM item_parties WHERE role = 'watcher'`); n != 64 {
		t.Errorf("%d watch", n)
	}
	if h.read(key).Comments != 2 {
		t.Error("a comment did not land")
	}
}

func TestCommentsThatCannotBeTaken(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	options := func(n int) *tracker.Decision {
		d := &tracker.Decision{}
		for i := range n {
			d.Options = append(d.Options, tracker.Choice{Label: fmt.Sprint(i)})
		}
		return d
	}
	for name, c := range map[string]struct {
		in    tracker.CommentOnItem
		class refusal.Class
		field string
	}{
		"no such item":         {tracker.CommentOnItem{Key: "ENG-99", Body: "x"}, refusal.NotFound, "key"},
		"nothing":              {tracker.CommentOnItem{Key: key, Body: " \n"}, refusal.Invalid, "body"},
		"too long":             {tracker.CommentOnItem{Key: key, Body: strings.Repeat("ä", 16<<10+1)}, refusal.Invalid, "body"},
		"asked of nobody":      {tracker.CommentOnItem{Key: key, Body: "x", Ask: &tracker.Ask{To: "nemo"}}, refusal.Invalid, "ask.to"},
		"asked of me":          {tracker.CommentOnItem{Key: key, Body: "x", Ask: &tracker.Ask{To: "me"}}, refusal.Invalid, "ask.to"},
		"asked of oneself":     {tracker.CommentOnItem{Key: key, Body: "x", Ask: &tracker.Ask{To: "writer"}}, refusal.Invalid, "ask.to"},
		"two questions in one": {tracker.CommentOnItem{Key: key, Body: "x", Ask: &tracker.Ask{To: "platform", Body: "y"}}, refusal.Invalid, "ask.body"},
		"one option":           {tracker.CommentOnItem{Key: key, Body: "x", Ask: &tracker.Ask{To: "platform", Decision: options(1)}}, refusal.Invalid, "ask.decision.options"},
		"nine options":         {tracker.CommentOnItem{Key: key, Body: "x", Ask: &tracker.Ask{To: "platform", Decision: options(9)}}, refusal.Invalid, "ask.decision.options"},
		"due never":            {tracker.CommentOnItem{Key: key, Body: "x", Ask: &tracker.Ask{To: "platform", Due: "someday"}}, refusal.Invalid, "ask.due"},
		"a choice of nothing":  {tracker.CommentOnItem{Key: key, Body: "x", Choice: []string{"1"}}, refusal.Invalid, "choice"},
		"no such question":     {tracker.CommentOnItem{Key: key, Body: "x", Answers: tool.NewKey()}, refusal.Invalid, "answers"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tool.Do(t.Context(), h.Run, h.Tracker.CommentOnItem, h.seat("writer"), c.in)
			if no := refusal.Of(err); no == nil || no.Class != c.class || no.Fields[c.field] == "" {
				t.Errorf("got %v %v, want %s on %s", err, no, c.class, c.field)
			}
		})
	}
}

func TestEditingACommentKeepsWhatItSaid(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	said := h.say(h.seat("writer"), key, "First, @platform").Comment
	h.Clock.Move(time.Minute)
	edited := do(h, h.Tracker.EditComment, h.seat("writer"), tracker.EditComment{Comment: said.ID, Body: "Second, @platform and @backend-dev", IfVersion: 1})
	if edited.Version != 2 || edited.Comment.EditedAt == nil || edited.Item != key {
		t.Errorf("edited %+v", edited)
	}
	same(t, "named before", h.inbox(h.seat("platform")), "mention comment.added "+key)
	same(t, "named now", h.inbox(h.seat("backend-dev")), "mention comment.edited "+key)
	read := do(h, h.Tracker.GetComment, enginetest.By("ana"), tracker.GetComment{Comment: said.ID})
	if len(read.Before) != 1 || read.Before[0].Body != "First, @platform" || !read.Before[0].At.Equal(said.At) {
		t.Errorf("before it said %+v", read.Before)
	}
	no := refused(h, h.Tracker.EditComment, h.seat("writer"), tracker.EditComment{Comment: said.ID, Body: "Third", IfVersion: 1}, refusal.Stale)
	if no.Details["version"] != 2 {
		t.Errorf("stale with %v", no.Details)
	}
	if no := refused(h, h.Tracker.EditComment, enginetest.By("ana"), tracker.EditComment{Comment: said.ID, Body: "Mine now"}, refusal.Forbidden); no.Details["reason"] != "not_author" {
		t.Errorf("forbidden for %v", no.Details)
	}
	c := h.seat("writer")
	do(h, h.Tracker.EditComment, c, tracker.EditComment{Comment: said.ID, Body: "Second, @platform and @backend-dev"})
	if c.Landed.Outcome != "unchanged" {
		t.Errorf("the same text again is %s", c.Landed.Outcome)
	}
	refused(h, h.Tracker.EditComment, h.seat("writer"), tracker.EditComment{Comment: tool.NewKey(), Body: "x"}, refusal.NotFound)
}

func TestRemovingACommentLeavesAMarkAndNoWords(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A", Assignee: "platform"}).Key
	said := do(h, h.Tracker.CommentOnItem, h.seat("writer"), tracker.CommentOnItem{Key: key, Body: "swordfish?", Ask: &tracker.Ask{To: "platform"}}).Comment
	do(h, h.Tracker.EditComment, h.seat("writer"), tracker.EditComment{Comment: said.ID, Body: "marlin?"})
	if no := refused(h, h.Tracker.RemoveComment, h.human("reviewer"), tracker.RemoveComment{Comment: said.ID}, refusal.Forbidden); no.Details["reason"] != "not_author" {
		t.Errorf("forbidden for %v", no.Details)
	}
	removed := do(h, h.Tracker.RemoveComment, enginetest.By("ana"), tracker.RemoveComment{Comment: said.ID})
	if !removed.Comment.Removed || removed.Comment.Body != "" || removed.Comment.Ask.State != "withdrawn" {
		t.Errorf("removed %+v", removed)
	}
	now := h.read(key)
	if now.Comments != 0 || now.OpenAsks != 0 || len(now.Asks) != 0 || len(now.Thread) != 1 || !now.Thread[0].Removed {
		t.Errorf("the item reads %+v", now)
	}
	var left string
	if err := h.DB.GetContext(t.Context(), &left, `SELECT (SELECT string_agg(c::text, '') FROM comments c) || (SELECT coalesce(string_agg(e::text, ''), '') FROM comment_editions e)
		|| (SELECT string_agg(n::text, '') FROM notices n) || (SELECT string_agg(l.deltas::text, '') FROM changes l)`); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(left, "swordfish") || strings.Contains(left, "marlin") {
		t.Errorf("words are left: %s", left)
	}
	c := h.seat("writer")
	do(h, h.Tracker.RemoveComment, c, tracker.RemoveComment{Comment: said.ID})
	if c.Landed.Outcome != "unchanged" {
		t.Errorf("again it is %s", c.Landed.Outcome)
	}
	refused(h, h.Tracker.EditComment, h.seat("writer"), tracker.EditComment{Comment: said.ID, Body: "back"}, refusal.Conflict)
}

func TestManyCommentAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A", Watchers: []string{"platform", "writer", "backend-dev"}}).Key
	errs := make([]error, 12)
	calls := make([]*tool.Call, len(errs))
	for i := range calls {
		calls[i] = h.seat([]string{"platform", "writer", "backend-dev"}[i%3])
	}
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			_, errs[i] = tool.Do(t.Context(), h.Run, h.Tracker.CommentOnItem, calls[i], tracker.CommentOnItem{Key: key, Body: "at once"})
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	if n := h.read(key).Comments; n != len(errs) {
		t.Errorf("%d comments are counted", n)
	}
	for _, handle := range []string{"platform", "writer", "backend-dev"} {
		if n := len(h.inbox(h.seat(handle))); n != 8+1 { // those of the other two, and that it was filed
			t.Errorf("%s was told %d times", handle, n)
		}
	}
}
