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

func TestCreateItem(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	points := 2.5
	got := h.item(tracker.CreateItem{
		Title: "  Fix the login  ", Description: "Ask @reviewer.\n", Priority: "high", Assignee: "@Backend-Dev", Due: "tomorrow", Start: "today",
		Labels: []string{"Customer facing"}, CreateLabels: true, Points: &points, References: []string{"https://example.com/1"},
	})
	if got.Key != "ENG-1" || got.Title != "Fix the login" || got.Status != "todo" || got.Type != "task" || got.Priority != "high" || got.Version != 1 {
		t.Errorf("got %+v", got)
	}
	if got.Assignee.Handle != "backend-dev" || got.Due != "2026-01-03" || got.Start != "2026-01-02" || *got.Points != 2.5 || got.Labels[0] != "customer-facing" {
		t.Errorf("got %+v %+v", got, got.Assignee)
	}
	read := h.read("eng-1")
	if read.Description != "Ask @reviewer.\n" || read.ProjectName != "Engineering" || read.Declared[0].Label != "Customer facing" || read.Unit != "eng" {
		t.Errorf("read %+v", read)
	}
	projects := do(h, h.Tracker.ListProjects, enginetest.By("ana"), tracker.ListProjects{})
	if projects.Total != 2 || projects.Projects[0].Open != 1 || projects.Projects[0].ChangedBy != "ana" || projects.Projects[0].Lead.Handle != "tech-lead" {
		t.Errorf("projects %+v", projects.Projects)
	}
}

func TestAnItemGoesToTheCallersOwnProject(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	if got := do(h, h.Tracker.CreateItem, h.seat("platform"), tracker.CreateItem{Title: "a"}); got.Key != "ENG-1" || got.Reporter.Handle != "platform" {
		t.Errorf("got %+v", got)
	}
	no := refused(h, h.Tracker.CreateItem, enginetest.By("ana"), tracker.CreateItem{Title: "a"}, refusal.Invalid)
	if no.Fields["project"] == "" || !slices.Equal(no.Details["projects"].([]string), []string{"ENG", "MKT"}) {
		t.Errorf("refused %+v", no)
	}
}

func TestCreateItemRefuses(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for name, c := range map[string]struct {
		in    tracker.CreateItem
		field string
		says  string
	}{
		"no title":          {tracker.CreateItem{Title: "  "}, "title", "title"},
		"nothing to see":    {tracker.CreateItem{Title: "\u200b\u3164"}, "title", "title"},
		"two lines":         {tracker.CreateItem{Title: "a\nb"}, "title", "line break"},
		"long title":        {tracker.CreateItem{Title: strings.Repeat("ä", 301)}, "title", "300"},
		"long description":  {tracker.CreateItem{Title: "a", Description: strings.Repeat("x", 200<<10)}, "description", "128 KiB"},
		"no such project":   {tracker.CreateItem{Title: "a", Project: "NOPE"}, "project", "ENG, MKT"},
		"no such person":    {tracker.CreateItem{Title: "a", Assignee: "nobody-here"}, "assignee", "nobody-here"},
		"no such label":     {tracker.CreateItem{Title: "a", Labels: []string{"x"}}, "labels", "labels_create_missing"},
		"no such date":      {tracker.CreateItem{Title: "a", Due: "someday"}, "due", "2031-04-16"},
		"due before start":  {tracker.CreateItem{Title: "a", Start: "+7d", Due: "today"}, "due", "after"},
		"no such parent":    {tracker.CreateItem{Title: "a", Parent: "ENG-99"}, "parent", "ENG-99"},
		"a script":          {tracker.CreateItem{Title: "a", References: []string{"javascript:alert(1)"}}, "references", "https://"},
		"an unknown type":   {tracker.CreateItem{Title: "a", Type: "wish"}, "type", "task"},
		"waits on nothing":  {tracker.CreateItem{Title: "a", WaitingOn: []string{"ENG-99"}}, "waiting_on", "ENG-99"},
		"watched by nobody": {tracker.CreateItem{Title: "a", Watchers: []string{"nobody-here"}}, "watchers", "nobody-here"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.in.Project == "" {
				c.in.Project = "ENG"
			}
			_, err := tool.Do(t.Context(), h.Run, h.Tracker.CreateItem, enginetest.By("ana"), c.in)
			no := refusal.Of(err)
			if no == nil || no.Class != refusal.Invalid || !strings.Contains(no.Fields[c.field], c.says) {
				t.Errorf("got %v %+v", err, no)
			}
		})
	}
	if got := h.item(tracker.CreateItem{Title: "the first"}); got.Key != "ENG-1" {
		t.Errorf("a refused create took a number: %s", got.Key)
	}
}

func TestTenAtOnceGetTenKeys(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var all sync.WaitGroup
	keys := make([]string, 10)
	for i := range keys {
		all.Go(func() {
			out, err := tool.Do(t.Context(), h.Run, h.Tracker.CreateItem, enginetest.By("ana"), tracker.CreateItem{Project: "ENG", Title: fmt.Sprint("number ", i)})
			if err != nil {
				t.Error(err)
			}
			keys[i] = out.Key
		})
	}
	all.Wait()
	slices.Sort(keys)
	if len(slices.Compact(keys)) != 10 || keys[9] != "ENG-9" {
		t.Errorf("keys %v", keys)
	}
}

func TestTheSameTitleIsHandedBack(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	first := h.item(tracker.CreateItem{Title: "Fix the Login"})
	no := refused(h, h.Tracker.CreateItem, enginetest.By("ana"), tracker.CreateItem{Project: "ENG", Title: "fix  the login"}, refusal.Exists)
	if got := no.Details["item"].(tracker.Item); got.Key != first.Key {
		t.Errorf("handed back %+v", got)
	}
	if got := h.item(tracker.CreateItem{Title: "Fix the login", Duplicate: true}); got.Key != "ENG-2" {
		t.Errorf("got %s", got.Key)
	}
	h.item(tracker.CreateItem{Title: "fix the login", Parent: first.Key}) // another parent
	h.item(tracker.CreateItem{Title: "fix the login", Project: "MKT"})    // another project
	var all sync.WaitGroup
	landed := make(chan string, 8)
	for range 8 {
		all.Go(func() {
			out, err := tool.Do(t.Context(), h.Run, h.Tracker.CreateItem, enginetest.By("ana"), tracker.CreateItem{Project: "ENG", Title: "at once"})
			if err == nil {
				landed <- out.Key
			} else if !refusal.Is(err, refusal.Exists) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(landed) != 1 {
		t.Errorf("%d of eight alike landed", len(landed))
	}
}

func TestTheDefaultAssigneeTakesIt(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	do(h, h.Tracker.WriteProject, enginetest.By("ana"), tracker.WriteProject{Key: "ENG", DefaultAssignee: tool.Some("backend-dev")})
	if got := h.item(tracker.CreateItem{Title: "a"}); got.Assignee == nil || got.Assignee.Handle != "backend-dev" {
		t.Errorf("got %+v", got.Assignee)
	}
	if got := h.item(tracker.CreateItem{Title: "b", Assignee: "none"}); got.Assignee != nil {
		t.Errorf("got %+v", got.Assignee)
	}
}
