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

func TestAMisspeltQueryNameWritesNothing(t *testing.T) {
	for query, says := range map[string]string{
		"dryrun=true": "dry_run", "with_refrences=true": "with_references", "x=1": "there are",
	} {
		r, err := http.NewRequest("PUT", "/config?"+query, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := knownQuery(r); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", query, err)
		}
	}
	r, err := http.NewRequest("PUT", "/config?dry_run=true", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := knownQuery(r); err != nil {
		t.Error(err)
	}
}
