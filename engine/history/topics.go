// Package history is what people ask of the past: who did what, what came of
// it, and what changed since. It reads the log and the record; every other
// area writes them through the runner.
package history

import (
	"strings"

	"crewlet/engine/changes"
)

// Topics are the live topics a change belongs to. A page that listens to one
// of them fetches itself again when the change lands. Every change belongs to
// "audit" and "changes".
func Topics(c changes.Change) []string {
	topics := []string{"audit", "changes"}
	area, _, _ := strings.Cut(c.Kind, ".")
	return append(append(topics, byArea(area)...), byObject(c.Object)...)
}

func byArea(area string) []string {
	switch area {
	case "company":
		return []string{"company", "config"}
	case "seat":
		return []string{"company", "people"}
	case "unit":
		return []string{"company"}
	case "server", "catalogue":
		return []string{"servers", "tools"}
	case "secret":
		return []string{"secrets"}
	case "token":
		return []string{"tokens", "account"}
	case "person":
		return []string{"people", "account"}
	case "session":
		return []string{"account"}
	case "item", "comment", "ask":
		return []string{"work", "inbox"}
	case "project", "tag":
		return []string{"work"}
	case "inbox", "queue":
		return []string{"inbox"}
	default:
		return nil
	}
}

// byObject are the topics of one item or project: whoever shows an item is
// not woken by every other.
func byObject(object string) []string {
	kind, name, _ := strings.Cut(object, ":")
	switch kind {
	case "item":
		project, _, _ := strings.Cut(name, "-")
		return []string{"work:" + project, object}
	case "project":
		return []string{"work:" + name}
	default:
		return nil
	}
}
