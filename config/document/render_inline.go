package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// hand is how an author writes texts at a place.
type hand struct {
	flow   bool       // between brackets, where less may stand without quotes
	quotes yaml.Style // the quotes every text is given here, if any
}

// inline writes a value on one line.
func inline(p plain, h hand) string {
	if p.kind != yaml.ScalarNode {
		h.flow = true
	}
	switch p.kind {
	case yaml.MappingNode:
		parts := make([]string, len(p.keys))
		for i, k := range p.keys {
			parts[i] = quote(k, h) + ": " + inline(p.vals[i], h)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case yaml.SequenceNode:
		parts := make([]string, len(p.vals))
		for i, v := range p.vals {
			parts[i] = inline(v, h)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	switch p.tag {
	case "!!null":
		return "null"
	case "!!str":
		return quote(p.text, h)
	}
	return p.text
}

var (
	// What may stand without quotes. In brackets less may.
	barePlain = regexp.MustCompile(`^[A-Za-z0-9_/$.\p{L}][A-Za-z0-9_/$.,+@%={}\-\p{L}\p{M} ]*(:[A-Za-z0-9_/$.,+@%={}\-\p{L}\p{M}][A-Za-z0-9_/$.,+@%={}\-\p{L}\p{M} ]*)*$`)
	bareFlow  = regexp.MustCompile(`^[A-Za-z_/][A-Za-z0-9_/.+@\-]*$`)
	worded    = regexp.MustCompile(`(?i)^\.?(y|n|yes|no|on|off|true|false|null|nan|inf)$`)
	numeric   = regexp.MustCompile(`^[0-9.+\-][0-9A-Fa-f_xob.,:eE+\-TtZz ]*$`)
)

// quote writes a text, in quotes where it could be taken for something else.
func quote(s string, h hand) string {
	if _, control := controlIn(s, false); h.quotes == yaml.SingleQuotedStyle && !control && !strings.Contains(s, bom) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	if h.quotes == 0 && bare(s, h.flow) {
		return s
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	var out strings.Builder
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		if unwelcome(r, 2) == "" {
			out.WriteRune(r)
		} else { // JSON leaves bare what a document may not hold
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// bare reports whether a text says the same without quotes.
func bare(s string, flow bool) bool {
	shape := barePlain
	if flow {
		shape = bareFlow
	}
	return shape.MatchString(s) && !worded.MatchString(s) && !numeric.MatchString(s) && strings.TrimSpace(s) == s && len(s) < 200
}
