// Package access decides who may do what. It is pure: what it is asked about
// is handed to it, and the same function answers "may I?" for drawing a
// button and for doing it.
package access

import (
	"slices"
	"strings"

	"crewlet/config"
)

// Grants is a set of rights, one bit each.
type Grants uint16

// The rights there are. ConfigWrite is a shell on every host that runs
// servers, and the screens that give it say so.
const (
	StateRead Grants = 1 << iota
	AuditRead
	ConfigRead
	SecretsRead
	WorkWrite
	KnowledgeWrite
	ConfigWrite
	SecretsWrite
	FleetOperate
	PeopleManage
	SandboxRun
	None Grants = 0
	All         = SandboxRun<<1 - 1
)

// Names lists every grant there is, in the order of their bits: the one list
// the node's settings are checked against, too.
func Names() []string { return config.GrantNames() }

// ParseGrants reads grants as somebody wrote them, by the rules of the node's
// settings: one "all", or names. An error is the rest of a
// sentence about the list.
func ParseGrants(list []string) (Grants, error) {
	words := make([]string, len(list))
	for i, word := range list {
		words[i] = strings.TrimSpace(word)
	}
	g, err := config.ParseGrants(words)
	if err != nil {
		return None, err
	}
	return Granted(g), nil
}

// Granted are grants that were read and checked with the node's settings.
func Granted(g config.Grants) Grants {
	if g.All {
		return All
	}
	return of(g.Names)
}

// Stored reads the grants a row of ours keeps: as ParseGrants, but a row may
// have none.
func Stored(list []string) (Grants, error) {
	if len(list) == 0 {
		return None, nil
	}
	return ParseGrants(list)
}

func of(names []string) Grants {
	var g Grants
	for i, name := range Names() {
		if slices.Contains(names, name) {
			g |= 1 << i
		}
	}
	return g
}

// Has reports whether every right in want is in g.
func (g Grants) Has(want Grants) bool { return g&want == want }

// List names the rights in g, in their fixed order.
func (g Grants) List() []string {
	list := []string{}
	for i, name := range Names() {
		if g&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return list
}

// String joins the names for a sentence.
func (g Grants) String() string { return strings.Join(g.List(), ", ") }
