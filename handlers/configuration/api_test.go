package configuration_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/identity"
	"crewlet/engine/tool"
	"crewlet/handlers/signin/signintest"
)

// program is a machine with a token.
type program struct {
	t     *testing.T
	url   string
	token string
}

func programOf(t *testing.T, b *signintest.Bench) program {
	t.Helper()
	by := access.Principal{Kind: access.Person, ID: "0190f3a2-7c4e-7d5a-9b1e-3f0c2a1d4e5f", Name: "ana", Grants: access.All, Fresh: true}
	minted, err := tool.Do(t.Context(), b.Run, b.Identity.MintToken, &tool.Call{By: by, Key: tool.NewKey(), Door: "page"},
		identity.MintToken{Label: "ci", Grants: []string{"all"}, Days: 7, Sensitive: true})
	if err != nil {
		t.Fatal(err)
	}
	return program{t, b.URL, minted.Value}
}

type answer struct {
	status int
	etag   string
	text   string
	body   map[string]any
}

// ask sends one request; headers are name, value, name, value.
func (p program) ask(method, path, body string, headers ...string) answer {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.token)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	a := answer{status: got.StatusCode, etag: got.Header.Get("ETag"), text: string(text)}
	_ = json.Unmarshal(text, &a.body) // a document is no JSON
	return a
}

func TestProgramsReadAndWriteTheDocument(t *testing.T) {
	t.Parallel()
	b, _ := open(t, "name: Acme # ours\r\n")
	p := programOf(t, b)
	if got := p.ask("GET", "/config", ""); got.status != 200 || got.text != "name: Acme # ours\r\n" || got.etag != `"1"` {
		t.Errorf("GET: %+v", got)
	}
	if got := p.ask("GET", "/config", "", "Accept", "application/json"); got.body["id"] != float64(1) || got.body["text"] != "name: Acme # ours\r\n" {
		t.Errorf("GET as JSON: %+v", got)
	}
	put := p.ask("PUT", "/config", "name: Acme # ours\nmission: x\n", "Content-Type", "application/yaml", "If-Match", `"1"`, "X-Summary", "Mission")
	if put.status != 200 || put.etag != `"2"` || put.body["revision_id"] != float64(2) {
		t.Errorf("PUT: %+v", put)
	}
	patch := p.ask("PATCH", "/config", `{"edits":[{"op":"replace","path":"/mission","value":"now"}]}`, "Content-Type", "application/json", "If-Match", "2", "X-Summary", "Other")
	if patch.status != 200 || patch.body["revision_id"] != float64(3) {
		t.Errorf("PATCH: %+v", patch)
	}
	if got := p.ask("GET", "/config", ""); got.text != "name: Acme # ours\nmission: now\n" {
		t.Errorf("after the edit: %q", got.text)
	}
	if got := p.ask("GET", "/config/revisions/3/diff?from=1", ""); got.status != 200 || !strings.Contains(got.text, "+mission: now") {
		t.Errorf("diff: %+v", got)
	}
	if got := p.ask("POST", "/config/revisions/1/revert", "", "If-Match", `"3"`, "X-Summary", "Back"); got.status != 200 || got.etag != `"4"` {
		t.Errorf("revert: %+v", got)
	}
	if got := p.ask("GET", "/config/revisions?limit=2", ""); got.status != 200 || got.body["next"] != float64(3) {
		t.Errorf("revisions: %+v", got)
	}
	if got := p.ask("POST", "/config/reload", ""); got.status != 200 || got.body["revision_id"] != float64(4) {
		t.Errorf("reload: %+v", got)
	}
}

