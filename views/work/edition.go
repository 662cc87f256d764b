package work

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"crewlet/views/layout"
	"crewlet/views/prose"
	"crewlet/views/ui"
)

// EditionsAddress is where the saves of an item's description are.
func EditionsAddress(key string) string { return ItemAddress(key) + "/editions" }

func editionAddress(key string, no int) string { return EditionsAddress(key) + "/" + strconv.Itoa(no) }

// EditionsPage lists the saves of a description, the newest first.
type EditionsPage struct {
	Shell  layout.Shell
	Key    string
	Rows   []Edition
	Before int // the rows are older than this one; 0 on the first page
	Next   int // 0 at the end
	AsOf   int64
}

// Edition is one save of a description, numbered as the version of the item
// that it made.
type Edition struct {
	No      int
	By      *Person
	At      ui.TimeView
	Bytes   int
	Current bool
}

func (p EditionsPage) region() ui.RegionView {
	return ui.RegionView{ID: "editions", Href: EditionsAddress(p.Key), Topics: []string{"item:" + p.Key}, AsOf: p.AsOf}
}

func (p EditionsPage) pager() ui.PagerView {
	v := ui.PagerView{Shown: counted(len(p.Rows), "version") + " here"}
	if p.Before > 0 {
		v.First = EditionsAddress(p.Key)
	}
	if p.Next > 0 {
		v.Next = EditionsAddress(p.Key) + "?before=" + strconv.Itoa(p.Next)
	}
	return v
}

// EditionPage is one save whole, beside another.
type EditionPage struct {
	Shell   layout.Shell
	Key     string
	Edition Edition
	Against int // what it is compared with; 0 where nothing was before
	Newest  int // the save that stands
	Lines   []ui.DiffLine
	Text    prose.Text
	Restore Restore
}

// Restore is the form that saves a text from the past again.
type Restore struct {
	Key, Action string
	No, Version int // the save, and the item's version when it was drawn
	May         bool
	Form        Form
	Since       []Happened // what came between, where the form came back for that
	AsOf        int64
}

func (r Restore) region() ui.RegionView {
	return ui.RegionView{ID: "restore", Href: editionAddress(r.Key, r.No) + "?part=restore", Topics: []string{"item:" + r.Key}, AsOf: r.AsOf}
}

// size is a length as people read it.
func size(bytes int) string {
	if bytes < 1024 {
		return counted(bytes, "byte")
	}
	return strconv.FormatFloat(float64(bytes)/1024, 'f', 1, 64) + " KiB"
}

// often says how many times a description was saved over.
func often(times int) string {
	switch times {
	case 1:
		return "Edited once"
	case 2:
		return "Edited twice"
	default:
		return "Edited " + strconv.Itoa(times) + " times"
	}
}

func version(no int) string { return "Version " + strconv.Itoa(no) }

// side is a row of two texts side by side: a line of one, its counterpart in
// the other, or both alike.
type side struct {
	Kind     ui.LineKind // of the row; a changed one is Removed where it has an old side alone, Added where a new one alone
	Old, New int
	Was, Is  []span
}

// class is what the row looks like.
func (s side) class() string {
	if s.Kind == ui.Same {
		return "is-same"
	}
	return string(s.Kind)
}

// span is a stretch of a line that both sides have, or one alone.
type span struct {
	Text    string
	Changed bool
}

// sides pairs the lines of a comparison: what was taken out stands beside what
// was put in its place.
func sides(lines []ui.DiffLine) []side {
	var rows []side
	for i := 0; i < len(lines); {
		if l := lines[i]; l.Kind == ui.Same || l.Kind == ui.Gap {
			text := []span{{Text: l.Text}}
			rows = append(rows, side{Kind: l.Kind, Old: l.Old, New: l.New, Was: text, Is: text})
			i++
			continue
		}
		out := run(lines[i:], ui.Removed)
		in := run(lines[i+len(out):], ui.Added)
		for n := range max(len(out), len(in)) {
			rows = append(rows, paired(out, in, n))
		}
		i += len(out) + len(in)
	}
	return rows
}

func run(lines []ui.DiffLine, kind ui.LineKind) []ui.DiffLine {
	n := 0
	for n < len(lines) && lines[n].Kind == kind {
		n++
	}
	return lines[:n]
}

func paired(out, in []ui.DiffLine, n int) side {
	switch {
	case n >= len(out):
		return side{Kind: ui.Added, New: in[n].New, Is: []span{{Text: in[n].Text}}}
	case n >= len(in):
		return side{Kind: ui.Removed, Old: out[n].Old, Was: []span{{Text: out[n].Text}}}
	}
	row := side{Kind: "is-changed", Old: out[n].Old, New: in[n].New}
	row.Was, row.Is = marked(out[n].Text, in[n].Text)
	return row
}

// marked cuts two lines where they begin and cease to differ, between words. A
// long paragraph with one word changed shows which; lines with little in common
// are others altogether.
func marked(was, is string) (left, right []span) {
	head := common(was, is)
	tail := common(turned(was[head:]), turned(is[head:]))
	if alike := head + tail; alike == 0 || 4*alike < min(len(was), len(is)) {
		return []span{{Text: was}}, []span{{Text: is}}
	}
	return cut(was, head, tail), cut(is, head, tail)
}

func cut(text string, head, tail int) []span {
	end := len(text) - tail
	return []span{{Text: text[:head]}, {Text: text[head:end], Changed: true}, {Text: text[end:]}}
}

// common is the length of what two texts begin with, up to the end of a word.
func common(a, b string) int {
	n, word := 0, 0
	for n < len(a) && n < len(b) {
		r, width := utf8.DecodeRuneInString(a[n:])
		if !strings.HasPrefix(b[n:], a[n:n+width]) {
			return word
		}
		n += width
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			word = n
		}
	}
	if ends(a[n:]) && ends(b[n:]) {
		return n
	}
	return word
}

// ends reports whether a word is over before what follows.
func ends(rest string) bool {
	r, width := utf8.DecodeRuneInString(rest)
	return width == 0 || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// turned is a text from its end, rune by rune, each as it was.
func turned(text string) string {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		_, width := utf8.DecodeLastRuneInString(text)
		out = append(out, text[len(text)-width:]...)
		text = text[:len(text)-width]
	}
	return string(out)
}
