package client

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// shortestSecret is the least length, in bytes, of a value that is redacted:
// replacing every "a" would hide nothing and spoil everything.
const shortestSecret = 4

const redacted = "[redacted]"

// redactor replaces known secret values. A value of several lines is also
// known by each of its lines, since stderr is kept by line.
type redactor struct {
	text *strings.Replacer
	json []pair
}

type pair struct{ old, new []byte }

func newRedactor(secrets []string) *redactor {
	values := secretForms(secrets)
	var pairs []string
	r := &redactor{}
	for _, v := range values {
		pairs = append(pairs, v, redacted)
		for _, form := range jsonForms(v) {
			r.json = append(r.json, pair{form, []byte(redacted)})
		}
	}
	r.text = strings.NewReplacer(pairs...)
	return r
}

// secretForms lists the values and their long enough lines, longest first, so
// that a value holding another is replaced whole.
func secretForms(secrets []string) []string {
	var values []string
	for _, s := range secrets {
		values = append(values, s)
		if strings.Contains(s, "\n") {
			values = append(values, strings.Split(s, "\n")...)
		}
	}
	for i := range values {
		values[i] = strings.TrimSpace(values[i])
	}
	values = slices.DeleteFunc(values, func(v string) bool { return len(v) < shortestSecret })
	slices.SortFunc(values, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(values)
}

// jsonForms are the ways a value is written inside a JSON string: with and
// without escaping for HTML.
func jsonForms(value string) [][]byte {
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // a string always encodes
	inner := func(quoted []byte) []byte {
		quoted = bytes.TrimSpace(quoted)
		return quoted[1 : len(quoted)-1]
	}
	forms := [][]byte{inner(plain.Bytes())}
	if escaped, err := json.Marshal(value); err == nil && !bytes.Equal(inner(escaped), forms[0]) {
		forms = append(forms, inner(escaped))
	}
	return forms
}

// line redacts plain text.
func (r *redactor) line(s string) string { return r.text.Replace(s) }

// raw redacts JSON text and leaves it valid: what is replaced lies inside
// strings, or is a number, which becomes text only inside them.
func (r *redactor) raw(text []byte) []byte {
	out := text
	for _, p := range r.json {
		if bytes.Contains(out, p.old) {
			out = bytes.ReplaceAll(out, p.old, p.new)
		}
	}
	if len(out) != len(text) && !json.Valid(out) {
		return r.walked(text)
	}
	return out
}

// walked redacts value by value, for the rare text whose secret also stands
// outside a string (an all-digit secret equal to a number).
func (r *redactor) walked(text []byte) []byte {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return []byte(`"` + redacted + `"`)
	}
	out, err := json.Marshal(r.value(v))
	if err != nil {
		return []byte(`"` + redacted + `"`)
	}
	return out
}

func (r *redactor) value(v any) any {
	switch v := v.(type) {
	case string:
		return r.line(v)
	case json.Number:
		if s := r.line(v.String()); s != v.String() {
			return s
		}
	case []any:
		for i := range v {
			v[i] = r.value(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[r.line(k)] = r.value(e)
		}
		return out
	}
	return v
}
