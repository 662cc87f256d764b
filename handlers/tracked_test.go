package handlers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"crewlet/engine/company"
	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

// keepsWork says where the company keeps its work from now on.
func (w *world) keepsWork(backend string) {
	w.t.Helper()
	var at int64
	_, err := fmt.Sscan(w.revision(), &at)
	w.must(err)
	_, err = tool.Do(w.t.Context(), w.Run, w.Company.WriteConfig, enginetest.By("ana"),
		company.WriteConfig{Text: document + "tracker: {backend: " + backend + "}\n", Writing: company.Writing{IfMatch: at, Summary: backend}})
	w.must(err)
	eventually(w.t, "it is known", func() bool { return w.Company.TracksWork() == (backend == "native") })
}

// A company that keeps its work in another program has no tool of the tracker
// at any door, and no page of it; with its own tracker, everything is back.
func TestACompanyWithoutTheTracker(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.follow()
	key := w.filed()
	w.callTool(t, w.token.Value, mcpNew, "list_tools", map[string]any{}) // so that a list is kept
	browser, stream := w.administrator(), w.held(t, w.token.Value, mcpOld)
	all := w.listed(t, w.token.Value, mcpOld)
	w.keepsWork("none")
	if got := stream.next(); got.Name != "message" {
		t.Errorf("who listens is told %+v", got)
	}
	w.hasNoToolOfWork(key)
	for _, path := range []string{"/inbox", "/work", "/work/mine", "/work/new", "/work/projects", "/work/history", "/work/items/" + key} {
		if p := browser.Get(path); p.Status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, p.Status)
		}
	}
	if home := browser.Get("/"); home.Header.Get("Location") != "/company" {
		t.Errorf("home is %s", home.Header.Get("Location"))
	}
	if p := browser.Get("/company"); p.Status != http.StatusOK || strings.Contains(p.Body, `href="/inbox"`) || strings.Contains(p.Body, `href="/work"`) {
		t.Errorf("the company's page (%d) leads there", p.Status)
	}

	w.keepsWork("native")
	if got := w.listed(t, w.token.Value, mcpOld); !slices.Equal(got, all) {
		t.Errorf("back again it lists %v", got)
	}
	if p := browser.Get("/work/items/" + key); p.Status != http.StatusOK {
		t.Errorf("the item answers %d", p.Status)
	}
}

// hasNoToolOfWork asks every door for every tool of the tracker.
func (w *world) hasNoToolOfWork(key string) {
	t := w.t
	t.Helper()
	own := map[string]bool{}
	for _, one := range tracker.New(tracker.Options{}).Tools() {
		own[one.Name] = true
	}
	left := w.listed(t, w.token.Value, mcpOld)
	if slices.ContainsFunc(left, func(name string) bool { return own[name] }) || !slices.Contains(left, "get_person") {
		t.Errorf("it lists %v", left)
	}
	for name := range own {
		if got := w.callTool(t, w.token.Value, mcpNew, name, map[string]any{}); !got.isRefused(refusal.NotFound) {
			t.Errorf("%s over MCP answers %s", name, got.Content)
		}
		method, address, headers := http.MethodGet, "/api/v1/tools/", as(w.token.Value)
		if w.tool(name).Writes() {
			method, address, headers = http.MethodPost, "/operator/act/", typed(w.token.Value, "Idempotency-Key", tool.NewKey())
		}
		if got := w.ask(t, method, address+name, nil, headers...); got.status != http.StatusNotFound {
			t.Errorf("%s%s answers %d", address, name, got.status)
		}
	}
	w.describesNoWork(key)
}

func (w *world) describesNoWork(key string) {
	t := w.t
	t.Helper()
	if list := w.callTool(t, w.token.Value, mcpNew, "list_tools", map[string]any{}); strings.Contains(string(list.Content), `"create_work_item"`) || !strings.Contains(string(list.Content), `"get_person"`) {
		t.Error("the catalogue of tools holds it")
	}
	if doc := w.ask(t, http.MethodGet, "/api/v1/openapi.json", nil, as(w.token.Value)...); strings.Contains(doc.text, "create_work_item") || !strings.Contains(doc.text, "get_person") {
		t.Error("the description of the API holds it")
	}
	if no := w.readResource(t, w.token.Value, mcpNew, "crewlet://work/"+key); no.Error == nil {
		t.Errorf("its resource answers %.300s", no.text)
	}
}
