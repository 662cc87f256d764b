package tracker_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

// keys lists what a query finds, by key.
func (h *house) keys(q tracker.Query) string {
	h.t.Helper()
	out := do(h, h.Tracker.ListItems, enginetest.By("ana"), tracker.ListItems{Query: q, Sort: "key"})
	var keys []string
	for _, it := range out.Items {
		keys = append(keys, it.Key)
	}
	return strings.Join(keys, " ")
}

// stocked is a house with five items of different kinds.
func stocked(t *testing.T) *house {
	h := newHouse(t)
	h.item(tracker.CreateItem{Title: "one", Assignee: "backend-dev", Priority: "high", Due: "yesterday", Labels: []string{"red"}, CreateLabels: true})
	h.item(tracker.CreateItem{Title: "two", Status: "in_progress", Assignee: "reviewer", Due: "+7d", Type: "bug"})
	h.item(tracker.CreateItem{Title: "three", Status: "done", Labels: []string{"red"}})
	h.item(tracker.CreateItem{Title: "four", WaitingOn: []string{"ENG-1"}, Watchers: []string{"writer"}, Parent: "ENG-2", Ask: &tracker.Ask{To: "reviewer", Body: "Now?"}})
	h.Clock.Move(48 * time.Hour)
	h.item(tracker.CreateItem{Title: "five", Project: "MKT", Assignee: "writer"})
	return h
}

