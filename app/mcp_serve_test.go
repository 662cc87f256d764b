package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// A client on this machine starts the program and speaks to it: what comes out
// is the protocol and nothing else, and it ends when its input does.
func TestMCPOnStandardInput(t *testing.T) {
	t.Parallel()
	s := serving(t)
	token, err := s.command(t, "", "token", "create", "--label", "ci:mcp", "--grants", "all")
	if err != nil {
		t.Fatal(err)
	}
	token = strings.TrimSpace(token)
	say := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_company","arguments":{}}}`
	out, log := &said{}, &said{}
	p := &program{environ: []string{"CREWLET_URL=" + s.url + "/", "CREWLET_TOKEN=" + token}, stdin: strings.NewReader(say), stdout: out, stderr: log}
	if err := p.run(t.Context(), []string{"mcp", "serve", "--verbose"}); err != nil {
		t.Error(err)
	}
	answered := map[float64]string{}
	for line := range strings.Lines(out.String()) {
		var m struct {
			ID     float64
			Result json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%q is no message: %v", line, err)
		}
		answered[m.ID] = string(m.Result)
	}
	if len(answered) != 2 || !strings.Contains(answered[0], `"serverInfo"`) || !strings.Contains(answered[1], `"name":"My company"`) {
		t.Errorf("answered %v\n%s", answered, log)
	}
	if !strings.Contains(log.String(), "tools/call") || strings.Contains(log.String(), token) {
		t.Errorf("--verbose says %s", log)
	}
}

func TestMCPServeSaysWhatItNeeds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		environ []string
		args    []string
		says    string
	}{
		"no address":             {nil, nil, "CREWLET_URL is not set"},
		"no token":               {[]string{"CREWLET_URL=http://127.0.0.1:1"}, nil, "CREWLET_TOKEN is not set"},
		"a name, no address":     {[]string{"CREWLET_URL=crewlet.example.com", "CREWLET_TOKEN=x"}, nil, "CREWLET_URL is the address"},
		"a password in it":       {[]string{"CREWLET_URL=http://a:b@127.0.0.1:1", "CREWLET_TOKEN=x"}, nil, "CREWLET_URL is the address"},
		"words nobody asked for": {[]string{"CREWLET_URL=http://127.0.0.1:1", "CREWLET_TOKEN=x"}, []string{"now"}, "This is written: crewlet mcp serve"},
	} {
		t.Run(name, func(t *testing.T) {
			out := &said{}
			p := &program{environ: c.environ, stdin: strings.NewReader(""), stdout: out, stderr: &said{}}
			err := p.run(t.Context(), append([]string{"mcp", "serve"}, c.args...))
			if _, wrong := errors.AsType[usage](err); !wrong || !strings.Contains(err.Error(), c.says) || out.String() != "" {
				t.Errorf("it says %v and prints %q", err, out)
			}
		})
	}
	out := &said{}
	p := &program{environ: []string{"CREWLET_URL=http://127.0.0.1:1", "CREWLET_TOKEN=x"}, stdin: strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"ping"}`), stdout: out, stderr: &said{}}
	if err := p.run(t.Context(), []string{"mcp", "serve"}); err != nil || !strings.Contains(out.String(), `"id":7`) || !strings.Contains(out.String(), "cannot be reached") {
		t.Errorf("without a node it answers %q, %v", out, err)
	}
}
