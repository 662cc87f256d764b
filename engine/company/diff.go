package company

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// LineKind is what became of a line.
type LineKind string

// A Gap stands for lines that are the same and left out.
const (
	Same    LineKind = "same"
	Added   LineKind = "added"
	Removed LineKind = "removed"
	Gap     LineKind = "gap"
)

// Line is one line of a comparison. Old and New are its numbers in the two
// texts, 1-based, 0 where it does not stand.
type Line struct {
	Kind LineKind `json:"kind"`
	Old  int      `json:"old,omitempty"`
	New  int      `json:"new,omitempty"`
	Text string   `json:"text"` // without its end; a gap says how many lines
}

// around is how many unchanged lines are shown about a change.
const around = 3

// Compare lists what changed between two texts, with a few lines about each
// change. Equal texts have no lines.
func Compare(old, now string) []Line {
	diff, err := udiff.ToUnifiedDiff("", "", old, udiff.Lines(old, now), around)
	if err != nil {
		return []Line{} // only for edits that are not of this text
	}
	lines, oldNo, newNo := []Line{}, 1, 1
	ends := strings.NewReplacer("\n", "", "\r", "")
	if strings.Contains(old, "\r\n") != strings.Contains(now, "\r\n") {
		ends = strings.NewReplacer("\n", "", "\r", "␍") // else such lines look the same
	}
	for _, hunk := range diff.Hunks {
		if skipped := hunk.FromLine - oldNo; skipped > 0 {
			lines = append(lines, Line{Kind: Gap, Text: unchanged(skipped)})
		}
		oldNo, newNo = hunk.FromLine, hunk.ToLine
		for _, l := range hunk.Lines {
			line := Line{Text: ends.Replace(l.Content)}
			switch l.Kind {
			case udiff.Delete:
				line.Kind, line.Old, oldNo = Removed, oldNo, oldNo+1
			case udiff.Insert:
				line.Kind, line.New, newNo = Added, newNo, newNo+1
			default:
				line.Kind, line.Old, line.New, oldNo, newNo = Same, oldNo, newNo, oldNo+1, newNo+1
			}
			lines = append(lines, line)
		}
	}
	if rest := strings.Count(old, "\n") + 1 - oldNo; len(lines) > 0 && rest > 0 {
		lines = append(lines, Line{Kind: Gap, Text: unchanged(rest)})
	}
	return lines
}

func unchanged(n int) string {
	if n == 1 {
		return "1 unchanged line"
	}
	return fmt.Sprintf("%d unchanged lines", n)
}

// unified is the comparison as text.
func unified(old, now Revision) string {
	diff, err := udiff.ToUnified(named(old), named(now), old.Text, udiff.Lines(old.Text, now.Text), around)
	if err != nil {
		return "" // only for edits that are not of this text
	}
	return diff
}

func named(rev Revision) string { return fmt.Sprintf("revision %d", rev.ID) }
