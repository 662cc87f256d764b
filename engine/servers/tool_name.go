package servers

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// longest is how long a name may be that a model calls a tool by.
const longest = 64

// declared is a server as far as its tools' names depend on it. A list of them
// is in the document's order.
type declared struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Prefix string `json:"prefix,omitempty"`
}

// naming is the name of one tool, as it is and as it becomes.
type naming struct {
	Server     string `db:"server" json:"server"`
	Seat       string `db:"seat" json:"seat"`
	Utility    bool   `db:"utility" json:"utility"` // it stands for resources or prompts
	Name       string `db:"name" json:"name"`       // the server's own
	Base       string `db:"base" json:"base"`
	Registered string `db:"registered" json:"registered"`
	Resolved   bool   `db:"resolved" json:"resolved"`
}

// assign gives every tool its registered name: prefix and own name, unless a
// builtin or an earlier tool has that; then mcp__<server>__<tool>. Servers that
// are declared earlier choose first. A name resolved so stays, even when the
// plain one is free again. Seats do not meet each other. Utility tools carry
// their server's name in any case.
func assign(tools []*naming, order []declared, reserved map[string]bool) {
	place := make(map[string]int, len(order))
	for i, d := range order {
		place[d.ID] = i + 1
	}
	slices.SortFunc(tools, func(a, b *naming) int {
		return cmp.Or(cmp.Compare(rank(place, a), rank(place, b)), cmp.Compare(a.Server, b.Server),
			cmp.Compare(a.Seat, b.Seat), bothWays(a.Utility, b.Utility), cmp.Compare(a.Name, b.Name))
	})
	taken := map[[2]string]bool{}
	free := func(t *naming, name string) bool { return !reserved[name] && !taken[[2]string{t.Seat, name}] }
	take := func(t *naming, name string, resolved bool) {
		t.Registered, t.Resolved, taken[[2]string{t.Seat, name}] = name, resolved, true
	}
	var open []*naming
	for _, t := range tools {
		base := baseOf(t, order, place)
		if t.Resolved && t.Base == base && free(t, t.Registered) {
			take(t, t.Registered, true)
			continue
		}
		t.Base = base
		open = append(open, t)
	}
	for _, t := range open {
		plain := callable(t.Base)
		if free(t, plain) {
			take(t, plain, false)
			continue
		}
		full := qualified(nameOf(t, order, place), t.Name)
		if free(t, callable(full)) {
			take(t, callable(full), true)
			continue
		}
		about := t.Server + "\x00" + t.Name
		if t.Utility {
			about += "\x00utility"
		}
		take(t, hashed(full, about), true)
	}
}

// qualified is a tool's name with its server's.
func qualified(server, name string) string { return "mcp__" + server + "__" + name }

// bothWays puts what is not so before what is.
func bothWays(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// rank is a server's place; one that is declared no more comes last.
func rank(place map[string]int, t *naming) int {
	if at := place[t.Server]; at > 0 {
		return at
	}
	return len(place) + 1
}

// baseOf is what a tool would be called alone. What a server that is gone
// listed keeps the base it had.
func baseOf(t *naming, order []declared, place map[string]int) string {
	if at := place[t.Server]; at > 0 {
		if t.Utility {
			return qualified(order[at-1].Name, t.Name)
		}
		return order[at-1].Prefix + t.Name
	}
	if t.Base != "" {
		return t.Base
	}
	return t.Name
}

func nameOf(t *naming, order []declared, place map[string]int) string {
	if at := place[t.Server]; at > 0 {
		return order[at-1].Name
	}
	return t.Server
}

// callable makes a name of what models may call: letters and digits of ASCII,
// dashes and underscores, at most 64. An over-long one is shortened and keeps
// a hash of the whole.
func callable(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	if safe != "" && len(safe) <= longest {
		return safe
	}
	return hashed(name, name)
}

// hashed ends a name with eight digits that depend on about alone.
func hashed(name, about string) string {
	sum := sha256.Sum256([]byte(about))
	digits := hex.EncodeToString(sum[:4])
	safe := callable("x" + name[:min(len(name), longest-len(digits)-2)])[1:]
	return safe + "_" + digits
}
