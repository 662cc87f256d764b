package handlers

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"crewlet/engine/enginetest"
	"crewlet/engine/identity"
	"crewlet/engine/tool"
)

// bad is a request that cannot be taken, and what it is answered.
type bad struct {
	method, path string
	body         io.Reader
	headers      []string
	status       int
	class        string
}

// refused sends each and checks that it is told clearly and leaves nothing.
func (b *bench) refused(t *testing.T, cases map[string]bad, headers ...string) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			before := b.counts()
			got := b.ask(t, c.method, c.path, c.body, append(headers, c.headers...)...)
			env := got.envelope(t)
			if got.status != c.status || env["error"] != c.class {
				t.Errorf("answered %d %.300s, want %d %s", got.status, got.text, c.status, c.class)
			}
			if left := b.counts().since(before); left.Operations != 0 || left.Changes != 0 {
				t.Errorf("it left %+v", left)
			}
		})
	}
}

func TestProgramsSendingNonsenseAreRefused(t *testing.T) {
	t.Parallel()
	b := open(t)
	token := b.mint(true, "all").Value
	yamlOver := typed(token, "Content-Type", "application/yaml", "If-Match", `"1"`)
	jsonOver := typed(token, "If-Match", "1")
	fresh := typed(token, "If-None-Match", "*")
	long := strings.Repeat("x", 1<<20)
	b.refused(t, map[string]bad{
		"NUL in a path":               {"PUT", "/secrets/A%00B", text("v"), as(token), 422, "invalid"},
		"NUL in a body":               {"PUT", "/secrets/A", text("a\x00b"), as(token), 422, "invalid"},
		"NUL in a query":              {"GET", "/settings/audit?actor=%00", nil, as(token, "Accept", "application/json"), 422, "invalid"},
		"NUL in JSON":                 {"PUT", "/config/mcp-servers/new", text(`{"command":"a\u0000b"}`), fresh, 422, "invalid"},
		"NUL in YAML":                 {"PUT", "/config", text("name: A\x00\n"), yamlOver, 422, "invalid"},
		"a control character":         {"PUT", "/secrets/A%07B", text("v"), as(token), 422, "invalid"},
		"a name of a megabyte":        {"PUT", "/config/mcp-servers/new", text(`{"command":"` + long + `"}`), fresh, 422, "invalid"},
		"a name of a megabyte, 2":     {"POST", "/config/mcp-servers/web/rename", text(`{"to":"` + long + `"}`), typed(token), 422, "invalid"},
		"no UTF-8 in a path":          {"PUT", "/secrets/%ff%fe", text("v"), as(token), 422, "invalid"},
		"no UTF-8 in a body":          {"PUT", "/secrets/A", text("\xff\xfe"), as(token), 422, "invalid"},
		"no UTF-8 in JSON":            {"PUT", "/config/mcp-servers/new", text("{\"command\":\"\xff\"}"), fresh, 422, "invalid"},
		"no UTF-8 in YAML":            {"PUT", "/config", text("name: \xff\n"), yamlOver, 422, "invalid"},
		"no type":                     {"PUT", "/config", text("name: A"), as(token, "If-Match", "1", "X-Summary", "x"), 415, "wrong_media_type"},
		"another type":                {"PATCH", "/config", text("[]"), typed(token, "Content-Type", "text/html"), 415, "wrong_media_type"},
		"a type that is none":         {"PATCH", "/config", text("[]"), typed(token, "Content-Type", "; ;"), 415, "wrong_media_type"},
		"broken JSON":                 {"PATCH", "/config", text(`[{"op":`), jsonOver, 400, "malformed"},
		"JSON after JSON":             {"PATCH", "/config", text(`[]}`), jsonOver, 400, "malformed"},
		"JSON closing its place":      {"PATCH", "/config", text(`[],"if_match":9`), jsonOver, 400, "malformed"},
		"deep JSON":                   {"PATCH", "/config", text(strings.Repeat("[", 100_000)), jsonOver, 400, "malformed"},
		"an unknown field":            {"PUT", "/config/mcp-servers/new", text(`{"command":"c","colour":"red"}`), fresh, 422, "invalid"},
		"an unknown argument":         {"POST", "/config/mcp-servers/web/rename", text(`{"to":"net","why":1}`), typed(token), 422, "invalid"},
		"an argument of another type": {"POST", "/config/mcp-servers/web/rename", text(`{"to":7}`), typed(token), 422, "invalid"},
		"broken YAML":                 {"PUT", "/config", text("name: [A\n"), yamlOver, 422, "invalid"},
		"a YAML bomb":                 {"PUT", "/config", text(yamlBomb()), yamlOver, 422, "invalid"},
		"nothing":                     {"PUT", "/config", nil, yamlOver, 422, "invalid"},
		"three megabytes":             {"PUT", "/config", text("name: A\n#" + strings.Repeat("x", 3<<20)), yamlOver, 413, "too_large"},
		"three megabytes, 2":          {"PUT", "/secrets/A", text(strings.Repeat("x", 3<<20)), as(token), 413, "too_large"},
		"three megabytes, 3":          {"PATCH", "/config", text(strings.Repeat(" ", 3<<20)), jsonOver, 413, "too_large"},
		"If-Match in words":           {"PUT", "/config", text("name: A\n"), typed(token, "Content-Type", "text/yaml", "If-Match", "newest"), 400, "malformed"},
		"If-Match of two":             {"PUT", "/config", text("name: A\n"), typed(token, "Content-Type", "text/yaml", "If-Match", `"1", "2"`), 400, "malformed"},
		"If-Match of zero":            {"PUT", "/config", text("name: A\n"), typed(token, "Content-Type", "text/yaml", "If-Match", "0"), 400, "malformed"},
		"If-Match past all numbers":   {"PUT", "/config", text("name: A\n"), typed(token, "Content-Type", "text/yaml", "If-Match", "99999999999999999999"), 400, "malformed"},
		"If-None-Match of one":        {"PUT", "/config/mcp-servers/new", text(`{"command":"c"}`), typed(token, "If-None-Match", `"1"`), 400, "malformed"},
		"no reason":                   {"PUT", "/config", text("name: A\n"), as(token, "Content-Type", "text/yaml", "If-Match", "1"), 400, "summary_required"},
		"a reason of blanks":          {"PUT", "/config", text("name: A\n"), as(token, "Content-Type", "text/yaml", "If-Match", "1", "X-Summary", "  \t "), 400, "summary_required"},
		"a reason of a megabyte":      {"PUT", "/config", text("name: A\n"), as(token, "Content-Type", "text/yaml", "If-Match", "1", "X-Summary", long[:500_000]), 422, "invalid"},
		"a reason no UTF-8":           {"PUT", "/config", text("name: A\n"), as(token, "Content-Type", "text/yaml", "If-Match", "1", "X-Summary", "\xff"), 422, "invalid"},
		"a key that is none":          {"PUT", "/secrets/A", text("v"), as(token, "Idempotency-Key", "abc"), 400, "op_id_invalid"},
		"a key of version 4":          {"PUT", "/secrets/A", text("v"), as(token, "Idempotency-Key", "9b2c5f0e-5d0f-4a4e-8a51-1c8a1f6d5f10"), 400, "op_id_invalid"},
		"a key in braces":             {"PUT", "/secrets/A", text("v"), as(token, "Idempotency-Key", "{"+tool.NewKey()+"}"), 400, "op_id_invalid"},
		"a revision of words":         {"GET", "/config/revisions/first", nil, as(token), 404, "not_found"},
		"a revision past all":         {"GET", "/config/revisions/99999999999999999999", nil, as(token), 404, "not_found"},
		"a slash in a name":           {"PUT", "/secrets/a%2Fb", text("v"), as(token), 422, "invalid"},
		"a step up":                   {"PUT", "/secrets/..", text("v"), as(token), 404, "not_found"},
		"a step up, encoded":          {"PUT", "/secrets/%2e%2e", text("v"), as(token), 404, "not_found"},
		"a step up by slashes":        {"PUT", "/secrets/..%2F..%2Fconfig", text("v"), as(token), 404, "not_found"},
		"a step that stays":           {"PUT", "/secrets/./A", text("v"), as(token), 404, "not_found"},
		"an empty step":               {"DELETE", "/config//mcp-servers/web", nil, as(token), 404, "not_found"},
		"no such address":             {"GET", "/nothing", nil, as(token), 404, "not_found"},
		"a position far ahead":        {"GET", "/config?min_position=9223372036854775807", nil, as(token), 503, "unavailable"},
		"half a dry run":              {"PUT", "/config?dry_run=perhaps", text("name: A\n"), yamlOver, 400, "malformed"},
		"two answers at once":         {"PUT", "/config?dry_run=true&dry_run=false", text("nam: A\n"), yamlOver, 422, "invalid"},
	})
}

