package search

import (
	"unicode"
	"unicode/utf8"
)

// longest is how many bytes of a word are kept. What is longer is no word
// anybody types: a digest, an encoded file.
const longest = 64

// word is one word of a text. Its letters are good until the next word.
type word struct {
	letters  []byte // folded, not stemmed
	place    uint32 // counts words, so that neighbours differ by one
	from, to int    // bytes of the text
	joined   bool   // a whole whose parts are words too: "user_name", "c++"
}

// splitter cuts one text into words. A word is a run of letters and digits;
// where such runs hang together (real-time, user_name, getUserName, a.b) each
// is a word, and so is the whole without what joined it. Scripts written
// without spaces are cut into overlapping pairs, as nobody here knows their
// words.
type splitter struct {
	text  string
	at    int
	place uint32
	emit  func(word)
	parts []part
	whole []byte
	fold  folder
}

// part is a run of letters and digits, in bytes of the text.
type part struct{ from, to int }

// split hands each word of a text to emit, in order. It answers the place
// after the last.
func (s *splitter) split(text string, place uint32, emit func(word)) uint32 {
	s.text, s.at, s.place, s.emit = text, 0, place, emit
	for s.at < len(s.text) {
		r, size := s.rune(s.at)
		switch {
		case unspaced(r):
			s.pairs()
		case wordly(r):
			s.compound()
		default:
			s.at += size
		}
	}
	return s.place
}

func (s *splitter) rune(at int) (rune, int) {
	if at >= len(s.text) {
		return 0, 0
	}
	if c := s.text[at]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s.text[at:])
}

func wordly(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && unicode.In(r, unicode.L, unicode.N, unicode.M)
}

func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// joins tells the marks that hold the parts of one word together.
func joins(r rune) bool {
	switch r {
	case '-', '_', '.', '/', '\'', '’', '\u2010', '\u2011':
		return true
	}
	return false
}

// compound reads one word and all that hangs on it.
func (s *splitter) compound() {
	s.parts = s.parts[:0]
	from := s.at
	s.run()
	for {
		r, size := s.rune(s.at)
		next, _ := s.rune(s.at + size)
		if !joins(r) || !wordly(next) || unspaced(next) {
			break
		}
		if (r == '\'' || r == '’') && s.suffix(s.at+size) {
			continue
		}
		s.at += size
		s.run()
	}
	s.handOut(from)
}

// suffix takes what follows an apostrophe when it is an ending: ’s is dropped,
// ’t, ’re, ’ll and their like belong to the word before.
func (s *splitter) suffix(at int) bool {
	end := at
	for {
		r, size := s.rune(end)
		if !wordly(r) {
			break
		}
		end += size
	}
	if end-at > 2 {
		return false
	}
	if end-at != 1 || s.text[at]|0x20 != 's' {
		s.parts[len(s.parts)-1].to = end // the apostrophe is dropped by folding
	}
	s.at = end
	return true
}

// run reads letters and digits to their end, cut where the case says that a
// new word begins: getUser, HTTPServer.
func (s *splitter) run() {
	start, before := s.at, rune(0)
	for {
		for s.at < len(s.text) && plain(s.text[s.at]) {
			before = rune(s.text[s.at]) // most letters are these
			s.at++
		}
		r, size := s.rune(s.at)
		if !wordly(r) || unspaced(r) {
			break
		}
		if upper(r) && (lower(before) || upper(before) && s.lowers(s.at+size)) {
			s.parts = append(s.parts, part{start, s.at})
			start = s.at
		}
		before = r
		s.at += size
	}
	s.parts = append(s.parts, part{start, s.at})
}

func plain(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

// lowers tells whether two small letters follow: the S of HTTPServer begins a
// word, that of IDs does not.
func (s *splitter) lowers(at int) bool {
	one, size := s.rune(at)
	two, _ := s.rune(at + size)
	return lower(one) && lower(two)
}

func upper(r rune) bool {
	return 'A' <= r && r <= 'Z' || r >= utf8.RuneSelf && unicode.IsUpper(r)
}

func lower(r rune) bool {
	return 'a' <= r && r <= 'z' || r >= utf8.RuneSelf && unicode.IsLower(r)
}

// handOut emits the parts read, and the whole where there are several.
func (s *splitter) handOut(from int) {
	first := s.place
	s.apart()
	n := len(s.whole)
	if len(s.parts) > 1 && len(s.parts) <= 8 && n > 0 && n <= longest {
		s.emit(word{letters: s.whole, place: first, from: from, to: s.at, joined: true})
	}
	if end := s.signs(); len(s.parts) == 1 && n > 0 && n <= 2 && end > s.at {
		s.whole = append(s.whole, s.text[s.at:end]...)
		s.emit(word{letters: s.whole, place: first, from: from, to: end, joined: true})
		s.at = end
	}
}

// apart emits the parts, and puts them together in whole: without what joined
// them, but for the points of a number.
func (s *splitter) apart() {
	s.whole = s.whole[:0]
	for i, p := range s.parts {
		letters := s.fold.fold(s.text[p.from:p.to])
		if i > 0 && digit(letters) && digit(s.whole) && s.text[p.from-1] == '.' {
			s.whole = append(s.whole, '.')
		}
		s.whole = append(s.whole, letters...)
		if len(letters) > 0 {
			s.emit(word{letters: cut(letters), place: s.place, from: p.from, to: p.to})
			s.place++
		}
	}
}

// signs answers where the signs end that follow the name of some languages:
// c++, f#; not a+b.
func (s *splitter) signs() int {
	end := s.at
	for end < len(s.text) && end-s.at < 2 && (s.text[end] == '+' || s.text[end] == '#') {
		end++
	}
	if next, _ := s.rune(end); wordly(next) {
		return s.at
	}
	return end
}

// digit tells whether either end of a number is here.
func digit(b []byte) bool {
	return len(b) > 0 && '0' <= b[len(b)-1] && b[len(b)-1] <= '9'
}

// cut shortens a word to what is kept, at the end of a letter.
func cut(b []byte) []byte {
	if len(b) <= longest {
		return b
	}
	n := longest
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

// pairs reads a run of a script without spaces: each two neighbours are a
// word, and the last letter alone, so that every letter begins a word.
func (s *splitter) pairs() {
	for {
		r, size := s.letter(s.at)
		if !unspaced(r) {
			return
		}
		end := s.at + size
		if next, more := s.letter(end); unspaced(next) {
			end += more
		}
		if letters := s.fold.fold(s.text[s.at:end]); len(letters) > 0 {
			s.emit(word{letters: cut(letters), place: s.place, from: s.at, to: end})
			s.place++
		}
		s.at += size
	}
}

// letter is a rune with the marks that stand on it.
func (s *splitter) letter(at int) (rune, int) {
	r, size := s.rune(at)
	for end := at + size; size > 0; end = at + size {
		mark, more := s.rune(end)
		if mark < utf8.RuneSelf || !unicode.Is(unicode.M, mark) {
			break
		}
		size += more
	}
	return r, size
}
