// Package ui holds the parts pages are made of. Each part is one templ
// component and one struct that says what it shows; a part asks nothing of the
// page around it and decides nothing. Text in a struct is plain text.
package ui

import (
	"strings"

	"github.com/a-h/templ"
)

// describedBy lists the ids of what explains a control: its hint, its error.
func describedBy(id, hint, err string) string {
	var ids []string
	if err != "" {
		ids = append(ids, id+"-error")
	}
	if hint != "" {
		ids = append(ids, id+"-hint")
	}
	return strings.Join(ids, " ")
}

// explained are the attributes that tie a control to its hint and its error.
func explained(id, hint, err string) templ.Attributes {
	attrs := templ.Attributes{}
	if by := describedBy(id, hint, err); by != "" {
		attrs["aria-describedby"] = by
	}
	if err != "" {
		attrs["aria-invalid"] = "true"
	}
	return attrs
}

// idOf is the given id, or one made of the field's name.
func idOf(id, name string) string {
	if id != "" {
		return id
	}
	return "f-" + strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, name)
}
