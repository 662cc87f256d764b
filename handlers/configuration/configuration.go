// Package configuration serves the company document: Settings › Configuration
// for people, /config for programs.
package configuration

import (
	"context"
	"net/http"
	"strconv"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/servers"
	"crewlet/engine/tool"

	view "crewlet/views/configuration"
)

// Handlers serve the pages and the API of the company document.
type Handlers struct {
	Run     *tool.Runner
	Company *company.Company
	// Nodes answers how far each node is with the document.
	Nodes func(context.Context) ([]servers.Node, error)
}

func revisionOf(rev company.Revision) view.Revision {
	return view.Revision{ID: rev.ID, Parent: rev.Parent, Summary: rev.Summary, Author: rev.AuthorName, At: rev.At}
}

// revisionID reads the number of an address.
func revisionID(r *http.Request) (int64, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || id < 1 {
		return 0, refusal.NotFound.Say("A revision is addressed by its number, such as 12.")
	}
	return id, nil
}
