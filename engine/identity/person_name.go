package identity

import (
	"strings"

	"crewlet/engine/org"
	"crewlet/engine/refusal"
)

// checkName refuses a name that nobody could see on a page, and one that turns
// around the text it stands in.
func checkName(name string) error {
	switch {
	case !org.Visible(name):
		return refusal.Invalid.Say("A name has at least one character that can be seen.").On("name")
	case strings.ContainsFunc(name, turns):
		return refusal.Invalid.Say("This name holds a character that turns text around; take it out.").On("name")
	}
	return nil
}

// turns reports the controls that embed, override or isolate a direction.
// Marks that only hint at one are part of how some names are written.
func turns(r rune) bool { return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' }
