package tracker_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

func (h *house) box(c *tool.Call, in tracker.WorkInbox) tracker.Inbox {
	h.t.Helper()
	return do(h, h.Tracker.WorkInbox, c, in)
}

func ids(box tracker.Inbox) []string {
	list := []string{}
	for _, e := range box.Entries {
		list = append(list, e.ID)
	}
	return list
}

func TestTheInboxIsSplitAsItsOwnerChose(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := do(h, h.Tracker.CreateItem, h.human("reviewer"), tracker.CreateItem{Project: "ENG", Title: "A"}).Key
	h.say(h.seat("writer"), key, "one")
	h.say(h.seat("writer"), key, "two, @reviewer")
	box := h.box(h.human("reviewer"), tracker.WorkInbox{})
	if len(box.Entries) != 1 || box.Unread != (tracker.Unread{Primary: 1, Other: 1}) || box.Full {
		t.Fatalf("primary %+v", box)
	}
	e := box.Entries[0]
	if e.Item != key || e.Title != "A" || e.Reason != "mention" || e.By.Handle != "writer" || e.Summary != "said: two, @reviewer" || e.Comment == "" || e.Read || !e.Primary {
		t.Errorf("told %+v", e)
	}
	if other := h.box(h.human("reviewer"), tracker.WorkInbox{Box: "other"}).Entries; len(other) != 1 || other[0].Reason != "reporter" {
		t.Errorf("other %+v", other)
	}
	c := h.human("reviewer")
	chosen := do(h, h.Tracker.SetInboxReasons, c, tracker.SetInboxReasons{Primary: []string{"watcher", "reporter"}})
	same(t, "chosen", chosen.Primary, "reporter", "watcher")
	box = h.box(h.human("reviewer"), tracker.WorkInbox{})
	if len(box.Entries) != 1 || box.Entries[0].Reason != "reporter" || !slices.Equal(box.Primary, []string{"reporter", "watcher"}) {
		t.Errorf("primary %+v", box)
	}
	c = h.human("reviewer")
	do(h, h.Tracker.SetInboxReasons, c, tracker.SetInboxReasons{Primary: []string{"reporter", "watcher"}})
	if c.Landed.Outcome != "unchanged" {
		t.Errorf("the same choice is %s", c.Landed.Outcome)
	}
	refused(h, h.Tracker.SetInboxReasons, h.human("reviewer"), tracker.SetInboxReasons{Primary: []string{"boredom"}}, refusal.Invalid)
	if box := h.box(h.seat("backend-dev"), tracker.WorkInbox{Box: "all"}); len(box.Entries) != 0 {
		t.Errorf("somebody else reads %+v", box.Entries)
	}
}

func TestEntriesAreMarked(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := do(h, h.Tracker.CreateItem, h.human("reviewer"), tracker.CreateItem{Project: "ENG", Title: "A"}).Key
	for range 3 {
		h.say(h.seat("writer"), key, "hello")
		h.Clock.Move(time.Minute)
	}
	all := ids(h.box(h.human("reviewer"), tracker.WorkInbox{Box: "all"}))
	marks := func(in tracker.MarkInbox) (tracker.Marked, string) {
		c := h.human("reviewer")
		return do(h, h.Tracker.MarkInbox, c, in), c.Landed.Outcome
	}
	unread := func(want ...string) {
		t.Helper()
		same(t, "unread", ids(h.box(h.human("reviewer"), tracker.WorkInbox{Box: "all", Unread: true})), want...)
	}
	if m, outcome := marks(tracker.MarkInbox{Entries: all[1:2], As: "read"}); m.Changed != 1 || outcome != "applied" {
		t.Errorf("marked %+v, %s", m, outcome)
	}
	unread(all[0], all[2])
	if m, outcome := marks(tracker.MarkInbox{Entries: all[1:2], As: "read"}); m.Changed != 0 || outcome != "unchanged" {
		t.Errorf("marked again %+v, %s", m, outcome)
	}
	marks(tracker.MarkInbox{Entries: all[1:2], As: "unread"})
	unread(all...)
	marks(tracker.MarkInbox{All: true, Newest: all[1], As: "read"})
	unread(all[0])
	marks(tracker.MarkInbox{All: true, As: "read"})
	unread()

	// The company's clock is an hour ahead of UTC in winter.
	m, _ := marks(tracker.MarkInbox{Entries: all[2:], As: "snoozed", Until: "tomorrow"})
	if m.Until == nil || !m.Until.Equal(time.Date(2026, 1, 2, 23, 0, 0, 0, time.UTC)) {
		t.Errorf("snoozed until %v", m.Until)
	}
	same(t, "snoozed", ids(h.box(h.human("reviewer"), tracker.WorkInbox{Box: "snoozed"})), all[2])
	same(t, "the rest", ids(h.box(h.human("reviewer"), tracker.WorkInbox{Box: "all"})), all[0], all[1])
	h.Clock.Move(24 * time.Hour)
	same(t, "come back", ids(h.box(h.human("reviewer"), tracker.WorkInbox{Box: "all"})), all[2], all[0], all[1])
	unread(all[2])
	marks(tracker.MarkInbox{Entries: all[2:], As: "read"})
	same(t, "at its own place once read", ids(h.box(h.human("reviewer"), tracker.WorkInbox{Box: "all"})), all...)
}

