package history_test

import (
	"slices"
	"testing"

	"crewlet/engine/changes"
	"crewlet/engine/history"
)

func TestAChangeReachesThePagesThatShowIt(t *testing.T) {
	for kind, want := range map[string][]string{
		"company.revised":   {"company", "config"},
		"company.reloaded":  {"company", "config"},
		"server.failed":     {"servers", "tools"},
		"catalogue.changed": {"servers", "tools"},
		"secret.set":        {"secrets"},
		"token.minted":      {"tokens", "account"},
		"session.ended":     {"account"},
		"person.created":    {"people", "account"},
		"seat.bound":        {"company", "people"},
		"nobody.knows":      {},
	} {
		t.Run(kind, func(t *testing.T) {
			got := history.Topics(changes.Change{Kind: kind})
			if !slices.Equal(got, append([]string{"audit", "changes"}, want...)) {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestAChangeOfWorkReachesItsOwnPages(t *testing.T) {
	for name, c := range map[string]struct {
		kind, object string
		want         []string
	}{
		"an item":    {"item.updated", "item:ENG-412", []string{"work", "inbox", "work:ENG", "item:ENG-412"}},
		"a comment":  {"comment.added", "item:ENG-412", []string{"work", "inbox", "work:ENG", "item:ENG-412"}},
		"a question": {"ask.opened", "item:MKT-1", []string{"work", "inbox", "work:MKT", "item:MKT-1"}},
		"a project":  {"project.updated", "project:ENG", []string{"work", "work:ENG"}},
		"an inbox":   {"inbox.marked", "inbox:seat:1", []string{"inbox"}},
		"a queue":    {"queue.ordered", "queue:seat:1", []string{"inbox"}},
		"a server":   {"server.failed", "server:1", []string{"servers", "tools"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := history.Topics(changes.Change{Kind: c.kind, Object: c.object})
			if !slices.Equal(got, append([]string{"audit", "changes"}, c.want...)) {
				t.Errorf("got %v", got)
			}
		})
	}
}
