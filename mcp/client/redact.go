package client

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

const (
	redacted = "[redacted]"
	cutMark  = "…"
)

// redactor replaces known secret values in all their forms: its own, which
// stay, and those that hold for all at the moment it is used.
type redactor struct {
	own  *forms
	live *Hidden // may be nil
}

func newRedactor(secrets []string, live *Hidden) *redactor {
	return &redactor{own: newForms(secrets), live: live}
}

// known are the values to look for now.
func (r *redactor) known() known {
	k := known{r.own}
	if r.live != nil {
		k[1] = r.live.forms()
	}
	return k
}

// line redacts plain text.
func (r *redactor) line(s string) string { return r.known().line(s) }

// raw redacts JSON text; see known.raw.
func (r *redactor) raw(text []byte) []byte { return r.known().raw(text) }

// clipped redacts a text and cuts it; see known.clipped.
func (r *redactor) clipped(s string, limit int) string { return r.known().clipped(s, limit) }

// enough is how many bytes of a text clipped needs at most to see.
func (r *redactor) enough(limit int) int { return limit + max(r.known().longest(), 1) }

// forms are all the ways in which some values are likely to be printed.
type forms struct {
	starts  [1 << 10]uint64     // a bit for each two bytes a form begins with
	by      map[uint16][]string // by those two bytes, longest first
	longest int                 // bytes of the longest form
}

func newForms(secrets []string) *forms {
	f := &forms{by: map[uint16][]string{}}
	for _, form := range secretForms(secrets) {
		f.longest = max(f.longest, len(form))
		start := startOf(form)
		f.starts[start>>6] |= 1 << (start & 63)
		f.by[start] = append(f.by[start], form)
	}
	return f
}

func startOf(text string) uint16 { return uint16(text[0])<<8 | uint16(text[1]) }

// at is how many bytes of the longest form stand at the beginning of a text.
func (f *forms) at(text string) int {
	start := startOf(text)
	if f.starts[start>>6]&(1<<(start&63)) == 0 {
		return 0
	}
	for _, form := range f.by[start] {
		if strings.HasPrefix(text, form) {
			return len(form)
		}
	}
	return 0
}

// known are the forms to look for, of one moment; the second may be missing.
type known [2]*forms

func (k known) longest() int {
	if k[1] == nil {
		return k[0].longest
	}
	return max(k[0].longest, k[1].longest)
}

func (k known) at(text string) int {
	if len(text) < shortestSecret {
		return 0
	}
	n := k[0].at(text)
	if k[1] != nil {
		n = max(n, k[1].at(text))
	}
	return n
}

// find returns the first stretch of secrets that begins in [from, before):
// forms that overlap are one stretch.
func (k known) find(text string, from, before int) (start, end int, found bool) {
	for ; from < before; from++ {
		n := k.at(text[from:])
		if n == 0 {
			continue
		}
		start, end = from, from+n
		for from++; from < end; from++ {
			end = max(end, from+k.at(text[from:]))
		}
		return start, end, true
	}
	return 0, 0, false
}

func (k known) line(s string) string { return k.upTo(s, len(s)) }

// upTo redacts the first bytes of a text. A secret that begins among them is
// replaced whole, wherever it ends.
func (k known) upTo(s string, limit int) string {
	start, end, found := 0, 0, false
	if k.longest() > 0 {
		start, end, found = k.find(s, 0, limit)
	}
	if !found {
		return s[:limit]
	}
	var b strings.Builder
	from := 0
	for ; found; start, end, found = k.find(s, from, limit) {
		b.WriteString(s[from:start])
		b.WriteString(redacted)
		from = end
	}
	b.WriteString(s[min(from, limit):limit])
	return b.String()
}

// clipped redacts a text and cuts it to so many bytes, in this order: cut
// first, a secret across the cut would keep its beginning. What was cut ends
// in a mark.
func (k known) clipped(s string, limit int) string {
	out, cut := k.upTo(s, min(len(s), limit)), len(s) > limit
	if len(out) > limit {
		out, cut = out[:limit], true
	}
	if !cut {
		return strings.ToValidUTF8(out, "\uFFFD")
	}
	for i := 1; i < utf8.UTFMax && i <= len(out); i++ { // the cut may be inside a character
		if tail := out[len(out)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				out = out[:len(out)-i]
			}
			break
		}
	}
	return strings.ToValidUTF8(out, "\uFFFD") + cutMark
}

// raw redacts JSON text: each string, a key too, by what it says, however it
// is escaped, and each number. Only what holds a secret is written anew;
// every other byte stays. Text without secrets is returned as it is.
func (k known) raw(text []byte) []byte {
	if k.longest() == 0 {
		return text
	}
	var out []byte
	kept := 0 // text is in out up to here
	for i := 0; i < len(text); {
		end, clean := i+1, ""
		changed := false
		switch c := text[i]; {
		case c == '"':
			end = stringEnd(text, i)
			clean, changed = k.word(text[i:end])
		case c == '-', c >= '0' && c <= '9':
			end = numberEnd(text, i)
			number := string(text[i:end])
			clean = k.line(number)
			changed = clean != number
		}
		if changed {
			out = append(append(out, text[kept:i]...), quote(clean)...)
			kept = end
		}
		i = end
	}
	if kept == 0 {
		return text
	}
	if out = append(out, text[kept:]...); !json.Valid(out) {
		return quote(redacted) // it was no JSON before
	}
	return out
}

// word redacts one string literal, and returns what it then says.
func (k known) word(literal []byte) (clean string, changed bool) {
	if bytes.IndexByte(literal, '\\') < 0 {
		said := string(bytes.Trim(literal, `"`))
		clean = k.line(said)
		return clean, clean != said
	}
	var said string
	if json.Unmarshal(literal, &said) != nil {
		said = string(literal) // no JSON: better redacted than right
	}
	clean = k.line(said)
	return clean, clean != said
}

// stringEnd is where the string literal that begins at an index ends.
func stringEnd(text []byte, from int) int {
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func numberEnd(text []byte, from int) int {
	end := from + 1
	for end < len(text) && bytes.IndexByte([]byte("0123456789+-.eE"), text[end]) >= 0 {
		end++
	}
	return end
}

// quote writes a string literal, escaping no more than JSON asks.
func quote(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return bytes.TrimSpace(b.Bytes())
}
