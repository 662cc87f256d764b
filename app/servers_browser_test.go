package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"crewlet/mcp/client"
)

// get asks the API with a token and decodes what it answers.
func (s *site) get(t *testing.T, token, path string, into any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %d %v %s", path, answer.StatusCode, err, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		t.Fatalf("GET %s: %v in %s", path, err, body)
	}
}

// thinLine is the main job's first light: a server goes in by form, and its
// tools come out on every open dashboard without a reload.
func thinLine(t *testing.T, b *browser) {
	s := serving(t)
	ana := b.person(t, s.url)
	s.setUp(ana)
	second := ana.beside()
	second.open("/settings/tools")
	second.eval(`window.sameDocument = true`)

	ana.open("/settings/tools/new")
	ana.fill(`[name=name]`, "everything")
	ana.fill(`[name=command]`, "npx")
	ana.fill(`[name=args]`, "-y @modelcontextprotocol/server-everything")
	ana.shot("form")
	ana.press(`main form button[type=submit]`)
	for who, x := range map[string]*tab{"who added it": ana, "who only looks": second} {
		x.within(60*time.Second, who+" sees the tools", `document.body.innerText.includes("get-sum") && document.body.innerText.includes("Running")`)
		x.shot(strings.ReplaceAll(who, " ", "-"))
	}
	if second.ask(`window.sameDocument`) != "true" {
		t.Error("the second dashboard was loaded again")
	}
	ana.accessible()

	token := s.token(t, "--grants", "state:read,config:read")
	var tools struct {
		Tools []struct {
			Name, Source string
			InputSchema  json.RawMessage `json:"input_schema"`
		}
	}
	s.get(t, token, "/tools", &tools)
	found := map[string]string{}
	for _, tool := range tools.Tools {
		found[tool.Name] = tool.Source
	}
	if found["get-sum"] != "mcp:everything" || found["get_config"] != "builtin" {
		t.Errorf("GET /tools answers %v", found)
	}

	// A killed child is seen, and started again.
	before := s.children(t)
	if len(before) == 0 {
		t.Fatal("no child carries the mark")
	}
	for _, pid := range before {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
			t.Fatal(err)
		}
	}
	eventually(t, "another child runs", func() bool {
		var servers struct {
			Servers []struct {
				Name, State string
				Started     int
			}
		}
		s.get(t, token, "/mcp-servers", &servers)
		now := s.children(t)
		return len(now) > 0 && !overlap(before, now) && len(servers.Servers) == 1 && servers.Servers[0].State == "Running"
	})
	second.reads("Running")
}

// children are the processes on this machine that carry the mark of a node.
func (s *site) children(t *testing.T) []int {
	t.Helper()
	var ready struct{ Node string }
	s.get(t, "", "/ready", &ready)
	pids, err := client.Marked(ready.Node + ".")
	if err != nil {
		t.Fatal(err)
	}
	return pids
}

func overlap(a, b []int) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}
