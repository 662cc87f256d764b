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
	bestAt, bestCount := 0, 0
	for i := range marks {
		seen := uint64(0)
		count := 0
		for _, m := range marks[i:] {
			if m.to > marks[i].from+size-lead {
				break
			}
			if bit := uint64(1) << (m.word % 64); seen&bit == 0 {
				seen |= bit
				count++
			}
		}
		if count > bestCount {
			bestAt, bestCount = marks[i].from, count
		}
	}
	from = max(0, min(bestAt-lead, len(text)-size))
	to = min(len(text), from+size)
	return forward(text, from, min(bestAt, to)), back(text, to, max(bestAt, from))
}

// reach is how far a cut goes to find the end of a word.
const reach = 40

// forward moves a beginning to that of a word.
func forward(text string, at, limit int) int {
	if at == 0 {
		return 0
	}
	for i := at; i < min(limit, at+reach); i++ {
		if before, _ := utf8.DecodeLastRuneInString(text[:i]); unicode.IsSpace(before) {
			if here, _ := utf8.DecodeRuneInString(text[i:]); utf8.RuneStart(text[i]) && !unicode.IsSpace(here) {
				return i
			}
		}
	}
	return whole(text, at)
}

// back moves an end to that of a word.
func back(text string, at, limit int) int {
	if at == len(text) {
		return at
	}
	for i := at; i > max(limit, at-reach); i-- {
		if here, _ := utf8.DecodeRuneInString(text[i:]); utf8.RuneStart(text[i]) && unicode.IsSpace(here) {
			return i
		}
	}
	return whole(text, at)
}

// whole moves a place out of the middle of a letter, with its marks.
func whole(text string, at int) int {
	for at > 0 && at < len(text) {
		if r, _ := utf8.DecodeRuneInString(text[at:]); utf8.RuneStart(text[at]) && !unicode.Is(unicode.M, r) {
			break
		}
		at--
	}
	return at
}
