package servers

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"crewlet/db/dbtest"
	"crewlet/engine/tool"
)

func TestDeclaredRunsAndRemovedStops(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "add", "echo"))
	sv := h.in("alpha", Running)
	if sv.Tools != 2 || sv.Started != 1 || len(sv.Nodes) != 1 || !sv.Nodes[0].Reported || sv.Reason != "" {
		t.Errorf("server %+v", sv)
	}
	if got := toolNames(h.now(), "mcp:alpha"); got != "add echo" {
		t.Errorf("tools %q", got)
	}
	first := h.pid(sv.ID)

	h.declare(tiny("alpha", "", "add"))
	h.until("it is started anew, and runs with one tool", func(o Overview) bool {
		sv, _ := find(o, "alpha")
		pid := h.pid(sv.ID) // the tools are filed before the state that tells of the new process
		return sv.State == Running && toolNames(o, "mcp:alpha") == "add" && pid != 0 && pid != first
	})

	h.declare("")
	h.until("it is gone", func(o Overview) bool { return len(o.Servers) == 0 && toolNames(o, "mcp:alpha") == "" })
	if n := h.count(`SELECT count(*) FROM server_tools`); n != 0 {
		t.Errorf("%d tools of a server that is gone", n)
	}
	want := "server.declared catalogue.changed server.started server.revised catalogue.changed server.started server.removed server.stopped"
	if got := h.kinds(sv.ID); got != want {
		t.Errorf("log %q\nwant %q", got, want)
	}
}

func TestUnchangedStays(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo"))
	sv := h.in("alpha", Running)
	first := h.pid(sv.ID)
	h.declare(tiny("alpha", "tools: {exclude: [ech*]}", "echo") + tiny("beta", "", "echo"))
	h.in("beta", Running)
	if h.pid(sv.ID) != first {
		t.Error("a filter or a neighbour started the server anew")
	}
	out := h.now()
	if got := toolNames(out, "mcp:alpha") + " " + toolNames(out, "mcp:beta"); got != "echo mcp__beta__echo" {
		t.Errorf("names %q", got)
	}
	for _, row := range out.Tools {
		if row.Source == "mcp:alpha" && (len(row.Offered) != 0 || row.Withheld == "") {
			t.Errorf("an excluded tool is offered: %+v", row)
		}
	}
}

// What comes out empty is logged once for each server, however often the
// document is applied.
func TestEmptyValuesAreLoggedOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	alpha := tiny("alpha", `env: {NOTHING: "", SOME: x}`, "echo")
	h.declare(alpha)
	h.in("alpha", Running)
	h.declare(alpha + tiny("beta", "", "other"))
	h.in("beta", Running)
	var told []string
	for line := range strings.Lines(h.log.String()) {
		if strings.Contains(line, `"msg":"empty_env_vars"`) {
			told = append(told, line)
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], `"server":"alpha"`) || !strings.Contains(told[0], `"variable":["NOTHING"]`) {
		t.Errorf("the log has %v", told)
	}
}

func TestKilledStartsAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo"))
	sv := h.in("alpha", Running)
	first := h.pid(sv.ID)
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	h.until("it runs again", func(o Overview) bool {
		now, _ := find(o, "alpha")
		pid := h.pid(sv.ID)
		return now.State == Running && pid != 0 && pid != first
	})
	if got, want := h.kinds(sv.ID), "server.declared catalogue.changed server.started server.exited server.started"; got != want {
		t.Errorf("log %q, want %q", got, want)
	}
}

func TestGrownCatalogueIsFiledAndTold(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo"))
	sv := h.in("alpha", Running)
	if err := syscall.Kill(h.pid(sv.ID), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	h.until("the new tool is listed", func(o Overview) bool { return toolNames(o, "mcp:alpha") == "echo grown" })
	if got := h.kinds(sv.ID); !strings.HasSuffix(got, "server.started catalogue.changed") {
		t.Errorf("log %q", got)
	}
}

func TestUnresolvedIsHeldBackUntilStored(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "env: {TOKEN: \"Bearer ${ALPHA_TOKEN}\", OWN: \"${CREWLET_OWN}\", NONE: \"${EMPTY_ONE}\"}\noptional_keys: [OWN, NONE]", "echo"))
	sv := h.in("alpha", Failing)
	for _, want := range []string{"ALPHA_TOKEN", "Settings › Secrets", "optional_keys", "TOKEN under optional_keys"} {
		if !strings.Contains(sv.Reason, want) {
			t.Errorf("the reason %q lacks %q", sv.Reason, want)
		}
	}
	if strings.Contains(sv.Reason, "CREWLET_OWN") || sv.Nodes[0].RetryAt != nil {
		t.Errorf("server %+v", sv)
	}
	h.store("ALPHA_TOKEN", "swordfish-1")
	h.in("alpha", Running)
	env, err := os.ReadFile("/proc/" + strconv.Itoa(h.pid(sv.ID)) + "/environ")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(env), "TOKEN=Bearer swordfish-1\x00") || strings.Contains(string(env), "OWN=") || strings.Contains(string(env), "NONE=") {
		t.Error("the child was not given what was declared")
	}
	first := h.pid(sv.ID)
	h.store("ALPHA_TOKEN", "swordfish-2")
	h.until("it runs with the new value", func(Overview) bool { pid := h.pid(sv.ID); return pid != 0 && pid != first })
	if strings.Contains(h.log.String(), "swordfish") {
		t.Error("the value is in the log")
	}
	want := "server.declared server.held_back catalogue.changed server.started server.started"
	if got := h.kinds(sv.ID); got != want {
		t.Errorf("log %q, want %q", got, want)
	}
}

