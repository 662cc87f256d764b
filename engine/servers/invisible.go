package servers

import (
	"encoding/json"
	"fmt"
	"strconv"
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
	switch r := all[at]; r {
	case '\n', '\t', '\r':
		return false
	case joiner, nonJoiner:
		return !joins(before(all, at), after(all, at))
	case textStyle, emojiStyle:
		return !styled(before(all, at))
	case lineBreak, paragraph, brailleBlank:
		return true
	default:
		return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
			!unicode.Is(unicode.Prepended_Concatenation_Mark, r) // Arabic signs that are drawn
	}
}

// styled reports whether a character may be told to look like text or an emoji.
func styled(r rune) bool {
	return r != 0 && unicode.IsGraphic(r) && !unicode.Is(unicode.Variation_Selector, r)
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
	if !escapesUnseen(text) {
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

// tagsBegin is the first half of every tag where JSON writes one as two escapes.
const tagsBegin = 0xdb40

// escapesUnseen reports whether one of the escapes of a JSON text may stand for
// a character that cannot be seen. Most texts have none, and reading JSON is
// slow.
func escapesUnseen(text string) bool {
	for {
		_, rest, found := strings.Cut(text, `\u`)
		if !found {
			return false
		}
		code, err := strconv.ParseUint(rest[:min(4, len(rest))], 16, 32)
		if r := rune(code); err == nil && (r == tagsBegin || unseen([]rune{r}, 0)) {
			return true
		}
		text = rest
	}
}
