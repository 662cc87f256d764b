package config

import (
	"fmt"
	"slices"
	"strings"

	"crewlet/config/nearest"
)

// Grants is a set of grants by name, or all of them.
type Grants struct {
	All   bool
	Names []string // in the order GrantNames gives; nil when All
}

// GrantNames lists every grant there is. config:write is shell on every host
// that runs servers.
func GrantNames() []string {
	return []string{
		"state:read", "audit:read", "config:read", "secrets:read", "work:write", "knowledge:write",
		"config:write", "secrets:write", "fleet:operate", "people:manage", "sandbox:run",
	}
}

// Has reports whether a grant is in the set.
func (g Grants) Has(name string) bool { return g.All || slices.Contains(g.Names, name) }

// ParseGrants reads grant names, or the one word all. It refuses an empty
// list, a name nobody knows (naming the nearest, and those there are), and all
// beside names. An error is the rest of a sentence about the list.
func ParseGrants(words []string) (Grants, error) {
	if len(words) == 1 && words[0] == "all" {
		return Grants{All: true}, nil
	}
	if len(words) == 0 {
		return Grants{}, fmt.Errorf("names no grant. Write all, or some of %s", strings.Join(GrantNames(), ", "))
	}
	for _, w := range words {
		if slices.Contains(GrantNames(), w) {
			continue
		}
		if w == "all" {
			return Grants{}, fmt.Errorf("has all beside other grants. Write all alone, or leave it away")
		}
		if near := nearest.Name(w, GrantNames()); near != "" {
			return Grants{}, fmt.Errorf("holds %q, which is no grant. Did you mean %s? The grants are %s", short(w), near, strings.Join(GrantNames(), ", "))
		}
		return Grants{}, fmt.Errorf("holds %q, which is no grant. The grants are %s", short(w), strings.Join(GrantNames(), ", "))
	}
	var g Grants
	for _, name := range GrantNames() {
		if slices.Contains(words, name) {
			g.Names = append(g.Names, name)
		}
	}
	return g, nil
}

func (r *reading) grants(variable string) Grants {
	v := r.value(variable)
	if v == "" {
		return Grants{All: true}
	}
	words := strings.FieldsFunc(v, func(c rune) bool { return c == ',' || c == ' ' })
	g, err := ParseGrants(words)
	if err != nil {
		r.say(variable, "%s.", err)
	}
	return g
}
