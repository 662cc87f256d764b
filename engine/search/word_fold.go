package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// folder makes one form of all that people take for the same word: case,
// accents, ligatures and width do not count.
type folder struct{ raw, out []byte }

// fold answers the letters of a word; they are good until the next.
func (f *folder) fold(text string) []byte {
	f.out = f.out[:0]
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			return f.any(text)
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != '\'' {
			f.out = append(f.out, c)
		}
	}
	return f.out
}

// any folds what is not plain. Marks are taken off the letters of Latin, Greek
// and Cyrillic alone: in other scripts they make other letters.
func (f *folder) any(text string) []byte {
	f.raw = norm.NFKD.AppendString(f.raw[:0], text)
	f.out = f.out[:0]
	for i := 0; i < len(f.raw); {
		r, size := utf8.DecodeRune(f.raw[i:])
		i += size
		r = unicode.ToLower(r)
		if r >= 0x300 && r <= 0x36F || !wordly(r) {
			continue
		}
		if plain, ok := alike[r]; ok {
			f.out = append(f.out, plain...)
			continue
		}
		f.out = utf8.AppendRune(f.out, r)
	}
	if norm.NFC.IsNormal(f.out) {
		return f.out
	}
	f.raw, f.out = f.out, norm.NFC.Append(f.raw[:0], f.out...)
	return f.out
}

// alike are letters that Unicode does not take apart, and people do.
var alike = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th", 'ł': "l", 'ı': "i", 'ħ': "h", 'ς': "σ",
}

// stem takes the ending off an English word. Words with anything but a to z
// are left alone, and so are those of two letters.
func stem(letters string) string {
	if len(letters) < 3 {
		return letters
	}
	for i := range len(letters) {
		if c := letters[i]; c < 'a' || c > 'z' {
			return letters
		}
	}
	return english.Stem(letters, false)
}

// keyOf is a key in one form: its words, whatever is between them.
func keyOf(text string) string {
	var f folder
	var out []byte
	for field := range strings.FieldsFuncSeq(text, func(r rune) bool { return !wordly(r) }) {
		if len(out) > 0 {
			out = append(out, '-')
		}
		out = append(out, f.fold(field)...)
	}
	return string(out)
}

// stopped are the words of English that say nothing about what a text is
// about. They are in the index, for phrases; a question is asked without them,
// unless it has nothing else.
var stopped = func() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(`a about above after again all also am an and any are as at be because been before
		being below between both but by can cannot could did do does doing down during each few for from further had
		has have having he her here hers him his how however i if in into is it its itself just may me might more most
		must my no nor not of off on once only or other our out over own same shall she should so some such than that
		the their them then there these they this those through to too under until up us very was we were what when
		where which while who whom why will with would you your dont doesnt didnt isnt arent cant wont im ive`) {
		all[w] = true
	}
	return all
}()
