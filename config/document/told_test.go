package document_test

import (
	"slices"
	"strings"
	"testing"

	"crewlet/config/document"
)

// One wrong value is one problem: whatever stands behind it is still read, and
// is counted as it stands.
func TestAWrongValueSpoilsNothingElse(t *testing.T) {
	const seats = "roles:\n- {name: Ana, mcp_env: {b: {A: x}}, tools: [{server: b, tools: '*'}]}\nname: A\n"
	for name, c := range map[string]struct {
		text  string
		paths []string
	}{
		"a duration":           {"mcp_servers:\n- {name: a, command: x, timeout: soon}\n- {name: b, command: x, shared: false}\n" + seats, []string{"mcp_servers[0].timeout"}},
		"a duration too long":  {"mcp_servers:\n- {name: b, command: x, shared: false, startup_timeout: 1h}\n" + seats, []string{"mcp_servers[0].startup_timeout"}},
		"a duration in a list": {"mcp_servers:\n- {name: b, command: x, shared: false, sampling: {timeout: [1]}}\n" + seats, []string{"mcp_servers[0].sampling.timeout"}},
		"a list of arguments":  {"mcp_servers:\n- {name: b, command: x, shared: false, args: {a: b}}\n" + seats, []string{"mcp_servers[0].args"}},
		"tool filters":         {"mcp_servers:\n- {name: b, command: x, shared: false, tools: [1]}\n" + seats, []string{"mcp_servers[0].tools"}},
		"hints":                {"mcp_servers:\n- {name: b, command: x, shared: false, tool_annotations: {t: [1]}}\n" + seats, []string{"mcp_servers[0].tool_annotations.t"}},
		"auth":                 {"mcp_servers:\n- {name: b, url: 'https://h/', shared: false, auth: [1]}\n" + seats, []string{"mcp_servers[0].auth"}},
		"an entry of text":     {"mcp_servers:\n- x\n- {name: b, command: x, shared: false}\n" + seats, []string{"mcp_servers[0]"}},
		"an entry of nothing":  {"mcp_servers:\n-\n- {name: b, command: x, shared: false}\n" + seats, []string{"mcp_servers[0]"}},
		"no list of servers":   {"mcp_servers: {b: {command: x}}\n" + seats, []string{"mcp_servers"}},
		"a name misspelt":      {"mcp_servers:\n- {nmae: b, command: x, shared: false}\n" + seats, []string{"mcp_servers[0].nmae"}},
		"a seat":               {"name: A\nunits:\n- {name: E, lead: ana, roles: [{name: Ana, sandbox: {timeout: never}, kind: agent}]}\n", []string{"units[0].roles[0].sandbox.timeout"}},
		"a seat's handle":      {"name: A\nunits:\n- {name: E, lead: ana, roles: [{name: X, handel: ana}]}\n", []string{"units[0].roles[0].handel"}},
		"seats in a map":       {"name: A\nunits:\n- {name: E, lead: ana, roles: {ana: {name: Ana}}}\n", []string{"units[0].roles"}},
		"a schedule":           {"roles:\n- {name: A, schedules: [{name: s, cron: '* * * * *', prompt: p, enabled: [1]}]}\nname: A\n", []string{"roles[0].schedules[0].enabled"}},
		"a model's cooldown":   {"providers: {connections: [{name: c, kind: openai, cooldown: long}]}\nroles: [{name: A, model: c/m}]\nname: A\n", []string{"providers.connections[0].cooldown"}},
		"a merge of a list":    {"policies: &p [x]\nbudgets:\n  <<: *p\nname: A\n", []string{"budgets.<<"}},
		"two of them": {"mcp_servers:\n- {name: b, command: x, shared: false, timeout: soon}\n- {name: c, command: x, idle_stop: 2h}\n" + seats,
			[]string{"mcp_servers[0].timeout", "mcp_servers[1].idle_stop"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := document.Parse([]byte(c.text))
			var paths []string
			for _, p := range problems {
				paths = append(paths, p.Path)
			}
			if !slices.Equal(paths, c.paths) {
				t.Errorf("got\n%v", problems)
			}
		})
	}
}

func TestADurationNamesItsOwnCeiling(t *testing.T) {
	for text, most := range map[string]string{
		server("command: x\ntimeout: 0"):                                                       "1h.",
		server("command: x\nstartup_timeout: 11m"):                                             "10m.",
		server("command: x\nstartup_timeout: -1"):                                              "10m.",
		server("command: x\nidle_stop: 1e9"):                                                   "1h.",
		server("command: x\nsampling: {timeout: 2h}"):                                          "1h.",
		"name: A\nroles: [{name: S, sandbox: {timeout: 25h}}]\n":                               "24h.",
		"name: A\nproviders: {connections: [{name: c, kind: openai, cooldown: 1000000000}]}\n": "24h.",
		"name: A\nproviders: {connections: [{name: c, kind: openai, timeout: 61m}]}\n":         "1h.",
	} {
		_, problems := document.Parse([]byte(text))
		if len(problems) != 1 || !strings.HasSuffix(problems[0].Says, "must be more than 0s and at most "+most) {
			t.Errorf("%s\nis told %v, want at most %s", text, problems, most)
		}
	}
}

func TestANameNobodyHasIsToldWithThoseThereAre(t *testing.T) {
	const head = "name: A\nunits: [{name: E, project: ENG, space: eng}, {name: O, project: OPS}]\nmcp_servers: [{name: files, command: x}, {name: web, command: x}]\n"
	for lines, says := range map[string]string{
		"callers: {tokens: {t: {may: {read: [ENF]}}}}\n":            "Did you mean ENG? There are ENG, OPS.",
		"callers: {tokens: {t: {may: {read: [ZZZZZZ]}}}}\n":         "There are ENG, OPS.",
		"roles: [{name: S, tools: [{server: file, tools: '*'}]}]\n": "Did you mean files? There are files, web.",
		"roles: [{name: S, manages: [eningeering]}]\n":              "There are s, e, o.",
		"roles: [{name: S, space: egn}]\n":                          "Did you mean eng? There are company, eng.",
	} {
		_, problems := document.Parse([]byte(head + lines))
		if len(problems) != 1 || !strings.HasSuffix(problems[0].Says, says) {
			t.Errorf("%sis told %v, want %q", lines, problems, says)
		}
	}
}