func TestProgramsAreRefused(t *testing.T) {
	t.Parallel()
	b, _ := open(t, "name: Acme\nmcp_servers: [{name: web, command: c}]\n")
	p := programOf(t, b)
	status(t, b.Administrator().Get(path).Send(path, sent("name: Acme\nmission: x\nmcp_servers: [{name: web, command: c}]\n", "Second")), http.StatusSeeOther)
	for name, c := range map[string]struct {
		method, path, body string
		headers            []string
		status             int
		class              string
	}{
		"a wrong type":              {"PUT", "/config", "name: A", []string{"Content-Type", "application/json"}, 415, "wrong_media_type"},
		"no type":                   {"PUT", "/config", "name: A", nil, 415, "wrong_media_type"},
		"an old revision":           {"PUT", "/config", "name: A", []string{"Content-Type", "text/plain", "If-Match", `"1"`, "X-Summary", "x"}, 409, "revision_advanced"},
		"no revision":               {"PUT", "/config", "name: A", []string{"Content-Type", "text/plain", "X-Summary", "x"}, 422, "invalid"},
		"no number":                 {"PUT", "/config", "name: A", []string{"Content-Type", "text/plain", "If-Match", "abc", "X-Summary", "x"}, 400, "malformed"},
		"no reason":                 {"PUT", "/config", "name: A", []string{"Content-Type", "text/plain", "If-Match", "2"}, 400, "summary_required"},
		"a wrong text":              {"PUT", "/config", "nam: A", []string{"Content-Type", "text/plain", "If-Match", "2", "X-Summary", "x"}, 422, "invalid"},
		"a wrong text, dry":         {"PUT", "/config?dry_run=true", "nam: A", []string{"Content-Type", "text/plain", "If-Match", "2"}, 422, "invalid"},
		"half a dry run":            {"PUT", "/config?dry_run=maybe", "name: A", []string{"Content-Type", "text/plain", "If-Match", "2"}, 400, "malformed"},
		"a huge text":               {"PUT", "/config", "name: A\n#" + strings.Repeat("x", 3<<20), []string{"Content-Type", "text/plain", "If-Match", "2", "X-Summary", "x"}, 413, "too_large"},
		"edits that are no JSON":    {"PATCH", "/config", "[", []string{"Content-Type", "application/json", "If-Match", "2", "X-Summary", "x"}, 400, "malformed"},
		"edits that are no list":    {"PATCH", "/config", `{"edits":{}}`, []string{"Content-Type", "application/json", "If-Match", "2", "X-Summary", "x"}, 422, "invalid"},
		"edits in no object":        {"PATCH", "/config", "[]", []string{"Content-Type", "application/json", "If-Match", "2", "X-Summary", "x"}, 400, "malformed"},
		"edits and more":            {"PATCH", "/config", `{"edits":[{"op":"remove","path":"/mission"}],"if_match":2}`, []string{"Content-Type", "application/json", "If-Match", "2", "X-Summary", "x"}, 422, "invalid"},
		"no edits":                  {"PATCH", "/config", `{"edits":[]}`, []string{"Content-Type", "application/json", "If-Match", "2", "X-Summary", "x"}, 422, "invalid"},
		"an edit with more":         {"PATCH", "/config", `{"edits":[{"op":"remove","path":"/mission","colour":1}]}`, []string{"Content-Type", "application/json", "If-Match", "2", "X-Summary", "x"}, 422, "invalid"},
		"a bad key":                 {"POST", "/config/reload", "", []string{"Idempotency-Key", "abc"}, 400, "op_id_invalid"},
		"no such revision":          {"GET", "/config/revisions/99", "", nil, 404, "not_found"},
		"a server that is there":    {"PUT", "/config/mcp-servers/web", `{"command":"d"}`, []string{"Content-Type", "application/json", "If-None-Match", "*", "X-Summary", "x"}, 412, "entity_exists"},
		"a server that is not":      {"PUT", "/config/mcp-servers/none", `{"command":"d"}`, []string{"Content-Type", "application/json", "X-Summary", "x"}, 404, "no_such_entity"},
		"a server, no reason":       {"PUT", "/config/mcp-servers/new", `{"command":"d"}`, []string{"Content-Type", "application/json", "If-None-Match", "*"}, 400, "summary_required"},
		"a server over an old one":  {"PUT", "/config/mcp-servers/web", `{"command":"d"}`, []string{"Content-Type", "application/json", "If-Match", "1", "X-Summary", "x"}, 409, "revision_advanced"},
		"a server's body":           {"PUT", "/config/mcp-servers/new", `{"command":`, []string{"Content-Type", "application/json", "If-None-Match", "*", "X-Summary", "x"}, 400, "malformed"},
		"a server with nothing":     {"PUT", "/config/mcp-servers/new", `{}`, []string{"Content-Type", "application/json", "If-None-Match", "*", "X-Summary", "x"}, 422, "invalid"},
		"removing what is not":      {"DELETE", "/config/mcp-servers/none", "", []string{"X-Summary", "x"}, 404, "no_such_entity"},
		"removing over an old one":  {"DELETE", "/config/mcp-servers/web", "", []string{"If-Match", "1", "X-Summary", "x"}, 409, "revision_advanced"},
		"renaming over an old one":  {"POST", "/config/mcp-servers/web/rename", `{"to":"net"}`, []string{"Content-Type", "application/json", "If-Match", "1", "X-Summary", "x"}, 409, "revision_advanced"},
		"a seat that is not":        {"POST", "/config/seats/none/rename", `{"to":"some"}`, []string{"Content-Type", "application/json", "X-Summary", "x"}, 404, "no_such_entity"},
		"a seat with more fields":   {"POST", "/config/seats/none/rename", `{"handle":"some"}`, []string{"Content-Type", "application/json", "X-Summary", "x"}, 422, "invalid"},
		"a limit of words":          {"GET", "/config/revisions?limit=abc", "", nil, 422, "invalid"},
		"a limit past the most":     {"GET", "/config/revisions?limit=1000", "", nil, 422, "invalid"},
		"a page before words":       {"GET", "/config/revisions?before=zzz", "", nil, 422, "invalid"},
		"a page before nothing":     {"GET", "/config/revisions?before=-1", "", nil, 422, "invalid"},
		"a difference from words":   {"GET", "/config/revisions/2/diff?from=one", "", nil, 422, "invalid"},
		"renaming to a wrong name":  {"POST", "/config/mcp-servers/web/rename", `{"to":"Web"}`, []string{"Content-Type", "application/json", "X-Summary", "x"}, 422, "invalid"},
		"renaming with more fields": {"POST", "/config/mcp-servers/web/rename", `{"to":"net","why":1}`, []string{"Content-Type", "application/json", "X-Summary", "x"}, 422, "invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			p := program{t, p.url, p.token}
			got := p.ask(c.method, c.path, c.body, c.headers...)
			if got.status != c.status || got.body["error"] != c.class || got.body["message"] == "" {
				t.Errorf("got %d %s, want %d %s", got.status, got.text, c.status, c.class)
			}
		})
	}
	if got := p.ask("GET", "/config", ""); got.etag != `"2"` {
		t.Errorf("something was written: %s", got.etag)
	}
}

