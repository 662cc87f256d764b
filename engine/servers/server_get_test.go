package servers

import (
	"encoding/json"
	"slices"
	"strings"
	"syscall"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func (h *house) page(t *testing.T, name string) ServerRead {
	t.Helper()
	out, err := tool.Do(t.Context(), h.run, h.servers.GetServer, admin(), GetServer{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestServersPage(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.store("SEALED", "swordfish-5")
	h.declare(tiny("alpha", `env: {TOKEN: "Bearer ${SEALED}", PLAIN: canary-literal, EXTRA: "${NOT_THERE}"}
optional_keys: [EXTRA]
tools: {include: [echo, fail, lost_*], exclude: [known], prompts: false}
tool_annotations: {echo: {read_only: true}, nothing: {read_only: true}}
timeout: 90s`, "echo", "fail", "fresh", "known", "+resources", "+prompts"))
	sv := h.in("alpha", Running)
	for _, name := range []string{"echo", "fail"} {
		if _, _, err := h.called(t, name, "hi"); err != nil {
			t.Fatal(err)
		}
	}
	first := h.pid(sv.ID)
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	h.until("it runs again, and its calls are written", func(Overview) bool {
		pid := h.pid(sv.ID)
		return pid != 0 && pid != first && h.count(`SELECT count(*) FROM mcp_calls`) == 2
	})

	out := h.page(t, "alpha")
	pageOfLaunch(t, out)
	pageOfTools(t, out)
	pageOfPast(t, out)
}

// pageOfLaunch holds the page's half on how the server is launched.
func pageOfLaunch(t *testing.T, out ServerRead) {
	t.Helper()
	text, err := json.Marshal(out)
	if err != nil || strings.Contains(string(text), "swordfish") || strings.Contains(string(text), "canary-literal") {
		t.Errorf("a value shows: %s %v", text, err)
	}
	want := []Setting{{Name: "EXTRA", Value: "${NOT_THERE}", Optional: true}, {Name: "PLAIN", Hidden: true}, {Name: "TOKEN", Value: "Bearer ${SEALED}"}}
	if !slices.Equal(out.Launch.Env, want) || out.Launch.TimeoutS != 90 || out.Launch.Command == "" {
		t.Errorf("launch %+v", out.Launch)
	}
}

func pageOfTools(t *testing.T, out ServerRead) {
	t.Helper()
	if strings.Join(out.NoMatch, " ") != "lost_*" || strings.Join(out.Uncovered, " ") != "fresh" || strings.Join(out.UnlistedAnnotations, " ") != "nothing" {
		t.Errorf("misses %v %v %v", out.NoMatch, out.Uncovered, out.UnlistedAnnotations)
	}
	why := map[string]string{}
	for _, w := range out.NotOffered {
		why[w.What] = w.Why
	}
	for what, says := range map[string]string{"fresh": "include list", "known": "include list", "list_prompts": "tools.prompts: false"} {
		if !strings.Contains(why[what], says) {
			t.Errorf("%s is not offered because %q, want %q", what, why[what], says)
		}
	}
	if len(out.Listed) != 6 || out.State != Running || len(out.Instances) != 1 || out.Instances[0].State != running || out.Instances[0].Node != "node-1" {
		t.Errorf("listed %d, %+v", len(out.Listed), out.Instances)
	}
}

func pageOfPast(t *testing.T, out ServerRead) {
	t.Helper()
	if out.Declared == nil || out.Declared.RevisionID != 1 || out.Declared.Author != "ana" || out.RevisionID != 1 {
		t.Errorf("declared in %+v", out.Declared)
	}
	var kinds []string
	for _, e := range out.History {
		kinds = append(kinds, e.Kind)
	}
	if got := strings.Join(kinds, " "); got != "server.started server.exited server.started catalogue.changed server.declared" || out.History[1].Error == "" || out.History[1].Node != "node-1" {
		t.Errorf("history %q %+v", got, out.History)
	}
	if out.Stats.Calls != 2 || out.Stats.ErrorRate != 0.5 || len(out.ByTool) != 2 || out.ByTool[0].Tool != "echo" {
		t.Errorf("figures %+v %+v", out.Stats, out.ByTool)
	}
	if out.Instructions != "Be gentle." || !slices.Contains(out.Capabilities, "resources") || out.CatalogueAgeS < 0 || out.ContextTokens == 0 {
		t.Errorf("told %q %v %d", out.Instructions, out.Capabilities, out.CatalogueAgeS)
	}
}

func TestPagesOfOtherServers(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare("  - name: lost\n    command: no-such-command-anywhere\n" +
		"  - name: web\n    url: https://127.0.0.1:1/mcp?k=${NOT_THERE}\n    headers: {X-Plain: canary-literal}\n" + tiny("off", "enabled: false", "echo"))
	h.in("web", Failing)
	h.in("lost", Failing)
	var out ServerRead
	h.until("lost waits for its next try", func(Overview) bool { // the second start follows the first at once
		out = h.page(t, "lost") // and a moment later the page may be another
		return len(out.Instances) == 1 && out.Instances[0].RetryAt != nil
	})
	if !strings.Contains(out.Instances[0].Error, "no-such") || out.CatalogueAgeS != -1 || len(out.NotOffered) != 0 {
		t.Errorf("page %+v", out)
	}
	if out := h.page(t, "web"); !strings.Contains(out.Reason, "NOT_THERE") || !out.Launch.Headers[0].Hidden || out.Launch.URL != "https://127.0.0.1:1/mcp?k=${NOT_THERE}" {
		t.Errorf("page %+v", out.Launch)
	}
	if out := h.page(t, "off"); out.State != Disabled || out.Enabled {
		t.Errorf("page %+v", out)
	}
	if _, err := tool.Do(t.Context(), h.run, h.servers.GetServer, admin(), GetServer{Name: "nope"}); !refusal.Is(err, refusal.NotFound) {
		t.Errorf("got %v", err)
	}
	reader := admin()
	reader.By.Grants = access.StateRead
	if _, err := tool.Do(t.Context(), h.run, h.servers.GetServer, reader, GetServer{Name: "lost"}); !refusal.Is(err, refusal.Forbidden) {
		t.Errorf("got %v", err)
	}
}

func TestToolsPage(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "tools: {exclude: [hidden]}", "echo", "hidden"))
	h.in("alpha", Running)
	if _, _, err := h.called(t, "echo", "hi"); err != nil {
		t.Fatal(err)
	}
	get := func(name string) (ToolRead, error) {
		return tool.Do(t.Context(), h.run, h.servers.GetTool, admin(), GetTool{Name: name})
	}
	if out, err := get("echo"); err != nil || out.Server != "alpha" || out.State != Running || len(out.Calls) != 1 || out.Stats.Calls != 1 || out.Arguments != 1 || out.Withheld != "" {
		t.Errorf("page %+v %v", out, err)
	}
	if out, err := get("hidden"); err != nil || out.Withheld == "" || len(out.Calls) != 0 || len(out.InputSchema) == 0 {
		t.Errorf("page %+v %v", out, err)
	}
	if out, err := get("list_tools"); err != nil || out.Source != Builtin || out.Server != "" {
		t.Errorf("page %+v %v", out, err)
	}
	if _, err := get("nope"); !refusal.Is(err, refusal.NotFound) {
		t.Errorf("got %v", err)
	}
}
