package servers

import (
	"strings"
	"testing"

	"crewlet/engine/company"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

func TestAReloadTellsWhatEachNodeDid(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo") + "  - name: lost\n    command: no-such-command-anywhere\n" +
		"  - {name: held, command: x, env: {KEY: \"${NOWHERE}\"}}\n")
	h.in("alpha", Running)
	h.in("lost", Failing)
	h.in("held", Failing)
	pid := h.pid(h.in("alpha", Running).ID)
	call := admin()
	if _, err := tool.Do(t.Context(), h.run, h.company.ReloadConfig, call, company.ReloadConfig{}); err != nil {
		t.Fatal(err)
	}
	var told []Reload
	h.until("the node tells", func(Overview) bool {
		out, err := tool.Do(t.Context(), h.run, h.servers.Overview, admin(), ToolsOverview{Reloaded: call.Landed.Position, ServersOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		told = out.Reloads
		return len(told) == 1 && told[0].Done
	})
	got := told[0]
	if got.Node != "node-1" || strings.Join(got.Stayed, " ") != "alpha" || strings.Join(got.Tried, " ") != "lost" ||
		strings.Join(got.Held, " ") != "held" || len(got.Started)+len(got.Restarted)+len(got.Stopped) != 0 {
		t.Errorf("it did %+v", got)
	}
	if now := h.pid(h.in("alpha", Running).ID); now != pid {
		t.Error("what stayed has another process")
	}
	out, err := tool.Do(t.Context(), h.run, h.servers.Overview, admin(), ToolsOverview{Reloaded: call.Landed.Position + 1000})
	if err != nil || len(out.Reloads) != 1 || out.Reloads[0].Done {
		t.Errorf("of a reload nobody asked for: %+v %v", out.Reloads, err)
	}
}

func TestWhatAReloadCallsWhat(t *testing.T) {
	t.Parallel()
	spec := client.Spec{Key: client.Key{Server: "s", Node: "n"}, Name: "s", Transport: client.Stdio, Command: "a"}
	same, other := map[client.Key]string{spec.Key: spec.Digest()}, map[client.Key]string{spec.Key: "other"}
	did := none()
	for name, c := range map[string]struct {
		before map[client.Key]string
		now    client.Report
		want   *[]string
	}{
		"new":                  {nil, client.Report{}, &did.Started},
		"started otherwise":    {other, client.Report{State: client.Running}, &did.Restarted},
		"down":                 {same, client.Report{State: client.Failed}, &did.Tried},
		"trying after a death": {same, client.Report{State: client.Starting, Error: "it ended"}, &did.Tried},
		"running":              {same, client.Report{State: client.Running}, &did.Stayed},
		"idle":                 {same, client.Report{State: client.Idle}, &did.Stayed},
	} {
		if got := did.of(spec, c.before, c.now); got != c.want {
			t.Errorf("%s is in another list", name)
		}
	}
}
