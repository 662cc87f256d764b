package config_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crewlet/config"
)

func tokenFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadTokens(t *testing.T) {
	sum := sha256.Sum256([]byte("a token"))
	digest := hex.EncodeToString(sum[:])
	t.Run("two tokens", func(t *testing.T) {
		got, err := config.ReadTokens(tokenFile(t, "- id: ci:release\r\n  sha256: "+digest+"\r\n  grants: [state:read, work:write]\r\n- {id: 'ops:break-glass', sha256: "+digest+", grants: all}\r\n"))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 2 || got[0].SHA256 != sum || !got[0].Grants.Has("work:write") || got[0].Grants.All || !got[1].Grants.All {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("empty", func(t *testing.T) {
		if got, err := config.ReadTokens(tokenFile(t, "# none yet\n")); err != nil || len(got) != 0 {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("missing", func(t *testing.T) {
		if _, err := config.ReadTokens(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "CREWLET_TOKENS") {
			t.Errorf("got %v", err)
		}
	})
}

func TestReadTokensRefuses(t *testing.T) {
	digest := strings.Repeat("0a", 32)
	for name, c := range map[string]struct{ text, says string }{
		"a key of nobody":     {"- id: ci:a\n  token: hunter2\n", "line 2"},
		"the token itself":    {"- {id: 'ci:a', sha256: hunter2, grants: all}", "64 digits"},
		"a person's name":     {"- {id: jane.doe, sha256: " + digest + ", grants: all}", "[0].id"},
		"no grants":           {"- {id: 'ci:a', sha256: " + digest + "}", "[0].grants"},
		"an unknown grant":    {"- {id: 'ci:a', sha256: " + digest + ", grants: [work:wriet]}", "work:write"},
		"one id twice":        {"- {id: 'ci:a', sha256: " + digest + ", grants: all}\n- {id: 'ci:a', sha256: " + digest + ", grants: all}", "[1].id"},
		"no list":             {"id: hunter2", "list of tokens"},
		"not YAML":            {"- {id: hunter2", "list of tokens"},
		"numbers as grants":   {"- {id: 'ci:a', sha256: " + digest + ", grants: [1]}", "[0].grants"},
		"an empty grant list": {"- {id: 'ci:a', sha256: " + digest + ", grants: []}", "names no grant"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.ReadTokens(tokenFile(t, c.text))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q in it", err, c.says)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the refusal shows the file: %v", err)
			}
		})
	}
}
