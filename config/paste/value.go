package paste

import "strings"

// kind is what a value of either language is.
type kind int

const (
	scalar kind = iota // text, number, boolean or nothing
	object
	list
)

// What a text may hold: far more than anybody's servers, far less than a
// machine minds.
const (
	deepest   = 32
	mostNodes = 20_000
)

// value is a piece of what was pasted.
type value struct {
	kind    kind
	text    string // of a scalar, as written, without quotes
	quoted  bool   // a scalar that can only be text
	null    bool
	members []member // of an object, in their order
	items   []*value // of a list
	line    int      // 1-based
}

type member struct {
	key   string
	value *value
	line  int
}

// get is the member of a key, or nil.
func (v *value) get(key string) *value {
	for _, m := range v.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// boolean reads a scalar that says yes or no.
func (v *value) boolean() (yes, ok bool) {
	if v.kind != scalar {
		return false, false
	}
	switch strings.ToLower(v.text) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// texts reads a list of scalars, or one alone.
func (v *value) texts() (all []string, ok bool) {
	if v.kind == scalar {
		if v.null {
			return nil, true
		}
		return []string{v.text}, true
	}
	if v.kind == object {
		return nil, false
	}
	for _, item := range v.items {
		if item.kind != scalar || item.null {
			return nil, false
		}
		all = append(all, item.text)
	}
	return all, true
}

// fold takes a key for what it says: case and dashes weigh nothing.
func fold(key string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "", ".", "").Replace(key))
}
