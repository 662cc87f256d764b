package secrets

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/identity"
	"crewlet/engine/tool"
)

func TestProgramsStoreAndDelete(t *testing.T) {
	t.Parallel()
	b, s := open(t)
	by := access.Principal{Kind: access.Person, ID: "0190f3a2-7c4e-7d5a-9b1e-3f0c2a1d4e5f", Name: "ana", Grants: access.All, Fresh: true}
	minted, err := tool.Do(t.Context(), b.Run, b.Identity.MintToken, &tool.Call{By: by, Key: tool.NewKey(), Door: "page"},
		identity.MintToken{Label: "ci", Grants: []string{"all"}, Days: 7, Sensitive: true})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, body, hosts string) (int, map[string]any) {
		r, err := http.NewRequestWithContext(t.Context(), method, b.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+minted.Value)
		r.Header.Set("X-Hosts", hosts)
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = got.Body.Close() }()
		text, err := io.ReadAll(got.Body)
		if err != nil || strings.Contains(string(text), canary) {
			t.Fatalf("%s %s answers %s %v", method, path, text, err)
		}
		var out map[string]any
		if err := json.Unmarshal(text, &out); err != nil {
			t.Fatalf("%s %s answers %s", method, path, text)
		}
		return got.StatusCode, out
	}
	if code, out := ask("PUT", "/secrets/USED", canary+"\nsecond line\n", "a.example.com, b.example.com"); code != 200 || out["version"] != float64(1) {
		t.Errorf("PUT: %d %v", code, out)
	}
	if values, _ := s.Values(t.Context(), b.DB); values["USED"].Plain != canary+"\nsecond line\n" || len(values["USED"].Hosts) != 2 {
		t.Errorf("stored %v", values)
	}
	if code, out := ask("GET", "/secrets", "", ""); code != 200 || len(out["secrets"].([]any)) != 1 || len(out["missing"].([]any)) != 1 {
		t.Errorf("GET: %d %v", code, out)
	}
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		class              string
	}{
		"a used one":    {"DELETE", "/secrets/USED", "", 409, "still_referenced"},
		"none":          {"DELETE", "/secrets/NONE", "", 404, "not_found"},
		"a wrong name":  {"PUT", "/secrets/a-b", "x", 422, "invalid"},
		"the node's":    {"PUT", "/secrets/CREWLET_KEYRING", "x", 422, "invalid"},
		"no value":      {"PUT", "/secrets/EMPTY", "", 422, "invalid"},
		"NUL":           {"PUT", "/secrets/NUL", "a\x00b", 422, "invalid"},
		"over 64 KiB":   {"PUT", "/secrets/BIG", strings.Repeat("x", 64<<10+1), 422, "invalid"},
		"over 2 MiB":    {"PUT", "/secrets/BIG", strings.Repeat("x", 2<<20+1), 413, "too_large"},
		"dots in paths": {"PUT", "/secrets/%2e%2e", "x", 422, "invalid"},
	} {
		if code, out := ask(c.method, c.path, c.body, ""); code != c.status || out["error"] != c.class {
			t.Errorf("%s: %d %v", name, code, out)
		}
	}
	if code, out := ask("DELETE", "/secrets/USED?anyway=true", "", ""); code != 200 || out["name"] != "USED" {
		t.Errorf("DELETE: %d %v", code, out)
	}
}
