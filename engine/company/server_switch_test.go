package company_test

import (
	"encoding/json"
	"strings"
	"testing"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestAServerIsSwitched(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after string
		on            bool
		outcome       string
	}{
		"off, never said": {
			"name: Acme\nmcp_servers:\n  - name: a # mine\n    command: x\n",
			"name: Acme\nmcp_servers:\n  - name: a # mine\n    command: x\n    enabled: false\n", false, "applied",
		},
		"off, said on": {
			"name: Acme\nmcp_servers:\n  - name: a\n    enabled: true # for now\n    command: x\n",
			"name: Acme\nmcp_servers:\n  - name: a\n    enabled: false # for now\n    command: x\n", false, "applied",
		},
		"on": {
			"name: Acme\nmcp_servers:\n  - {name: a, command: x, enabled: false}\n",
			"name: Acme\nmcp_servers:\n  - {name: a, command: x, enabled: true}\n", true, "applied",
		},
		"as it is": {
			"name: Acme\nmcp_servers:\n  - name: a\n    command: x\n",
			"name: Acme\nmcp_servers:\n  - name: a\n    command: x\n", true, "unchanged",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := begun(t, c.before)
			call := ana()
			_, err := tool.Do(t.Context(), h.run, h.SwitchServer, call, company.SwitchServer{Name: "a", Enabled: c.on})
			rev, _, _ := h.now(t)
			if err != nil || call.Landed.Outcome != c.outcome || rev.Text != c.after {
				t.Errorf("%v %q, the text is\n%s", err, call.Landed.Outcome, rev.Text)
			}
			if c.outcome == "applied" && !strings.HasSuffix(rev.Summary, "able a") {
				t.Errorf("summary %q", rev.Summary)
			}
		})
	}
}

func TestSwitchRefuses(t *testing.T) {
	t.Parallel()
	h := begun(t, two)
	for name, c := range map[string]struct {
		in    company.SwitchServer
		class refusal.Class
	}{
		"nobody of that name": {company.SwitchServer{Name: "nope"}, refusal.NoSuchEntity},
		"an older revision":   {company.SwitchServer{Name: "files", Writing: company.Writing{IfMatch: 7}}, refusal.RevisionAdvanced},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := tool.Do(t.Context(), h.run, h.SwitchServer, ana(), c.in); !refusal.Is(err, c.class) {
				t.Errorf("got %v, want %s", err, c.class)
			}
		})
	}
}

func TestDrafted(t *testing.T) {
	t.Parallel()
	h := begun(t, two)
	for name, c := range map[string]struct {
		name, entry, field string
	}{
		"a new one":        {"fresh", `{"command":"x","timeout":"90s"}`, ""},
		"a declared one":   {"files", `{"command":"x"}`, ""},
		"an unknown key":   {"fresh", `{"command":"x","tiemout":3}`, "tiemout"},
		"nothing to start": {"fresh", `{}`, "entry"},
		"no object":        {"fresh", `[]`, "entry"},
	} {
		t.Run(name, func(t *testing.T) {
			entry, err := h.Drafted(t.Context(), h.run.DB, c.name, json.RawMessage(c.entry))
			if c.field == "" {
				if err != nil || entry.Name != c.name || entry.Command != "x" || !entry.Enabled {
					t.Errorf("got %+v %v", entry, err)
				}
				return
			}
			if no := refusal.Of(err); no == nil || no.Fields[c.field] == "" {
				t.Errorf("got %v %+v, want it beside %s", err, no, c.field)
			}
		})
	}
	if rev, _, _ := h.now(t); rev.ID != 1 {
		t.Error("a draft was stored")
	}
}
