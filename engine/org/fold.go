package org

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// apart are letters that no decomposition takes apart and people type without.
var apart = strings.NewReplacer("ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "æ", "ae", "œ", "oe", "ı", "i")

// fold reads a name as somebody would type it who has neither its capitals nor
// its accents: "José  Ñandú" is "jose nandu".
func fold(s string) string {
	s = norm.NFKD.String(cases.Fold().String(norm.NFKC.String(s)))
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(apart.Replace(s)), " ")
}

// add puts a member in, with all it may be called.
func (d *Directory) add(m Member, called []string) {
	n := len(d.members)
	d.members = append(d.members, m)
	d.parties[m.Party] = m
	for _, exact := range []string{m.Party, m.Handle, m.Login} {
		if exact != "" {
			d.known[exact] = n
		}
	}
	var words []string
	for _, name := range called {
		word := fold(strings.TrimPrefix(name, "@"))
		if word == "" || slices.Contains(words, word) {
			continue
		}
		words = append(words, word)
		d.folded[word] = append(d.folded[word], n)
	}
	d.words = append(d.words, words)
}
