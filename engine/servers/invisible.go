package servers

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// Visible writes out every character of a text that cannot be seen, as in
// ⟨U+202E⟩, and reports whether there was one: control characters but the ends
// of lines and tabs, those that turn the direction of writing, those of no
// width, tags. A server's words can read other than they are with them, or say
// to a model what no person sees. What emoji, and scripts whose letters join,
// are written with is left alone.
func Visible(text string) (shown string, odd bool) {
	if plain(text) {
		return text, false
	}
	var b strings.Builder
	all := []rune(text)
	for i, r := range all {
		if !unseen(all, i) {
			b.WriteRune(r)
			continue
		}
		odd = true
		fmt.Fprintf(&b, "⟨U+%04X⟩", r)
	}
	return b.String(), odd
}

// plain reports whether a text is ASCII that can be seen.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

const (
	nonJoiner, joiner     = '\u200c', '\u200d'
	textStyle, emojiStyle = '\ufe0e', '\ufe0f'
	lightestSkin, darkest = '\U0001f3fb', '\U0001f3ff'
	lineBreak, paragraph  = '\u2028', '\u2029'
	brailleBlank          = '\u2800'
)

// unseen reports whether one character of a text cannot be seen where it stands.
func unseen(all []rune, at int) bool {
	r := all[at]
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return false
	case r == joiner || r == nonJoiner:
		return !joins(before(all, at), after(all, at))
	case r == textStyle || r == emojiStyle:
		was := before(all, at)
		return was == 0 || unicode.Is(unicode.Variation_Selector, was) || !unicode.IsGraphic(was)
	case r == lineBreak || r == paragraph || r == brailleBlank:
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false // Arabic signs that are drawn
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// joins reports whether a joiner belongs between two characters: in an emoji
// made of several, or within a word of a script whose letters join.
func joins(a, b rune) bool {
	pictures := (unicode.Is(unicode.So, a) || a == emojiStyle || a >= lightestSkin && a <= darkest) && unicode.Is(unicode.So, b)
	return pictures || joining(a) && joining(b)
}

func joining(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
		unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar)
}

func before(all []rune, at int) rune {
	if at == 0 {
		return 0
	}
	return all[at-1]
}

func after(all []rune, at int) rune {
	if at+1 == len(all) {
		return 0
	}
	return all[at+1]
}

// holdsUnseen reports whether what a server says of a tool holds such a
// character, in its schemas too, where it may be written as \u202e.
func holdsUnseen(t toolFact) bool {
	for _, text := range []string{t.Name, t.Title, t.Description} {
		if _, odd := Visible(text); odd {
			return true
		}
	}
	return unseenInJSON(t.InputSchema) || unseenInJSON(t.OutputSchema)
}

func unseenInJSON(text string) bool {
	if _, odd := Visible(text); odd {
		return true
	}
	if !strings.Contains(text, `\u`) {
		return false
	}
	in := json.NewDecoder(strings.NewReader(text))
	for {
		token, err := in.Token()
		if err != nil {
			return false
		}
		if said, ok := token.(string); ok {
			if _, odd := Visible(said); odd {
				return true
			}
		}
	}
}
