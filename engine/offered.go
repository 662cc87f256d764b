package engine

import (
	"context"
	"slices"
	"time"

	"crewlet/engine/changes"
	"crewlet/engine/company"
	"crewlet/engine/tool"
)

// Untracked are the tools of a company that keeps its work in another program:
// all but the tracker's.
func (e *Engine) Untracked() []tool.Tool { return e.untracked }

// Offers reports whether the company has a tool, as it is declared now. What it
// has not is nowhere: every list and every door asks here.
func (e *Engine) Offers(name string) bool {
	return e.Company.TracksWork() || slices.ContainsFunc(e.untracked, func(t tool.Tool) bool { return t.Name == name })
}

// rereading is how long a node takes at most to read a new revision.
const rereading = 5 * time.Second

// Reread takes in a revision that is among rows of the log, so that what is
// asked of memory is asked of the newest, and reports whether there was one.
// Where reading fails, the next call that needs the company reads it.
func (e *Engine) Reread(rows []changes.Change) bool {
	if !slices.ContainsFunc(rows, company.Revised) {
		return false
	}
	ctx, done := context.WithTimeout(context.Background(), rereading)
	defer done()
	if _, _, _, _, err := e.Company.Current(ctx, e.db); err != nil {
		e.Run.Log.WarnContext(ctx, "revision_not_reread", "error", err)
	}
	return true
}
