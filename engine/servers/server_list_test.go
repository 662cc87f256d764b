package servers

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

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