// yamlBomb is a text whose anchors would fill the memory when they are followed.
func yamlBomb() string {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 12; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	return bomb
}

func TestCredentialsThatProveNothing(t *testing.T) {
	t.Parallel()
	b := open(t)
	revoked, expired := b.mint(true, "all"), b.mint(true, "all")
	b.write(`UPDATE tokens SET revoked_at = now() WHERE id = $1`, revoked.ID)
	b.Clock.Move(7*24*time.Hour - time.Second)
	if got := b.ask(t, "GET", "/viewer", nil, as(expired.Value)...); got.status != 200 {
		t.Errorf("a second before its end a token is answered %d", got.status)
	}
	b.Clock.Move(time.Second)
	cases := map[string]bad{}
	for name, header := range map[string]string{
		"revoked": "Bearer " + revoked.Value, "expired": "Bearer " + expired.Value, "nobody's": "Bearer crw_tok_" + strings.Repeat("A", 43),
		"of another shape": "Bearer abc", "empty": "Bearer ", "no token": "Bearer", "not a bearer": "Basic YTpi", "two": "Bearer a b",
		"no UTF-8": "Bearer \xff\xfe", "very long": "Bearer " + strings.Repeat("x", 100_000),
	} {
		cases[name] = bad{"PUT", "/secrets/A", text("v"), []string{"Authorization", header}, 401, "unauthenticated"}
	}
	for name, cookie := range map[string]string{
		"a forged cookie": "crewlet=" + strings.Repeat("MTc2", 40), "an empty cookie": "crewlet=", "a cookie of junk": "crewlet=\"%%%\"; x",
	} {
		cases[name] = bad{"PUT", "/secrets/A", text("v"), []string{"Cookie", cookie}, 401, "unauthenticated"}
	}
	cases["nothing"] = bad{"GET", "/viewer", nil, nil, 401, "unauthenticated"}
	b.refused(t, cases)
}

