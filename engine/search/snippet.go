package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Snippet is a piece of a text around what was looked for.
type Snippet struct {
	Text   string   `json:"text"`
	Marks  [][2]int `json:"marks"`  // bytes of Text: from, and behind; in order, apart from each other
	Before bool     `json:"before"` // the text goes on before it
	After  bool     `json:"after"`
}

// Snippet cuts about size bytes out of a text, where most of the question's
// words are near each other, and marks them. It cuts where a word ends, never
// in one, and answers the beginning where no word is found. Pieces are text:
// whoever draws them escapes them.
func (q Query) Snippet(text string, size int) Snippet {
	marks := q.matches(text)
	from, to := window(text, marks, size)
	out := Snippet{Text: text[from:to], Before: from > 0, After: to < len(text)}
	for _, m := range marks {
		if m.from >= from && m.to <= to {
			out.Marks = append(out.Marks, [2]int{m.from - from, m.to - from})
		}
	}
	return out
}

// match is a word of the question in a text.
type match struct {
	from, to int
	word     int // which
}

// matches finds the words of a question in a text, the longer where they
// overlap.
func (q Query) matches(text string) []match {
	words := q.words
	for _, w := range q.words {
		words = append(words[:len(words):len(words)], w.parts...)
	}
	var all []match
	var s splitter
	s.split(text, 0, func(w word) {
		root := stem(string(w.letters))
		for i, a := range words {
			if a.stem != root && (a.prefix == "" || !strings.HasPrefix(string(w.letters), a.prefix)) {
				continue
			}
			m := match{w.from, w.to, i}
			if single(a.prefix) { // of the pair, what was asked
				_, m.to = s.letter(w.from)
				m.to += w.from
			}
			for n := len(all); n > 0 && all[n-1].to > m.from; n-- {
				m.from, m.to = min(m.from, all[n-1].from), max(m.to, all[n-1].to)
				all = all[:n-1]
			}
			all = append(all, m)
			return
		}
	})
	return all
}

// window is the piece with the most different words; the first of those.
func window(text string, marks []match, size int) (from, to int) {
	lead := size / 4
	best, most := match{}, 0
	for i, first := range marks {
		seen, count := uint64(0), 0
		for _, m := range marks[i:] {
			if m.to > first.from+size-lead {
				break
			}
			if bit := uint64(1) << (m.word % 64); seen&bit == 0 {
				seen |= bit
				count++
			}
		}
		if count > most {
			best, most = first, count
		}
	}
	from = max(0, min(best.from-lead, len(text)-size))
	to = min(len(text), from+size)
	return beginning(text, from, min(best.from, to)), ending(text, to, max(best.to, from))
}

// reach is how many bytes a cut moves out of a word that has no end.
const reach = 256

// beginning moves a cut to the beginning of a word: inwards, but not past what
// was found, or else outwards.
func beginning(text string, at, found int) int {
	for i := at; i <= found; i++ {
		if _, here, ok := between(text, i); ok && !unicode.IsSpace(here) {
			return i
		}
	}
	for i := at; i > max(0, at-reach); i-- {
		if _, here, ok := between(text, i); ok && !unicode.IsSpace(here) {
			return i
		}
	}
	return letter(text, max(0, at-reach))
}

// ending is the same for the end of a piece.
func ending(text string, at, found int) int {
	for i := at; i >= found; i-- {
		if before, _, ok := between(text, i); ok && !unicode.IsSpace(before) {
			return i
		}
	}
	for i := at; i < min(len(text), at+reach); i++ {
		if before, _, ok := between(text, i); ok && !unicode.IsSpace(before) {
			return i
		}
	}
	return letter(text, min(len(text), at+reach))
}

// between tells whether a cut breaks nothing: beside a space, or beside a
// letter of a script that has none.
func between(text string, at int) (before, here rune, ok bool) {
	before, _ = utf8.DecodeLastRuneInString(text[:at])
	here, _ = utf8.DecodeRuneInString(text[at:])
	if at == 0 || at == len(text) {
		return before, here, true
	}
	ok = utf8.RuneStart(text[at]) && !unicode.Is(unicode.M, here) &&
		(unicode.IsSpace(before) || unicode.IsSpace(here) || unspaced(before) || unspaced(here))
	return before, here, ok
}

// letter moves a place out of the middle of a letter, with its marks.
func letter(text string, at int) int {
	for at > 0 && at < len(text) {
		if r, _ := utf8.DecodeRuneInString(text[at:]); utf8.RuneStart(text[at]) && !unicode.Is(unicode.M, r) {
			break
		}
		at--
	}
	return at
}