func TestMarksThatCannotBeMade(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	h.say(h.seat("writer"), key, "@reviewer @platform")
	mine := ids(h.box(h.human("reviewer"), tracker.WorkInbox{}))
	theirs := ids(h.box(h.seat("platform"), tracker.WorkInbox{}))
	for name, c := range map[string]struct {
		in    tracker.MarkInbox
		field string
	}{
		"neither":            {tracker.MarkInbox{As: "read"}, "entries"},
		"both":               {tracker.MarkInbox{As: "read", All: true, Entries: mine}, "entries"},
		"another's":          {tracker.MarkInbox{As: "read", Entries: theirs}, "entries"},
		"all unread":         {tracker.MarkInbox{As: "unread", All: true}, "as"},
		"snoozed for ever":   {tracker.MarkInbox{As: "snoozed", Entries: mine}, "until"},
		"snoozed till now":   {tracker.MarkInbox{As: "snoozed", Entries: mine, Until: "today"}, "until"},
		"snoozed till never": {tracker.MarkInbox{As: "snoozed", Entries: mine, Until: "someday"}, "until"},
		"read until":         {tracker.MarkInbox{As: "read", Entries: mine, Until: "tomorrow"}, "until"},
		"otherwise":          {tracker.MarkInbox{As: "burnt", Entries: mine}, "as"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tool.Do(t.Context(), h.Run, h.Tracker.MarkInbox, h.human("reviewer"), c.in)
			if no := refusal.Of(err); no == nil || no.Class != refusal.Invalid || no.Fields[c.field] == "" {
				t.Errorf("got %v, want invalid on %s", err, c.field)
			}
		})
	}
}

func TestTheInboxIsPaged(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := do(h, h.Tracker.CreateItem, h.human("reviewer"), tracker.CreateItem{Project: "ENG", Title: "A"}).Key
	for range 5 {
		h.say(h.seat("writer"), key, "at one instant")
	}
	all := ids(h.box(h.human("reviewer"), tracker.WorkInbox{Box: "all"}))
	var seen []string
	in := tracker.WorkInbox{Box: "all", Limit: 2}
	for {
		page := h.box(h.human("reviewer"), in)
		seen = append(seen, ids(page)...)
		h.say(h.seat("writer"), key, "meanwhile")
		if in.Cursor = page.Next; in.Cursor == "" {
			break
		}
	}
	same(t, "seen", seen, all...)
	refused(h, h.Tracker.WorkInbox, h.human("reviewer"), tracker.WorkInbox{Box: "all", Cursor: "x"}, refusal.Invalid)
}

// filled gives a party a full inbox about the first item, of which so many are
// read.
func (h *house) filled(party string, read int) {
	h.t.Helper()
	h.write(`
		INSERT INTO notices (id, party, item, reason, kind, actor, actor_name, summary, operation, at, read_at)
		SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, (SELECT id FROM items ORDER BY id LIMIT 1), 'watcher', 'comment.added',
			'', '', 'said', gen_random_uuid(), $3, CASE WHEN n <= $2 THEN now() END
		FROM generate_series(1, 5000) n`, party, read, h.Clock.Now())
}

func TestAFullInboxFailsNobody(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	party := "seat:" + h.seats["reviewer"]
	key := do(h, h.Tracker.CreateItem, h.human("reviewer"), tracker.CreateItem{Project: "ENG", Title: "A"}).Key
	h.filled(party, 1)
	h.say(h.seat("writer"), key, "replaces the one that is read")
	if n := h.count(`SELECT count(*) FROM notices WHERE party = $1`, party); n != 5000 {
		t.Errorf("%d entries", n)
	}
	if n := h.count(`SELECT count(*) FROM notices WHERE party = $1 AND (read_at IS NOT NULL OR summary LIKE '%replaces%')`, party); n != 1 {
		t.Error("the new one did not replace the one that was read")
	}
	if !h.box(h.human("reviewer"), tracker.WorkInbox{}).Full {
		t.Error("nothing says that it is full")
	}
	h.say(h.seat("writer"), key, "finds no room")
	if n := h.count(`SELECT count(*) FROM notices WHERE party = $1`, party); n != 5000 {
		t.Errorf("%d entries", n)
	}
	if h.read(key).Comments != 2 {
		t.Error("its author was failed")
	}
	do(h, h.Tracker.MarkInbox, h.human("reviewer"), tracker.MarkInbox{As: "read", Entries: []string{"00000000-0000-7000-8000-000000000002"}})
	refused(h, h.Tracker.MarkInbox, h.human("reviewer"), tracker.MarkInbox{As: "unread", Entries: []string{"00000000-0000-7000-8000-000000000002"}}, refusal.InboxFull)
	h.say(h.seat("writer"), key, "has room again")
	if n := h.count(`SELECT count(*) FROM notices WHERE party = $1 AND summary LIKE '%room again%'`, party); n != 1 {
		t.Error("what was marked read did not make room")
	}
}