func TestListItems(t *testing.T) {
	t.Parallel()
	h := stocked(t)
	for name, c := range map[string]struct {
		q    tracker.Query
		want string
	}{
		"open ones":            {tracker.Query{}, "ENG-1 ENG-2 ENG-4 MKT-1"},
		"all":                  {tracker.Query{ShowClosed: "true"}, "ENG-1 ENG-2 ENG-3 ENG-4 MKT-1"},
		"one project":          {tracker.Query{Container: "project:mkt"}, "MKT-1"},
		"one unit":             {tracker.Query{Container: "unit:eng"}, "ENG-1 ENG-2 ENG-4"},
		"somebody's":           {tracker.Query{Container: "person:writer"}, "MKT-1"},
		"two states":           {tracker.Query{Status: "in_progress, done"}, "ENG-2 ENG-3"},
		"not that state":       {tracker.Query{Status: "!todo"}, "ENG-2 ENG-3"},
		"a group":              {tracker.Query{StatusGroup: "active"}, "ENG-2"},
		"a type":               {tracker.Query{Type: "bug"}, "ENG-2"},
		"a priority":           {tracker.Query{Priority: "high,urgent"}, "ENG-1"},
		"not that priority":    {tracker.Query{Priority: "!normal"}, "ENG-1"},
		"hers or nobody's":     {tracker.Query{Assignee: "writer,none"}, "ENG-4 MKT-1"},
		"not hers":             {tracker.Query{Assignee: "!writer"}, "ENG-1 ENG-2 ENG-4"},
		"mine to report":       {tracker.Query{Reporter: "me"}, "ENG-1 ENG-2 ENG-4 MKT-1"},
		"watched":              {tracker.Query{Watcher: "writer"}, "ENG-4"},
		"a label":              {tracker.Query{Labels: "Red", ShowClosed: "true"}, "ENG-1 ENG-3"},
		"no label":             {tracker.Query{Labels: "none"}, "ENG-2 ENG-4 MKT-1"},
		"not that label":       {tracker.Query{Labels: "!red"}, "ENG-2 ENG-4 MKT-1"},
		"parts":                {tracker.Query{Parent: "eng-2"}, "ENG-4"},
		"parts of nothing":     {tracker.Query{Parent: "none"}, "ENG-1 ENG-2 MKT-1"},
		"late":                 {tracker.Query{Due: "lt:today"}, "ENG-1"},
		"due within":           {tracker.Query{Due: "range:today..+8d"}, "ENG-2"},
		"due on a day":         {tracker.Query{Due: "2026-01-01"}, "ENG-1"},
		"due never":            {tracker.Query{Due: "none"}, "ENG-4 MKT-1"},
		"due some day":         {tracker.Query{Due: "!none"}, "ENG-1 ENG-2"},
		"new":                  {tracker.Query{Created: "gte:today"}, "MKT-1"},
		"old":                  {tracker.Query{Updated: "lt:today"}, "ENG-1 ENG-2 ENG-4"},
		"blocked":              {tracker.Query{Blocked: "true"}, "ENG-4"},
		"free":                 {tracker.Query{Blocked: "false"}, "ENG-1 ENG-2 MKT-1"},
		"asked about":          {tracker.Query{HasOpenAsks: "true"}, "ENG-4"},
		"in triage":            {tracker.Query{Preset: "triage"}, "ENG-4"},
		"overdue":              {tracker.Query{Preset: "overdue"}, "ENG-1"},
		"a unit it went to":    {tracker.Query{RoutingUnit: "mkt"}, "MKT-1"},
		"several at once":      {tracker.Query{Container: "project:ENG", Assignee: "backend-dev,reviewer", Due: "gte:today"}, "ENG-2"},
		"filed into":           {tracker.Query{Unit: "mkt"}, "MKT-1"},
		"blocked by a preset":  {tracker.Query{Preset: "blocked"}, "ENG-4"},
		"nothing fits":         {tracker.Query{Labels: "red", Type: "epic"}, ""},
		"a queue of nobody's":  {tracker.Query{Preset: "my_queue"}, ""},
		"labels or none at it": {tracker.Query{Labels: "red,none"}, "ENG-1 ENG-2 ENG-4 MKT-1"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := h.keys(c.q); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	out := do(h, h.Tracker.ListItems, h.seat("backend-dev"), tracker.ListItems{Query: tracker.Query{Preset: "my_queue"}})
	if len(out.Items) != 1 || out.Items[0].Key != "ENG-1" {
		t.Errorf("a seat's queue is %+v", out.Items)
	}
}

func TestListItemsRefuses(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for key, q := range map[string]tracker.Query{
		"container": {Container: "galaxy:x"}, "status": {Status: "don"}, "type": {Type: "wish"}, "priority": {Priority: "hihg"},
		"assignee": {Assignee: "nobody-here"}, "due": {Due: "around:today"}, "parent": {Parent: "x"}, "updated": {Updated: "range:today"},
		"watcher": {Watcher: "nobody-here"}, "start": {Start: "lt:when"}, "blocked": {Blocked: "maybe"},
	} {
		t.Run(key, func(t *testing.T) {
			_, err := tool.Do(t.Context(), h.Run, h.Tracker.ListItems, enginetest.By("ana"), tracker.ListItems{Query: q})
			if no := refusal.Of(err); no == nil || no.Class != refusal.Invalid || no.Fields[key] == "" {
				t.Errorf("got %v", err)
			}
		})
	}
	for _, cursor := range []string{"x", "e30", "eyJzIjoiLXVwZGF0ZWQiLCJ2IjoieCIsImkiOiIwMTkwZjNhMi03YzRlLTdkNWEtOWIxZS0zZjBjMmExZDRlNWYifQ"} {
		_, err := tool.Do(t.Context(), h.Run, h.Tracker.ListItems, enginetest.By("ana"), tracker.ListItems{Cursor: cursor})
		if no := refusal.Of(err); no == nil || no.Class != refusal.Invalid || no.Fields["cursor"] == "" {
			t.Errorf("cursor %s: %v", cursor, err)
		}
	}
}

// What names something that is not there is no question that nothing fits: it
// is told so, and only where nothing does.
func TestListItemsNamesWhatIsNotThere(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.item(tracker.CreateItem{Title: "One"})
	for name, c := range map[string]struct {
		q     tracker.Query
		field string
		says  string
	}{
		"a project":               {tracker.Query{Container: "project:ZZZ"}, "container", "There is no project ZZZ."},
		"a parent":                {tracker.Query{Parent: "eng-999"}, "parent", "There is no item ENG-999."},
		"a label":                 {tracker.Query{Labels: "zzz"}, "labels", `"zzz"`},
		"a unit":                  {tracker.Query{Unit: "zzz"}, "unit", `"zzz"`},
		"a unit that hears":       {tracker.Query{RoutingUnit: "zzz"}, "routing_unit", `"zzz"`},
		"nothing that is missing": {q: tracker.Query{Container: "project:MKT"}},
		"another label beside it": {q: tracker.Query{Labels: "zzz,none"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tool.Do(t.Context(), h.Run, h.Tracker.ListItems, enginetest.By("ana"), tracker.ListItems{Query: c.q})
			no := refusal.Of(err)
			if c.field == "" {
				if err != nil {
					t.Errorf("got %v", err)
				}
				return
			}
			if no == nil || no.Class != refusal.Invalid || !strings.Contains(no.Fields[c.field], c.says) {
				t.Errorf("got %v", err)
			}
		})
	}
	_, err := tool.Do(t.Context(), h.Run, h.Tracker.SearchItems, enginetest.By("ana"), tracker.SearchItems{Q: "one", Project: "ZZZ"})
	if no := refusal.Of(err); no == nil || no.Fields["project"] == "" {
		t.Errorf("searched where nothing is: %v", err)
	}
}

// Every order shows every item once, page by page, while others are changed.
func TestPagesOfItemsHoldEachOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const n = 23
	for i := range n {
		in := tracker.CreateItem{Title: fmt.Sprint(i), Priority: tracker.Priorities()[i%5]}
		if i%3 > 0 {
			in.Due = fmt.Sprintf("+%dd", i%4)
		}
		h.item(in)
		if i%2 == 0 {
			h.Clock.Move(time.Second)
		}
	}
	for _, sort := range []string{"-updated", "updated", "-created", "created", "due", "-priority", "key"} {
		t.Run(sort, func(t *testing.T) {
			seen, cursor := map[string]int{}, ""
			for page := 0; page == 0 || cursor != ""; page++ {
				out := do(h, h.Tracker.ListItems, enginetest.By("ana"), tracker.ListItems{Sort: sort, Limit: 4, Cursor: cursor, Totals: true})
				if *out.Total != n {
					t.Errorf("total %d", *out.Total)
				}
				for _, it := range out.Items {
					seen[it.Key]++
				}
				if cursor = out.Next; page > n {
					t.Fatal("the pages never end")
				}
			}
			if len(seen) != n {
				t.Errorf("%d of %d seen", len(seen), n)
			}
			for key, times := range seen {
				if times != 1 {
					t.Errorf("%s was seen %d times", key, times)
				}
			}
		})
	}
}

// A page of a project has the project whatever fits.
func TestAProjectComesWithAnEmptyPage(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	in := tracker.ListItems{Describe: true}
	in.Container = "project:MKT"
	empty := do(h, h.Tracker.ListItems, enginetest.By("ana"), in)
	if empty.Project == nil || empty.Project.Key != "MKT" || len(empty.Items) != 0 || empty.Next != "" || len(empty.Everybody) == 0 {
		t.Errorf("nothing filed: %+v", empty)
	}
	h.item(tracker.CreateItem{Title: "Plain", Project: "MKT"})
	due := h.item(tracker.CreateItem{Title: "Due", Project: "MKT", Due: "2031-04-16", Priority: "high"}).Key
	for _, sort := range []string{"", "updated", "-created", "created", "due", "-priority", "key"} {
		in.Sort, in.Limit = sort, 1
		first := do(h, h.Tracker.ListItems, enginetest.By("ana"), in)
		in.Cursor = first.Next
		rest := do(h, h.Tracker.ListItems, enginetest.By("ana"), in)
		in.Cursor = ""
		if len(first.Items) != 1 || len(rest.Items) != 1 || first.Items[0].Key == rest.Items[0].Key || rest.Next != "" || rest.Project.Open != 2 {
			t.Errorf("by %q: %+v, then %+v", sort, first.Items, rest.Items)
		}
		if sort == "due" && (first.Items[0].Key != due || first.Items[0].Due != "2031-04-16" || first.Items[0].Priority != "high") {
			t.Errorf("by due: %+v", first.Items[0])
		}
	}
	in.Container = "project:NOPE"
	refused(h, h.Tracker.ListItems, enginetest.By("ana"), in, refusal.NotFound)
}
