package nearest_test

import (
	"strings"
	"testing"

	"crewlet/config/nearest"
)

func TestName(t *testing.T) {
	known := []string{"command", "args", "url", "optional_keys", "read_only"}
	for name, c := range map[string]struct{ word, want string }{
		"two letters swapped":  {"commnad", "command"},
		"another case":         {"URL", "url"},
		"camel case":           {"readOnly", "read_only"},
		"a letter too few":     {"arg", "args"},
		"a dash for a line":    {"optional-keys", "optional_keys"},
		"nothing like it":      {"weather", ""},
		"a pasted megabyte":    {strings.Repeat("a", 1<<20), ""},
		"empty":                {"", ""},
		"more than one letter": {"optinal_kys", "optional_keys"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := nearest.Name(c.word, known); got != c.want {
				t.Errorf("Name(%.20q) = %q, want %q", c.word, got, c.want)
			}
		})
	}
}
