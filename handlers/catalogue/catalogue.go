// Package catalogue serves the page of every tool, made of the same document
// that programs read.
package catalogue

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"crewlet/handlers/web"
	"crewlet/views/layout"

	view "crewlet/views/catalogue"
)

// Handlers serve the page.
type Handlers struct{ listed func() view.Page }

// New makes handlers of an OpenAPI document. It is asked for once, when
// somebody first looks.
func New(document func() map[string]any) *Handlers {
	return &Handlers{listed: sync.OnceValue(func() view.Page { return pageOf(document()) })}
}

// Show draws the catalogue; ?tool= tells one of them whole.
func (h *Handlers) Show(w http.ResponseWriter, r *http.Request) error {
	page := h.listed()
	page.Open = r.URL.Query().Get("tool")
	page.Shell = web.Shell(r, "For programs", "tokens", 0)
	page.Shell.Crumbs = []layout.Crumb{{Label: "Tokens", Href: "/settings/tokens"}}
	return web.Render(w, r, http.StatusOK, view.CataloguePage(page))
}

type object = map[string]any

func pageOf(document object) view.Page {
	var page view.Page
	for path, item := range in(document, "paths") {
		for method, op := range item.(object) {
			t := toolOf(document, strings.ToUpper(method), path, op.(object))
			if t.Method == http.MethodGet {
				page.Reads = append(page.Reads, t)
			} else {
				page.Writes = append(page.Writes, t)
			}
		}
	}
	for _, list := range [][]view.Tool{page.Writes, page.Reads} {
		slices.SortFunc(list, func(a, b view.Tool) int { return strings.Compare(a.Name, b.Name) })
	}
	return page
}

func toolOf(document object, method, path string, op object) view.Tool {
	t := view.Tool{
		Name: word(op, "operationId"), Title: word(op, "summary"), Brief: word(op, "description"),
		Method: method, Path: path, Access: word(op, "x-crewlet-access"), Once: op["x-crewlet-once"] == true,
	}
	t.For, _ = op["x-crewlet-for"].([]string)
	b := book{schemas: in(document, "components", "schemas")}
	t.Asked = b.values("", b.schemas[t.Name+".arguments"].(object))
	t.Answers = b.values("", b.schemas[t.Name+".answer"].(object))
	t.Example = called(t, op)
	return t
}

// in goes into a document by names.
func in(at object, names ...string) object {
	for _, name := range names {
		at, _ = at[name].(object)
	}
	return at
}

func word(at object, name string) string {
	text, _ := at[name].(string)
	return text
}
