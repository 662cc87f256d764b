package work

import "slices"

// toldFact is one fact in words.
type toldFact struct{ Label, Text string }

// told are the facts there are in words; what nobody wrote is left out.
func (f Facts) told() []toldFact {
	minutes := f.Estimate
	if minutes != "" {
		minutes += " minutes"
	}
	list := []toldFact{{"Due", shown(f.Due)}, {"Start", shown(f.Start)}, {"Estimate", minutes}, {"Points", f.Points}}
	return slices.DeleteFunc(list, func(t toldFact) bool { return t.Text == "" })
}