func TestProgramsDeclareServers(t *testing.T) {
	t.Parallel()
	b, _ := open(t, "name: Acme\n")
	p := programOf(t, b)
	kind := []string{"Content-Type", "application/json", "X-Summary", "x"}
	dry := p.ask("PUT", "/config/mcp-servers/new?dry_run=true", `{"command":"c"}`, append(kind, "If-None-Match", "*")...)
	if dry.status != 200 || dry.body["revision_id"] != float64(1) {
		t.Errorf("dry: %+v", dry)
	}
	made := p.ask("PUT", "/config/mcp-servers/new", `{"command":"c","env":{"A":"${B}"}}`, append(kind, "If-None-Match", "*")...)
	warnings, _ := made.body["warnings"].([]any)
	if made.status != 201 || made.body["revision_id"] != float64(2) || len(warnings) != 1 {
		t.Errorf("created: %+v", made)
	}
	if got := p.ask("GET", "/config/references", ""); !strings.Contains(got.text, `"name":"B","places":[{"path":"mcp_servers[0].env.A"`) {
		t.Errorf("references: %s", got.text)
	}
	if got := p.ask("PUT", "/config/mcp-servers/new", `{"command":"d"}`, append(kind, "If-Match", `"2"`)...); got.status != 200 {
		t.Errorf("replaced: %+v", got)
	}
	if got := p.ask("POST", "/config/mcp-servers/new/rename", `{"to":"newer"}`, kind...); got.status != 200 {
		t.Errorf("renamed: %+v", got)
	}
	if got := p.ask("DELETE", "/config/mcp-servers/newer", "", kind...); got.status != 200 || got.body["revision_id"] != float64(5) {
		t.Errorf("removed: %+v", got)
	}
}

func TestProgramsRenameSeats(t *testing.T) {
	t.Parallel()
	b, c := open(t, "name: Acme\nroles: [{name: Bob}, {name: Ana, manages: [bob]}]\n")
	p := programOf(t, b)
	got := p.ask("POST", "/config/seats/bob/rename", `{"to":"rob","name":"Rob"}`, "Content-Type", "application/json", "If-Match", "1", "X-Summary", "x")
	if got.status != 200 || got.etag != `"2"` || got.body["revision_id"] != float64(2) {
		t.Errorf("renamed: %+v", got)
	}
	if rev := current(t, b, c); rev.Text != "name: Acme\nroles: [{name: Rob, handle: rob}, {name: Ana, manages: [rob]}]\n" {
		t.Errorf("the text is %s", rev.Text)
	}
}
