package web

import (
	"crewlet/engine/company"
	"crewlet/views/ui"
)

var lineKinds = map[company.LineKind]ui.LineKind{
	company.Same: ui.Same, company.Added: ui.Added, company.Removed: ui.Removed, company.Gap: ui.Gap,
}

// DiffLines are the lines of a comparison as pages draw them.
func DiffLines(lines []company.Line) []ui.DiffLine {
	out := make([]ui.DiffLine, len(lines))
	for i, l := range lines {
		out[i] = ui.DiffLine{Kind: lineKinds[l.Kind], Old: l.Old, New: l.New, Text: l.Text}
	}
	return out
}
