package preset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crewlet/config/document"
	"crewlet/config/preset"
)

// TestPresets: each is a valid entry as it stands, refers to what it says it
// does, and a seat's block fits it.
func TestPresets(t *testing.T) {
	want := []string{"filesystem", "memory", "everything", "github", "gitlab", "atlassian", "slack", "tavily", "codex"}
	if got := preset.Names(); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	for _, p := range preset.List() {
		t.Run(p.Name, func(t *testing.T) {
			if p.Title == "" || p.Brief == "" || p.Server.Name != p.Name || p.Launch > len(p.Server.Args) {
				t.Errorf("it says too little: %+v", p)
			}
			if p.Needs == "" && p.Server.Command != "" {
				t.Error("it has a command and needs nothing on PATH")
			}
			if (len(p.Seat) > 0) == p.Server.Shared {
				t.Errorf("shared is %v, and each seat gives %v", p.Server.Shared, p.Seat)
			}
			text, err := document.Apply([]byte("name: Acme\n"), document.Edit{Op: "add", Path: "/mcp_servers/-", Value: p.Server})
			if err != nil {
				t.Fatal(err)
			}
			company := string(text) + "roles:\n  - name: Test pilot\n"
			if p.Seat != nil {
				company += fmt.Sprintf("    mcp_env: {%s: {", p.Name)
				for key, value := range p.SeatEnv("test-pilot") {
					company += fmt.Sprintf("%s: %q, ", key, value)
				}
				company += "}}\n"
			}
			doc, problems := document.Parse([]byte(company))
			if len(problems) > 0 {
				t.Fatalf("%s\n%v", company, problems)
			}
			for _, ref := range document.References(doc) {
				own := strings.HasSuffix(ref.Name, "_TEST_PILOT")
				if own == slices.Contains(p.Secrets, ref.Name) {
					t.Errorf("%s is referred to at %s, and the secrets are %v", ref.Name, ref.Path, p.Secrets)
				}
			}
		})
	}
}

// TestListIsTheCallers: what one caller changes, the next does not see.
func TestListIsTheCallers(t *testing.T) {
	p, _ := preset.Find("slack")
	p.Server.Env["SLACK_MCP_ADD_MESSAGE_TOOL"] = "no"
	p.Server.Args[0] = "no"
	if again, ok := preset.Find("slack"); !ok || again.Server.Env["SLACK_MCP_ADD_MESSAGE_TOOL"] != "true" || again.Server.Args[0] != "-y" {
		t.Errorf("got %+v", again.Server)
	}
	if _, ok := preset.Find("nothing"); ok {
		t.Error("there is a preset of that name")
	}
}
