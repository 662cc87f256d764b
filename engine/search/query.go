package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// most is how many words of a question are looked for; the rest of a longer
// one is left out.
const most = 32

// mostBytes is how many bytes of a question are read.
const mostBytes = 1000

// Query is a question, read once: for the search, and then for the snippets of
// what it found.
type Query struct {
	words   []asked
	not     []asked
	phrases [][]string // stems that follow each other
	never   [][]string // the same, not wanted
	keys    []string   // folded, as whole keys
	key     string     // what a key begins with, while it is being typed; "" for none
}

// asked is one word of a question.
type asked struct {
	stem   string
	prefix string  // not empty: also words that begin so
	parts  []asked // what to look for where nobody has the whole
	key    string  // where a document has that key, the parts are not looked for
	stop   bool    // says nothing
	from   int     // bytes of the piece it was in
	to     int
}

// Parse reads a question. Every text is one:
//
//	login button     either word; what has both, and rarer ones, comes first
//	"log in"         documents with the phrase come first
//	-draft -"no go"  nothing with these
//	log*             words that begin so; of three letters or more
//	ENG-412          the document of that key comes first
//
// While somebody is typing, the last word may be only begun.
func Parse(text string, typing bool) Query {
	var q Query
	text = strings.ToValidUTF8(text[:min(len(text), mostBytes)], " ")
	if end, size := utf8.DecodeLastRuneInString(text); typing && (size == 0 || unicode.IsSpace(end) || end == '"') {
		typing = false
	}
	for rest := text; rest != ""; {
		var p piece
		p, rest = next(rest)
		p.begun = typing && rest == ""
		q.take(p)
	}
	q.leaveOut()
	return q
}

// piece is a word as it was typed, or what was between quotes.
type piece struct {
	text               string
	quoted, not, begun bool
}

// next cuts the first piece off a text. A quote that is never closed ends with
// the text.
func next(text string) (piece, string) {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	var p piece
	if len(text) > 1 && text[0] == '-' && !unicode.IsSpace(rune(text[1])) {
		p.not, text = true, text[1:]
	}
	if strings.HasPrefix(text, `"`) {
		p.quoted = true
		var rest string
		p.text, rest, _ = strings.Cut(text[1:], `"`)
		return p, rest
	}
	end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '"' })
	if end < 0 {
		end = len(text)
	}
	p.text = text[:end]
	return p, text[end:]
}

func (q *Query) take(p piece) {
	p.begun = p.begun || strings.HasSuffix(p.text, "*")
	words, phrase := pieces(p.text, p.begun && !p.quoted)
	switch {
	case p.not && len(phrase) == 0:
	case p.not && (p.quoted || len(phrase) > 1):
		q.never = append(q.never, phrase)
	case p.not:
		q.not = append(q.not, words...)
	default:
		q.want(p, words, phrase)
	}
}

// want adds what is to be found. A document with a phrase is found by the
// words of it, so those must be looked for even if none says anything.
func (q *Query) want(p piece, words []asked, phrase []string) {
	k := keyOf(p.text)
	silent := p.quoted && !slices.ContainsFunc(words, func(a asked) bool { return !a.stop })
	for i := range words {
		words[i].key = k
		words[i].stop = words[i].stop && !silent
	}
	q.words = append(q.words, words...)
	if p.quoted && len(phrase) > 1 {
		q.phrases = append(q.phrases, phrase)
	}
	q.named(k, p.begun)
}

// named notes that a piece may be a key.
func (q *Query) named(k string, begun bool) {
	if k == "" || len(k) > longest {
		return
	}
	if len(q.keys) < most {
		q.keys = append(q.keys, k)
	}
	if begun && strings.ContainsAny(k, "0123456789") {
		q.key = k
	}
}

// pieces reads the words of one piece, and its stems in order as a phrase.
func pieces(text string, begun bool) (words []asked, phrase []string) {
	var s splitter
	typed := len(strings.TrimRight(text, "*"))
	s.split(text, 0, func(w word) {
		letters := string(w.letters)
		lone := single(letters)
		if n := len(words); lone && n > 0 && words[n-1].to == w.to {
			return // the end of a run of pairs, which holds it
		}
		one := asked{stem: stem(letters), stop: stopped[letters], from: w.from, to: w.to}
		if lone || begun && w.to >= typed && utf8.RuneCountInString(letters) > 2 {
			one.prefix = letters // one or two letters begin too many words
		}
		if !w.joined {
			words, phrase = append(words, one), append(phrase, one.stem)
			return
		}
		first := slices.IndexFunc(words, func(a asked) bool { return a.from >= w.from })
		// utf-8, ENG-412, c++: the parts alone mean nothing.
		if strings.Trim(words[len(words)-1].stem, "0123456789") == "" || strings.ContainsAny(letters, "+#") {
			one.parts = slices.Clone(words[first:])
			words = words[:first]
		}
		words = append(words, one)
	})
	return words, phrase
}

// single tells a letter of a script without spaces, alone.
func single(letters string) bool {
	r, size := utf8.DecodeRuneInString(letters)
	return size == len(letters) && unspaced(r)
}

// leaveOut takes away what says nothing, what is there twice and what is too
// much.
func (q *Query) leaveOut() {
	telling := slices.DeleteFunc(slices.Clone(q.words), func(a asked) bool {
		return a.stop && a.prefix == ""
	})
	if len(telling) > 0 {
		q.words = telling
	}
	seen := map[string]bool{}
	q.words = slices.DeleteFunc(q.words, func(a asked) bool {
		twice := seen[a.stem+" "+a.prefix]
		seen[a.stem+" "+a.prefix] = true
		return twice
	})
	q.words = q.words[:min(len(q.words), most)]
	q.not = q.not[:min(len(q.not), most)]
	q.phrases = q.phrases[:min(len(q.phrases), 4)]
	q.never = q.never[:min(len(q.never), 4)]
}

// Empty tells whether there is nothing to look for: no search finds anything.
func (q Query) Empty() bool { return len(q.words) == 0 && len(q.keys) == 0 }
