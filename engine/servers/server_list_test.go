package servers

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestLists(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "env: {PLAIN: canary-value}", "echo"))
	h.in("alpha", Running)
	list, err := tool.Do(t.Context(), h.run, h.servers.ListServers, admin(), ListServers{})
	text, _ := json.Marshal(list)
	if err != nil || list.Nodes != 1 || list.Servers[0].Command != os.Args[0] || strings.Contains(string(text), "canary-value") {
		t.Errorf("%s %v", text, err)
	}
	tools, err := tool.Do(t.Context(), h.run, h.servers.ListTools, admin(), ListTools{})
	if err != nil || len(tools.Tools) != len(strings.Fields(builtinNames))+1 || !json.Valid(tools.Tools[len(tools.Tools)-1].InputSchema) {
		t.Errorf("%+v %v", tools, err)
	}
}

// A server of which nothing is offered says so, and why.
func TestNothingIsOffered(t *testing.T) {
	t.Parallel()
	entry := func(lists document.ServerTools) *document.Server {
		return &document.Server{Name: "alpha", Tools: lists}
	}
	has := func(capabilities string, tools ...string) *facts {
		f := &facts{catalogues: []catalogueFact{{Server: "1", Capabilities: capabilities}}}
		for _, name := range tools {
			f.tools = append(f.tools, toolFact{Server: "1", Name: name})
		}
		return f
	}
	const announced = `{"Tools":true}`
	invalid := has(announced, "a", "b")
	invalid.tools[0].Invalid, invalid.tools[1].Invalid = "Its schema is no object.", "Its name is too long."
	for name, c := range map[string]struct {
		f     *facts
		lists document.ServerTools
		want  string
	}{
		"never listed":    {&facts{}, document.ServerTools{}, ""},
		"offers":          {has(announced, "a", "b"), document.ServerTools{Exclude: []string{"a"}}, ""},
		"announces none":  {has(`{}`), document.ServerTools{}, "It answered, and announces no tools."},
		"lists none":      {has(announced), document.ServerTools{}, "It answered, and lists no tools."},
		"all left out":    {has(announced, "a", "b"), document.ServerTools{Exclude: []string{"*"}}, "None of the 2 tools it lists is offered. Its server's exclude list (tools.exclude) names it."},
		"none let in":     {has(announced, "a"), document.ServerTools{Include: []string{"z"}}, "The one tool it lists is not offered. Its server's include list (tools.include) does not name it."},
		"several reasons": {invalid, document.ServerTools{}, "None of the 2 tools it lists is offered. Each says why on the server's page."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.f.nothing(entry(c.lists), "1"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWhoMaySee(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo"))
	h.in("alpha", Running)
	reader := admin()
	reader.By.Grants = access.StateRead
	out, err := tool.Do(t.Context(), h.run, h.servers.Overview, reader, ToolsOverview{})
	if err != nil || out.Servers[0].Command != "" || out.Servers[0].Args != nil || out.Servers[0].State != Running {
		t.Errorf("%+v %v", out.Servers, err)
	}
	if _, err := tool.Do(t.Context(), h.run, h.servers.ListServers, reader, ListServers{}); !refusal.Is(err, refusal.Forbidden) {
		t.Errorf("got %v, want forbidden", err)
	}
	if _, err := tool.Do(t.Context(), h.run, h.servers.recordApply, admin(), recordApply{Node: "node-1", Revision: 9}); !refusal.Is(err, refusal.Forbidden) {
		t.Errorf("got %v: a person wrote what only the engine does", err)
	}
}
