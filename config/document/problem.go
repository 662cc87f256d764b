package document

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing wrong with a text.
type Problem struct {
	Path   string `json:"path"`   // such as mcp_servers[2].optional_keys[0]; "" for the text as a whole
	Line   int    `json:"line"`   // 1-based, in the author's text
	Column int    `json:"column"` // 1-based, in characters
	Says   string `json:"says"`   // what is wrong and what would be right; never a credential
}

// Problems is everything wrong with a text, in the order of its lines.
type Problems []Problem

// mostProblems bounds what is reported: past it one cause has many effects.
const mostProblems = 100

// Error gives one line for each problem: its line, its path, what it says.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.String()
	}
	return strings.Join(lines, "\n")
}

// String is the problem on one line.
func (p Problem) String() string {
	if p.Path == "" {
		return fmt.Sprintf("line %d: %s", p.Line, p.Says)
	}
	return fmt.Sprintf("line %d, %s: %s", p.Line, p.Path, p.Says)
}

// Or is p as an error: nil when there is no problem, where empty Problems in
// an error variable would not be.
func (p Problems) Or() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

func (p Problems) sorted() Problems {
	slices.SortStableFunc(p, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	if len(p) > mostProblems {
		more := Problem{Line: p[mostProblems].Line, Column: p[mostProblems].Column,
			Says: fmt.Sprintf("%d more problems follow from here. Put right those above first.", len(p)-mostProblems)}
		p = append(p[:mostProblems:mostProblems], more)
	}
	return p
}

// place is where something stands in the author's text.
type place struct{ line, column int }

// key is the path of an entry of a map. A key that would read as something
// else is quoted.
func key(path, name string) string {
	plain := name != "" && len(name) <= 100 && !strings.ContainsFunc(name, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune(`.[]"'`, c)
	})
	if !plain {
		return fmt.Sprintf("%s[%q]", path, clip(name))
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// index is the path of an entry of a list.
func index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// clip keeps what is quoted in a sentence to a length people read.
func clip(s string) string {
	r := []rune(s)
	if len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// around is the path of what a path is inside of. Where a quoted key holds a
// dot, a piece of the key comes first.
func around(path string) string { return path[:max(strings.LastIndexAny(path, ".["), 0)] }
