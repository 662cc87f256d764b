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
