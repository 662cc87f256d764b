package handlers

import (
	"net/http"
	"strings"

	"crewlet/engine"
	"crewlet/engine/changes"
	"crewlet/handlers/web"
	"crewlet/mcp/door"
)

// tracked leaves the tracker's addresses to companies that keep their work
// here. Elsewhere nothing is at them.
func tracked(e *engine.Engine, table []Route) []Route {
	for i, route := range table {
		_, address, _ := strings.Cut(route.Pattern, " ")
		if strings.HasPrefix(address, "/work") || strings.HasPrefix(address, "/inbox") {
			table[i].Handler = either(e, route.Handler, web.NotFound)
		}
	}
	return table
}

// either is one of two handlers, as the company keeps its work here or not.
func either(e *engine.Engine, here, elsewhere web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if e.Company.TracksWork() {
			return here(w, r)
		}
		return elsewhere(w, r)
	}
}

// relist tells the assistants that listen when the tools of the company may be
// others than they were.
func relist(e *engine.Engine, assistants *door.Door) (stop func()) {
	was := e.Company.TracksWork()
	_, stop = e.Feed.Subscribe(func(rows []changes.Change) {
		if e.Reread(rows) && e.Company.TracksWork() != was {
			was = !was
			assistants.Set(e.Tools)
		}
	})
	return stop
}