const builtinNames = "check_mcp_server get_mcp_server get_tool get_tool_call list_mcp_servers list_secrets list_tool_calls list_tools restart_mcp_server try_mcp_server"

func TestWhatIsNotStartedSaysWhy(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("per-seat", "shared: false", "echo") + tiny("off", "enabled: false", "echo") +
		"  - name: web\n    url: https://127.0.0.1:1/mcp\n  - name: signed\n    url: https://example.com/mcp\n    auth: oauth\n" + tiny("up", "tool_annotations: {echo: {read_only: true}, gone: {read_only: true}}", "echo") +
		"  - name: lost\n    command: no-such-command-anywhere\n")
	h.in("up", Running)
	for name, want := range map[string]struct {
		state State
		says  string
	}{
		"per-seat": {NotStarted, "per seat"},
		"off":      {Disabled, "enabled: false"},
		"web":      {Failing, "loopback"},
		"signed":   {NotStarted, "OAuth"},
		"lost":     {Failing, "ot found on PATH: no-such"},
	} {
		if sv := h.in(name, want.state); !strings.Contains(sv.Reason, want.says) {
			t.Errorf("%s says %q, want %q in it", name, sv.Reason, want.says)
		}
	}
	out := h.now()
	up, _ := find(out, "up")
	if strings.Join(up.UnlistedAnnotations, " ") != "gone" {
		t.Errorf("unlisted %v", up.UnlistedAnnotations)
	}
	last := out.Tools[len(out.Tools)-1]
	if last.Source != "mcp:up" || last.Hint() != "read-only" || last.Delivers != "" || last.Arguments != 1 || last.Annotations.OpenWorld != nil {
		t.Errorf("row %+v", last)
	}
	if out.Tools[0].Source != Builtin || toolNames(out, Builtin) != builtinNames {
		t.Errorf("builtins %q", toolNames(out, Builtin))
	}
}

func TestRealServer(t *testing.T) {
	t.Parallel()
	script := filepath.Join("..", "..", "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")
	script, err := filepath.Abs(script)
	if err == nil {
		_, err = os.Stat(script)
	}
	if err != nil {
		t.Fatalf("the real server is not installed; run npm ci: %v", err)
	}
	h := newHouse(t)
	h.declare("  - name: everything\n    command: node\n    args: [" + script + "]\n")
	sv := h.in("everything", Running)
	if sv.Tools < 5 || !strings.Contains(" "+toolNames(h.now(), "mcp:everything")+" ", " echo ") {
		t.Errorf("%d tools: %s", sv.Tools, toolNames(h.now(), "mcp:everything"))
	}
	for name, c := range map[string]struct{ tool, args, kind, says string }{
		"text":      {"echo", `{"message":"hello"}`, "text", "hello"},
		"image":     {"get-tiny-image", `{}`, "image", ""},
		"resources": {"mcp__everything__list_resources", `{}`, "text", "demo://"},
		"prompts":   {"mcp__everything__list_prompts", `{}`, "text", "simple-prompt"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := tool.Do(t.Context(), h.run, h.servers.Call, admin(), CallTool{Tool: c.tool, Arguments: json.RawMessage(c.args)})
			if err != nil || out.IsError || !slices.ContainsFunc(out.Content, func(b Block) bool { return b.Type == c.kind && strings.Contains(b.Text, c.says) }) {
				t.Errorf("answer %.300v %v", out, err)
			}
		})
	}
}

// What is down is tried on its own schedule; the look each minute takes does
// not begin that anew.
func TestEachMinuteLeavesSchedulesAlone(t *testing.T) {
	t.Parallel()
	h := openHouse(t, dbtest.New(t), "node-1", fast{time.Now(), 600})
	var told atomic.Int64
	h.servers.Presence(func() { told.Add(1) })
	h.declare("  - name: lost\n    command: no-such-command-anywhere\n")
	sv := h.in("lost", Failing)
	h.until("it was tried six times, and pages are told that the next try is another", func(Overview) bool {
		return h.count(`SELECT coalesce(max(attempt), 0) FROM server_states WHERE server = $1`, sv.ID) >= 6 && told.Load() >= 4
	})
	if got, want := h.kinds(sv.ID), "server.declared server.failed"; got != want {
		t.Errorf("log %q, want %q", got, want)
	}
}