func TestASessionThatEndedIsNobody(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]func(*bench){
		"ended elsewhere": func(b *bench) {
			var at struct{ ID, Person string }
			b.must(b.DB.GetContext(b.t.Context(), &at, `SELECT id, person FROM browser_sessions`))
			call := enginetest.By(at.Person)
			_, err := tool.Do(b.t.Context(), b.Run, b.Identity.EndSignIn, call, identity.EndSignIn{Session: at.ID})
			b.must(err)
		},
		"unused too long": func(b *bench) { b.Clock.Move(15 * 24 * time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			w := b.administrator()
			pages := []string{"/settings/secrets", "/work", "/inbox", "/work/items/NONE-1"} // looks among them
			for _, page := range pages[:3] {
				if p := w.Get(page); p.Status != 200 {
					t.Errorf("before, %s is answered %d", page, p.Status)
				}
			}
			ends(b)
			for _, page := range pages {
				if p := w.Get(page); p.Status != 303 || p.Header.Get("Location") != "/sign-in?next="+url.QueryEscape(page) {
					t.Errorf("%s is answered %d to %s", page, p.Status, p.Header.Get("Location"))
				}
			}
			if p := w.Get("/secrets"); p.Status != 401 || p.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("the API is answered %d", p.Status)
			}
			if p := w.Post("/settings/secrets", forms, "name=A&value=v&_key="+tool.NewKey(), "Referer", b.url+"/settings/secrets"); p.Status != 303 {
				t.Errorf("a form is answered %d", p.Status)
			}
			if b.stored(t, "A") != "" {
				t.Error("nobody stored a value")
			}
		})
	}
}

