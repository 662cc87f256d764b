// Package access decides who may do what. It is pure: what it is asked about
// is handed to it, and the same function answers "may I?" for drawing a
// button and for doing it.
package access

import (
	"fmt"
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

// ParseGrants reads grant names; "all" stands for every one. A name nobody
// knows is refused, listing those there are.
func ParseGrants(list []string) (Grants, error) {
	var g Grants
	for _, name := range list {
		name = strings.TrimSpace(name)
		if name == "all" {
			g |= All
			continue
		}
		i := slices.Index(Names(), name)
		if i < 0 {
			return None, fmt.Errorf("%q is no grant; there are all, %s", name, strings.Join(Names(), ", "))
		}
		g |= 1 << i
	}
	return g, nil
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
