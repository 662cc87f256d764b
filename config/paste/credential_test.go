package paste_test

import (
	"strings"
	"testing"

	"crewlet/config/paste"
)

func TestIsCredential(t *testing.T) {
	for name, c := range map[string]struct {
		key, value string
		want       bool
	}{
		"by its key":            {"GITHUB_TOKEN", "swordfish", true},
		"in camelCase":          {"tavilyApiKey", "swordfish", true},
		"one run together":      {"OPENAI_APIKEY", "swordfish", true},
		"a header":              {"X-API-Key", "swordfish", true},
		"by a header's scheme":  {"authorization", "Bearer swordfish", true},
		"by its shape":          {"GITHUB", "ghp_swordfish", true},
		"behind a scheme":       {"X-Upstream", "Bearer sk-swordfish", true},
		"a password in a url":   {"DATABASE", "postgres://ana:swordfish@db.example/x", true},
		"a pem":                 {"CERT", "-----BEGIN PRIVATE KEY-----", true},
		"an empty one":          {"GITHUB_TOKEN", "", true}, // it has to be filled in
		"a reference":           {"GITHUB_TOKEN", "${GITHUB_TOKEN}", false},
		"a reference behind":    {"Authorization", "Bearer ${GITHUB_TOKEN}", false},
		"a limit":               {"MAX_TOKENS", "4000", false},
		"a file":                {"TOKEN_FILE", "/run/secrets/token", false},
		"a key of a project":    {"JIRA_PROJECT_KEY", "KITE", false},
		"a public key":          {"PUBLIC_KEY", "ssh-ed25519 AAAA", false},
		"a word ending alike":   {"MONKEY", "bananas", false},
		"a switch":              {"USE_TOKEN", "true", false},
		"a plain value":         {"LOG_LEVEL", "debug", false},
		"a plain url":           {"API_URL", "https://api.example/v4", false},
		"a url with a port":     {"API_URL", "https://api.example:8443/@me", false},
		"a word with a dash":    {"MODE", "sketch", false},
		"basic, spelled out":    {"TYPE", "basic auth", false},
		"a scheme and no value": {"Accept", "Bearer", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := paste.IsCredential(c.key, c.value); got != c.want {
				t.Errorf("IsCredential(%q, …) = %v", c.key, got)
			}
		})
	}
}

func TestInCommand(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		want int
	}{
		"nothing":             {"npx -y @scope/server /srv/files", -1},
		"by its shape":        {"npx -y hub ghp_swordfish", 3},
		"as a flag's value":   {"npx hub --api-key swordfish", 3},
		"as an assignment":    {"npx hub --api-key=swordfish", 2},
		"a variable":          {"env API_TOKEN=swordfish npx hub", 1},
		"a reference":         {"npx hub --api-key ${KEY}", -1},
		"a flag after a flag": {"npx --token --verbose", -1},
		"a limit":             {"npx hub --max-tokens 4000", -1},
	} {
		t.Run(name, func(t *testing.T) {
			words := strings.Fields(c.line)
			if got := paste.InCommand(words[0], words[1:]); got != c.want {
				t.Errorf("InCommand(%q) = %d, want %d", c.line, got, c.want)
			}
		})
	}
}

func TestInAddress(t *testing.T) {
	for name, c := range map[string]struct{ address, want string }{
		"nothing":      {"https://mcp.example.com/mcp?limit=3", ""},
		"a parameter":  {"https://mcp.example.com/mcp?limit=3&apiKey=swordfish#x", "apiKey"},
		"escaped":      {"https://mcp.example.com/mcp?x=sk%2Dswordfish", "x"},
		"a password":   {"https://ana:swordfish@mcp.example.com/mcp", "password"},
		"a reference":  {"https://${HOST}/mcp?token=${TOKEN}", ""},
		"beside one":   {"https://${HOST}/mcp?token=swordfish", "token"},
		"no parameter": {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := paste.InAddress(c.address); got != c.want {
				t.Errorf("InAddress(%q) = %q, want %q", c.address, got, c.want)
			}
		})
	}
}