func TestOldEntriesAreCut(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key := h.item(tracker.CreateItem{Title: "A"}).Key
	h.say(h.seat("writer"), key, "@reviewer, old")
	h.filled("seat:"+h.seats["platform"], 0)
	h.Clock.Move(20 * 24 * time.Hour)
	h.say(h.seat("writer"), key, "@reviewer, new")
	if err := h.Tracker.Tidy(t.Context(), h.DB, h.Clock.Now(), 21); err != nil {
		t.Fatal(err)
	}
	if n := len(h.inbox(h.human("reviewer"))); n != 2 {
		t.Errorf("%d entries before their time", n)
	}
	if err := h.Tracker.Tidy(t.Context(), h.DB, h.Clock.Now(), 19); err != nil {
		t.Fatal(err)
	}
	same(t, "kept", h.inbox(h.human("reviewer")), "mention comment.added "+key)
	if n := h.count(`SELECT count(*) FROM notices WHERE party = $1`, "seat:"+h.seats["platform"]); n != 0 {
		t.Errorf("%d old entries are left", n)
	}
}

func TestWhoWaitedIsTold(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	one, two := h.item(tracker.CreateItem{Title: "A"}), h.item(tracker.CreateItem{Title: "B"})
	waits := h.item(tracker.CreateItem{Title: "C", Assignee: "platform", WaitingOn: []string{one.Key, two.Key}})
	nobodys := do(h, h.Tracker.CreateItem, h.human("reviewer"), tracker.CreateItem{Project: "ENG", Title: "D", WaitingOn: []string{two.Key}})
	done := func(c *tool.Call, key string) {
		do(h, h.Tracker.UpdateItem, c, tracker.UpdateItem{Key: key, Status: "done"})
	}
	done(h.seat("platform"), one.Key)
	if got := h.inbox(h.seat("platform")); slices.Contains(got, "unblocked item.unblocked "+waits.Key) {
		t.Errorf("told %q while it waits on another", got)
	}
	done(h.seat("platform"), two.Key) // their own write frees their own work
	same(t, "whose it is", h.inbox(h.seat("platform"))[:1], "unblocked item.unblocked "+waits.Key)
	same(t, "who reported what nobody has", h.inbox(h.human("reviewer"))[:1], "unblocked item.unblocked "+nobodys.Key)
	mine := do(h, h.Tracker.MyWork, h.seat("platform"), tracker.MyWork{})
	if len(mine.Workable) != 1 || mine.Workable[0].Key != waits.Key {
		t.Errorf("workable %+v", mine.Workable)
	}
	routing := do(h, h.Tracker.WorkRouting, enginetest.By("ana"), tracker.WorkRouting{Key: waits.Key})
	if r := routing.Changes[0]; len(r.Reached) != 1 || r.Reached[0].Reason != "unblocked" || r.Author.Handle != "platform" || r.Kinds[0] != "item.unblocked" {
		t.Errorf("routed %+v", routing.Changes[0])
	}
}

// Whoever comments at once waits for nobody's inbox, and finds room of their own.
func TestTwoNoticesAtOnceFindRoomEach(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	party := "seat:" + h.seats["reviewer"]
	const many = 4
	var found []string
	for i := range many {
		found = append(found, h.item(tracker.CreateItem{Title: fmt.Sprint(i), Watchers: []string{"reviewer"}}).Key)
	}
	h.write(`DELETE FROM notices`)
	h.filled(party, many)
	errs := make([]error, many)
	calls := make([]*tool.Call, many)
	for i := range calls {
		calls[i] = h.seat("writer")
	}
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			_, errs[i] = tool.Do(t.Context(), h.Run, h.Tracker.CommentOnItem, calls[i], tracker.CommentOnItem{Key: found[i], Body: "at once"})
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	if n := h.count(`SELECT count(*) FROM notices WHERE party = $1 AND summary = 'said: at once'`, party); n != many {
		t.Errorf("%d of %d found room", n, many)
	}
	if n := h.count(`SELECT count(*) FROM notices WHERE party = $1`, party); n != 5000 {
		t.Errorf("%d entries", n)
	}
}
