package config

import (
	"fmt"
	"slices"
	"strings"

	"crewlet/config/nearest"
)

// Variables lists every environment variable a node reads, in the order the
// documentation gives them.
func Variables() []string {
	return []string{
		"CREWLET_LISTEN", "CREWLET_DATA", "CREWLET_DATABASE_URL", "CREWLET_PG_BIN",
		"CREWLET_BASE_URL", "CREWLET_NODE_URL", "CREWLET_COMPANY", "CREWLET_KEYRING",
		"CREWLET_TOKENS", "CREWLET_MAX_GRANTS", "CREWLET_REPLICA_URL", "CREWLET_TRUSTED_PROXY",
		"CREWLET_TLS_CERT", "CREWLET_TLS_KEY", "CREWLET_SMTP_URL", "CREWLET_LOG",
	}
}

// ignored are variables of ours that are somebody else's: the client
// commands' address and token, and the mark every child carries.
func ignored() []string { return []string{"CREWLET_URL", "CREWLET_TOKEN", "CREWLET_CHILD"} }

// Problem is one variable that cannot be used.
type Problem struct {
	Variable string
	Says     string // what is wrong, and what would be right
}

// Problems is everything wrong with an environment or a file of tokens.
type Problems []Problem

// Error gives one line for each problem, beginning with the variable.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.Variable + ": " + one.Says
	}
	return strings.Join(lines, "\n")
}

// reading gathers problems while the settings are read.
type reading struct {
	getenv   func(string) string
	problems Problems
}

func (r *reading) say(variable, format string, args ...any) {
	r.problems = append(r.problems, Problem{variable, fmt.Sprintf(format, args...)})
}

// value is a variable's value with the white space around it taken off. A
// value with control characters in it is refused and reads as unset.
func (r *reading) value(variable string) string {
	v := strings.TrimSpace(r.getenv(variable))
	if strings.ContainsFunc(v, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		r.say(variable, "holds a control character or a line break. Set it to one line of plain text.")
		return ""
	}
	return v
}

func (r *reading) unknown(names []string) {
	known := Variables()
	for _, name := range slices.Sorted(slices.Values(names)) {
		if !strings.HasPrefix(name, "CREWLET_") || slices.Contains(known, name) || slices.Contains(ignored(), name) {
			continue
		}
		shown := fmt.Sprintf("%.64q", name)
		shown = strings.Trim(shown, `"`)
		if near := nearest.Name(name, known); near != "" {
			r.say(shown, "no such setting. Did you mean %s? Rename it or unset it.", near)
			continue
		}
		r.say(shown, "no such setting. Unset it; the settings are %s.", strings.Join(known, ", "))
	}
}
