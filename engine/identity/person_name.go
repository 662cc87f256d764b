package identity

import (
	"strings"
	"unicode"

	"crewlet/engine/refusal"
)

// checkName refuses a name that nobody could see on a page, and one that turns
// around the text it stands in.
func checkName(name string) error {
	switch {
	case !visible(name):
		return refusal.Invalid.Say("A name has at least one character that can be seen.").On("name")
	case strings.ContainsFunc(name, turns):
		return refusal.Invalid.Say("This name holds a character that turns text around; take it out.").On("name")
	}
	return nil
}

// visible reports whether anything of a text is drawn.
func visible(text string) bool { return strings.ContainsFunc(text, drawn) }

// blank are letters and a symbol, by their class, that fonts draw nothing for.
const blank = "\u115f\u1160\u2800\u3164\uffa0"

func drawn(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.IsMark(r) && !strings.ContainsRune(blank, r)
}

// turns reports the controls that embed, override or isolate a direction.
// Marks that only hint at one are part of how some names are written.
func turns(r rune) bool { return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' }
