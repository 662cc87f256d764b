// Package configuration serves the company document: Settings › Configuration
// for people, /config for programs.
package configuration

import (
	"context"
	"net/http"
	"strconv"

	"crewlet/engine/access"
	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/views/ui"

	view "crewlet/views/configuration"
)

// Handlers serve the pages and the API of the company document.
type Handlers struct {
	Run     *tool.Runner
	Company *company.Company
	// Nodes answers how far each live node is with the revision in force. It
	// may be nil where nothing is applied.
	Nodes func(ctx context.Context, inForce int64) ([]view.NodeState, error)
}

func (h *Handlers) nodes(ctx context.Context, inForce int64) ([]view.NodeState, error) {
	if h.Nodes == nil {
		return nil, nil
	}
	return h.Nodes(ctx, inForce)
}

// offered reports whether a write is drawn for this caller. Its password may
// be asked for later.
func offered(row access.Row, by access.Principal) bool {
	row.StepUp = false
	return access.May(row, by) == nil
}

func revisionOf(rev company.Revision) view.Revision {
	return view.Revision{ID: rev.ID, Parent: rev.Parent, Summary: rev.Summary, Author: rev.AuthorName, At: rev.At}
}

var lineKinds = map[company.LineKind]ui.LineKind{
	company.Same: ui.Same, company.Added: ui.Added, company.Removed: ui.Removed, company.Gap: ui.Gap,
}

func linesOf(lines []company.Line) []ui.DiffLine {
	out := make([]ui.DiffLine, len(lines))
	for i, l := range lines {
		out[i] = ui.DiffLine{Kind: lineKinds[l.Kind], Old: l.Old, New: l.New, Text: l.Text}
	}
	return out
}

// revisionID reads the number of an address.
func revisionID(r *http.Request) (int64, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || id < 1 {
		return 0, refusal.NotFound.Say("A revision is addressed by its number, such as 12.")
	}
	return id, nil
}

// queryNumber reads an optional number of the query; anything else is none.
func queryNumber(r *http.Request, name string) int64 {
	n, err := strconv.ParseInt(r.URL.Query().Get(name), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
