package document

import (
	"slices"
	"strings"
)

// Expand puts the values of ${NAME} into a value: each reference once, never
// again inside what it resolved to. $${ is a literal ${, and every other $
// is itself. Names that lookup does not know are handed back in missing, in
// their order, each once; a missing one is left out of the result, which
// must not be used then.
func Expand(value string, lookup func(name string) (string, bool)) (expanded string, missing []string) {
	var b strings.Builder
	for piece := range pieces(value) {
		if piece.name == "" {
			b.WriteString(piece.literal)
			continue
		}
		v, ok := lookup(piece.name)
		if !ok && !slices.Contains(missing, piece.name) {
			missing = append(missing, piece.name)
		}
		b.WriteString(v)
	}
	return b.String(), missing
}

// piece is a stretch of literal text, or the name of a reference.
type piece struct{ literal, name string }

func pieces(value string) func(yield func(piece) bool) {
	return func(yield func(piece) bool) {
		for value != "" {
			at := strings.IndexByte(value, '$')
			if at < 0 {
				yield(piece{literal: value})
				return
			}
			if at > 0 && !yield(piece{literal: value[:at]}) {
				return
			}
			next, rest := afterDollar(value[at:])
			if !yield(next) {
				return
			}
			value = rest
		}
	}
}

// afterDollar reads one piece from a text that begins with a dollar sign.
func afterDollar(s string) (piece, string) {
	if rest, ok := strings.CutPrefix(s, "$${"); ok {
		return piece{literal: "${"}, rest
	}
	if name := leadingName(s); name != "" {
		if rest, ok := strings.CutPrefix(s[len("${")+len(name):], "}"); ok {
			return piece{name: name}, rest
		}
	}
	return piece{literal: "$"}, s[1:]
}

// leadingName is the NAME of a text that begins with ${NAME, or "".
func leadingName(s string) string {
	rest, ok := strings.CutPrefix(s, "${")
	if !ok {
		return ""
	}
	n := 0
	for n < len(rest) && nameByte(rest[n], n > 0) {
		n++
	}
	return rest[:n]
}

func nameByte(c byte, inside bool) bool {
	return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (inside && c >= '0' && c <= '9')
}

// namesIn lists the references of a value in their order, each once.
func namesIn(value string) []string {
	var names []string
	for p := range pieces(value) {
		if p.name != "" && !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// withDefault finds a reference written the shell's way, ${NAME:-default},
// which is not read here.
func withDefault(value string) (name string, found bool) {
	for i := 0; i < len(value); i++ {
		if strings.HasPrefix(value[i:], "$${") {
			i += len("$${") - 1
			continue
		}
		name := leadingName(value[i:])
		if name == "" {
			continue
		}
		rest := value[i+len("${")+len(name):]
		if rest != "" && strings.IndexByte(":-?+=", rest[0]) >= 0 && strings.Contains(rest, "}") {
			return name, true
		}
	}
	return "", false
}

// isReference reports whether a value is one ${NAME} and nothing else.
func isReference(value string) bool {
	names := namesIn(value)
	return len(names) == 1 && value == "${"+names[0]+"}"
}