func TestWhatAnotherSiteSendsIsRefused(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.administrator()
	fill := "name=A&value=v&_key=" + tool.NewKey()
	for name, headers := range map[string][]string{
		"its origin":              {"Origin", "https://evil.example"},
		"no origin":               {"Origin", "null"},
		"the same host, not port": {"Origin", "http://127.0.0.1:1"},
		"the browser's word":      {"Sec-Fetch-Site", "cross-site"},
		"a sister":                {"Sec-Fetch-Site", "same-site"},
	} {
		t.Run(name, func(t *testing.T) {
			p := w.In(t).Post("/settings/secrets", forms, fill, headers...)
			var env map[string]any
			if err := json.Unmarshal([]byte(p.Body), &env); err != nil || p.Status != 403 || env["reason"] != "cross_origin" {
				t.Errorf("answered %d %s", p.Status, p.Body)
			}
		})
	}
	if p := w.Get("/settings/secrets", "Sec-Fetch-Site", "cross-site"); p.Status != 200 {
		t.Errorf("a link from another site is answered %d", p.Status)
	}
	if b.stored(t, "A") != "" {
		t.Error("another site stored a value")
	}
	if p := w.Post("/settings/secrets", forms, fill, "Origin", b.url); p.Status != 303 {
		t.Errorf("our own page is answered %d: %s", p.Status, p.Text())
	}
}

func TestMethodsAnAddressDoesNotTake(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.administrator()
	for name, c := range map[string]struct {
		method, path, allow string
		json                bool
	}{
		"a page deleted":      {"DELETE", "/settings/secrets", "GET, HEAD, POST", false},
		"a page put":          {"PUT", "/settings/audit", "GET, HEAD", false},
		"a form's end asked":  {"GET", "/sign-out", "POST", false},
		"the document posted": {"POST", "/config", "GET, HEAD, PUT, PATCH", true},
		"a secret read":       {"GET", "/secrets/A", "PUT, DELETE", true},
		"a stylesheet sent":   {"POST", "/static/app.css", "GET, HEAD", true},
		"a method of no one":  {"BREW", "/config", "GET, HEAD, PUT, PATCH", true},
		"options":             {"OPTIONS", "/config", "GET, HEAD, PUT, PATCH", true},
	} {
		t.Run(name, func(t *testing.T) {
			got := b.ask(t, c.method, c.path, nil)
			if got.status != 405 || got.header.Get("Allow") != c.allow {
				t.Errorf("answered %d, Allow %q, want %q", got.status, got.header.Get("Allow"), c.allow)
			}
			if c.json && got.envelope(t)["error"] != "wrong_method" || !c.json && !strings.HasPrefix(got.text, "<!doctype html>") {
				t.Errorf("answered %.200s", got.text)
			}
		})
	}
}

func TestHeadIsGetWithoutItsBody(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.administrator()
	for _, path := range []string{"/settings/secrets", "/settings/tools", "/config", "/health", "/sign-in", "/nothing"} {
		whole, head := w.Get(path), w.Do(http.MethodHead, path, "")
		if head.Status != whole.Status || head.Body != "" || head.Header.Get("Content-Type") != whole.Header.Get("Content-Type") {
			t.Errorf("%s: GET %d %s, HEAD %d %s with %d bytes", path, whole.Status, whole.Header.Get("Content-Type"),
				head.Status, head.Header.Get("Content-Type"), len(head.Body))
		}
	}
}
