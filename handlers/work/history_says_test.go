package work

import (
	"encoding/json"
	"strings"
	"testing"

	"crewlet/engine/tool"
	"crewlet/engine/tracker"

	view "crewlet/views/work"
)

// sentence is a change as it is read.
func sentence(h view.Happened) string {
	parts := []string{h.By.Name}
	for _, p := range h.Says {
		parts = append(parts, strings.TrimSpace(p.Key+" "+p.Text)+p.Then)
	}
	return strings.Join(parts, " ")
}

func TestChangesAreSentences(t *testing.T) {
	t.Parallel()
	tells := teller{names: map[string]string{"ada": "Ada"}, call: &tool.Call{}}
	for name, c := range map[string]struct{ kind, deltas, want string }{
		"filed":            {"item.created", `{"title":{"to":"Old"},"assignee":{"to":"ada"}}`, "Ann filed ENG-4 Paint for Ada"},
		"moved":            {"item.updated", `{"status":{"from":"todo","to":"done"}}`, "Ann moved ENG-4 Paint from Todo to Done"},
		"given":            {"item.updated", `{"assignee":{"to":"ada"}}`, "Ann gave ENG-4 Paint to Ada"},
		"taken":            {"item.updated", `{"assignee":{"from":"left"}}`, "Ann took ENG-4 Paint from left"},
		"handed on":        {"item.updated", `{"assignee":{"from":"ada","to":"bo"},"reason":{"to":"x"}}`, "Ann handed ENG-4 Paint from Ada to bo"},
		"described":        {"item.updated", `{"description":{"from":"0 bytes","to":"9 bytes"}}`, "Ann described ENG-4 Paint"},
		"described again":  {"item.updated", `{"description":{"from":"8 bytes","to":"9 bytes"}}`, "Ann edited the description of ENG-4 Paint from 8 bytes to 9 bytes"},
		"three at once":    {"item.updated", `{"status":{"from":"todo","to":"in_progress"},"priority":{"from":"low","to":"high"},"due":{"from":"2031-01-01"}}`, "Ann moved ENG-4 Paint from Todo to In progress, cleared its due date which was 2031-01-01 and changed its priority from Low to High"},
		"labels":           {"item.updated", `{"labels":{"from":["a"],"to":["b","c"]}}`, "Ann added the labels b and c to ENG-4 Paint and took the label a off it"},
		"waits":            {"item.updated", `{"waiting_on":{"to":["ENG-1","ENG-2"],"from":["ENG-3"]}}`, "Ann made ENG-4 Paint wait on ENG-1 and ENG-2 and stopped it waiting on ENG-3"},
		"a watcher":        {"item.updated", `{"watchers":{"to":["ada"]}}`, "Ann added the watcher Ada to ENG-4 Paint"},
		"minutes":          {"item.updated", `{"estimate_minutes":{"to":90}}`, "Ann set the estimate minutes of ENG-4 Paint to 90"},
		"nothing known":    {"item.updated", `[]`, "Ann changed ENG-4 Paint"},
		"said":             {"comment.added", `{"comment":{"to":"id"},"body":{"to":"9 bytes"}}`, "Ann commented on ENG-4 Paint"},
		"asked":            {"ask.opened", `{"to":{"to":"ada"}}`, "Ann asked Ada a question on ENG-4 Paint"},
		"answered":         {"ask.answered", `{"choice":{"to":["Yes"]}}`, "Ann answered a question on ENG-4 Paint with Yes"},
		"heard of never":   {"item.merged", `{}`, "Ann merged ENG-4 Paint"},
		"of a thing as if": {"attachment.removed", `{}`, "Ann removed an attachment of ENG-4 Paint"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := tracker.Event{Kind: c.kind, Item: "ENG-4", Title: "Paint", Project: "ENG", Changed: json.RawMessage(c.deltas), Author: &tracker.Person{Name: "Ann"}}
			if got := sentence(tells.told(e)); got != c.want {
				t.Errorf("it reads %q, want %q", got, c.want)
			}
		})
	}
	for kind, want := range map[string]string{
		`project.declared {"unit":{"to":"eng"}}`:                             "The program declared the project ENG",
		`project.updated {"labels":{"from":"a","to":"b"}}`:                   "The program renamed the label a to b in ENG",
		`project.updated {"labels":{"to":"b"},"name":{"from":"x","to":"y"}}`: "The program renamed ENG from x to y and added the label b to it",
	} {
		kind, deltas, _ := strings.Cut(kind, " ")
		if got := sentence(tells.told(tracker.Event{Kind: kind, Project: "ENG", Changed: json.RawMessage(deltas)})); got != want {
			t.Errorf("%s reads %q, want %q", kind, got, want)
		}
	}
}
