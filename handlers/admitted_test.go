package handlers

import (
	"net/http"
	"strings"
	"testing"
)

func TestNobodyIsToldSoFirst(t *testing.T) {
	t.Parallel()
	b := open(t)
	for name, c := range map[string]struct{ method, path, kind, body string }{
		"a wrong content type": {"PUT", "/config", "text/html", "name: Acme"},
		"broken JSON":          {"PATCH", "/config", "application/json", "{"},
		"an unknown query":     {"PUT", "/config?dryrun=true", "application/yaml", "name: Acme"},
		"a read":               {"GET", "/tools", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), c.method, b.url+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", c.kind)
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = answer.Body.Close() }()
			if answer.StatusCode != http.StatusUnauthorized || answer.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("answered %d %q", answer.StatusCode, answer.Header.Get("WWW-Authenticate"))
			}
		})
	}
}

func TestAQueryNameNobodyReadsWritesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		pattern, query, says string
	}{
		"misspelt":               {"PUT /config", "dryrun=true", `did you mean "dry_run"`},
		"misspelt elsewhere":     {"DELETE /config/mcp-servers/{name}", "with_refrences=true", `did you mean "with_references"`},
		"unknown":                {"PUT /config", "x=1", "there are dry_run"},
		"a dry run there is not": {"PUT /secrets/{name}", "dry_run=true", "takes none"},
		"known":                  {"PUT /config", "dry_run=true", ""},
		"known to the deletion":  {"DELETE /secrets/{name}", "anyway=true", ""},
		"nothing asked":          {"POST /config/reload", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequest("PUT", "/x?"+c.query, nil)
			if err != nil {
				t.Fatal(err)
			}
			err = knownQuery(r, queries(c.pattern))
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

// Every name is on a route there is: a renamed address would lose it.
func TestQueriesAreOnRoutesThereAre(t *testing.T) {
	t.Parallel()
	b := open(t)
	there := 0
	for _, route := range Routes(b.Engine, nil, nil, nil) {
		if len(queries(route.Pattern)) > 0 {
			there++
		}
	}
	if there != 8 {
		t.Errorf("%d routes take a query on a write, want 8", there)
	}
}
