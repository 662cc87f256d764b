package org

import (
	"fmt"
	"slices"
	"strings"

	"crewlet/config/nearest"
	"crewlet/engine/refusal"
)

// mostCandidates is how many a refusal names.
const mostCandidates = 5

// Candidate is somebody who may have been meant. Word is what means exactly
// them.
type Candidate struct {
	Word string `json:"word"`
	Name string `json:"name"`
	Role string `json:"role,omitempty"`
	Unit string `json:"unit,omitempty"`
}

// Resolve finds whom a word means: a handle, "@handle", a login or a party as
// it stands; otherwise, whatever its capitals and accents, the one member who
// is called so by handle, login, seat, name, e-mail address or contact. No one
// and several are refused, with those who may have been meant; nobody is
// chosen for the caller. field is the argument the word came in.
func (d *Directory) Resolve(word, field string) (Member, error) {
	word = strings.TrimSpace(word)
	exact := strings.TrimPrefix(word, "@")
	if n, ok := d.known[exact]; ok {
		return d.members[n], nil
	}
	named := d.folded[fold(exact)]
	switch {
	case fold(exact) == "":
		return Member{}, refusal.Invalid.Say("Name somebody: a handle, a login or a name.").On(field)
	case len(named) == 1:
		return d.members[named[0]], nil
	case len(named) > 1:
		several := d.candidates(named)
		return Member{}, refusal.Invalid.Say("%s may be several: %s. Write the one you mean.", quoted(word), listed(several)).
			On(field).With("candidates", several)
	}
	near := d.candidates(d.like(exact, mostCandidates))
	if len(near) == 0 {
		return Member{}, refusal.Invalid.Say("Nobody here is called %s. A handle, a login or a name will do.", quoted(word)).
			On(field).With("candidates", []Candidate{})
	}
	return Member{}, refusal.Invalid.Say("Nobody here is called %s. Did you mean %s?", quoted(word), listed(near)).
		On(field).With("candidates", near)
}

// Suggest is whom a word that is being typed may mean: those it names, those
// whose names hold it, those spelled much like it. No word is everybody.
func (d *Directory) Suggest(word string, limit int) []Member {
	var found []Member
	for _, n := range d.like(strings.TrimPrefix(strings.TrimSpace(word), "@"), limit) {
		found = append(found, d.members[n])
	}
	return found
}

// like finds members in tiers, each in the directory's order: exactly so,
// called so, beginning so in one of their words, holding it, spelled like it.
func (d *Directory) like(word string, limit int) []int {
	folded := fold(word)
	var found []int
	take := func(list ...int) {
		for _, n := range list {
			if len(found) < limit && !slices.Contains(found, n) {
				found = append(found, n)
			}
		}
	}
	if n, ok := d.known[word]; ok {
		take(n)
	}
	take(d.folded[folded]...)
	for _, fits := range []func(string) bool{
		func(name string) bool { return begins(name, folded) },
		func(name string) bool { return strings.Contains(name, folded) },
		func(name string) bool { return spelled(name, folded) },
	} {
		for n, names := range d.words {
			if len(found) == limit {
				return found
			}
			if slices.ContainsFunc(names, fits) {
				take(n)
			}
		}
	}
	return found
}

// begins reports whether one of a name's words begins so, and the rest follows.
func begins(name, word string) bool {
	if strings.HasPrefix(name, word) {
		return true
	}
	for i, r := range name {
		if (r == ' ' || r == '.' || r == '-' || r == '_') && strings.HasPrefix(name[i+1:], word) {
			return true
		}
	}
	return false
}

func spelled(name, word string) bool {
	if nearest.Name(word, []string{name}) != "" {
		return true
	}
	return nearest.Name(word, strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '.' || r == '-' || r == '_' })) != ""
}

func (d *Directory) candidates(list []int) []Candidate {
	out := make([]Candidate, 0, mostCandidates)
	for _, n := range list[:min(len(list), mostCandidates)] {
		m := d.members[n]
		c := Candidate{Word: m.Word(), Name: m.Name, Unit: m.Unit}
		if m.Role != m.Name {
			c.Role = m.Role
		}
		out = append(out, c)
	}
	return out
}

// listed names candidates in a sentence: jane.doe (Jane Doe) or ana (Ana).
func listed(list []Candidate) string {
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = fmt.Sprintf("%s (%s)", c.Word, c.Name)
	}
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// quoted is a word as a sentence may repeat it.
func quoted(word string) string {
	if runes := []rune(word); len(runes) > 60 {
		word = string(runes[:60]) + "…"
	}
	return fmt.Sprintf("%q", word)
}
