package handlers

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"crewlet/config/nearest"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/handlers/web"
)

// mount puts the table behind one multiplexer, and an answer of our own behind
// every address that is not in it.
func mount(door *web.Door, table []Route) http.Handler {
	mux := http.NewServeMux()
	serve := map[Kind]func(web.Handler) http.Handler{Anyone: door.Anyone, Page: door.Page, Look: door.Look, API: door.API}
	kinds := map[string]Kind{}
	for _, route := range table {
		if route.Pattern == "/" {
			continue // answered below
		}
		kinds[route.Pattern] = route.Kind
		mux.Handle(route.Pattern, serve[route.Kind](admitted(route)))
	}
	lost := door.Page(web.NotFound)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		patterns, methods := others(mux, r)
		if len(methods) == 0 {
			lost.ServeHTTP(w, r)
			return
		}
		serve[kinds[patterns[0]]](wrongMethod(methods)).ServeHTTP(w, r)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if crooked(r.URL.Path) {
			lost.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// admitted lets nobody past a row that is not open to them, before a byte of
// what they sent is looked at; and refuses a write whose query holds a name
// that would be read by nobody: "dryrun" must not store. What a caller may do
// is decided where the use case runs.
func admitted(route Route) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		by := web.ViewerOf(r).By
		if by.Kind == access.Nobody && route.Access.Rule != access.RuleOpen {
			return access.May(route.Access, by)
		}
		if route.Kind == API && r.Method != http.MethodGet && r.Method != http.MethodHead {
			if err := knownQuery(r, queries(route.Pattern)); err != nil {
				return err
			}
		}
		return route.Handler(w, r)
	}
}

// queries are the names a write's query may hold, each where it is obeyed: a
// dry run of something that has none would write.
func queries(pattern string) []string {
	switch pattern {
	case "DELETE /secrets/{name}":
		return []string{"anyway"}
	case "DELETE /config/mcp-servers/{name}":
		return []string{"dry_run", "with_references"}
	case "PUT /config", "PATCH /config", "POST /config/revisions/{id}/revert", "PUT /config/mcp-servers/{name}",
		"POST /config/mcp-servers/{name}/rename", "POST /config/seats/{handle}/rename":
		return []string{"dry_run"}
	default:
		return nil
	}
}

func knownQuery(r *http.Request, names []string) error {
	for name := range r.URL.Query() {
		if slices.Contains(names, name) {
			continue
		}
		says := fmt.Sprintf("There is no query parameter %q here", name)
		near := nearest.Name(name, names)
		switch {
		case near != "":
			says += fmt.Sprintf("; did you mean %q?", near)
		case len(names) > 0:
			says += "; there are " + strings.Join(names, ", ") + "."
		default:
			says += "; this address takes none."
		}
		return refusal.Invalid.Say("%s", says).On(name)
	}
	return nil
}

// others is what the address of a request takes: patterns and their methods.
func others(mux *http.ServeMux, r *http.Request) (patterns, methods []string) {
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		asked := &http.Request{Method: method, URL: r.URL, Host: r.Host}
		if _, pattern := mux.Handler(asked); pattern != "/" {
			patterns, methods = append(patterns, pattern), append(methods, method)
		}
	}
	return patterns, methods
}

func wrongMethod(methods []string) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Allow", strings.Join(methods, ", "))
		return refusal.WrongMethod.Say("This address takes %s, not %s.", strings.Join(methods, ", "), known(r.Method))
	}
}

// known keeps a made-up method out of the answer.
func known(method string) string {
	if slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}, method) {
		return method
	}
	return "that"
}

// crooked reports a path with ".", ".." or empty steps. The multiplexer would
// send it on to another address; nothing of ours leads there, so it is refused.
func crooked(p string) bool {
	clean := path.Clean(p)
	return p != clean && p != clean+"/"
}
