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
	return append(topics, byArea(area)...)
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
	default:
		return nil
	}
}
