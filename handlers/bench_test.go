package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/enginetest"
	"crewlet/engine/identity"
	"crewlet/engine/tool"
	"crewlet/handlers/node"
	"crewlet/handlers/signin/signintest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// document is the company of every bench.
const document = "name: Acme # ours\nmission: old\nmcp_servers:\n  - name: web\n    command: c\n    env: {A: \"${USED}\"}\nroles: [{name: Bob}, {name: Ann}]\n"

// bench is the whole site over HTTP: the real route table on an engine of its
// own that starts no servers.
type bench struct {
	*enginetest.Bench
	t      testing.TB
	url    string
	site   *Site
	server *httptest.Server
	log    *record
}

// record is a log that is safe to read while it is written.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// open serves the site; adjust may change what it is made of.
func open(t testing.TB, adjust ...func(*Options)) *bench {
	t.Helper()
	return on(t, enginetest.New(t), adjust...)
}

// on serves the site of an engine.
func on(t testing.TB, inner *enginetest.Bench, adjust ...func(*Options)) *bench {
	t.Helper()
	b := &bench{Bench: inner, t: t, log: &record{}}
	if done, err := b.Company.Import(t.Context(), b.Run, []byte(document), "Begin"); err != nil || !done {
		t.Fatalf("import: %v %v", done, err)
	}
	b.server = httptest.NewUnstartedServer(nil)
	b.url = "http://" + b.server.Listener.Addr().String()
	base, err := url.Parse(b.url)
	b.must(err)
	o := Options{
		Engine: b.Engine, Ring: b.Ring, Log: slog.New(slog.NewTextHandler(b.log, nil)), BaseURL: base, Version: "test",
		Metrics: node.NewMetrics(), Ping: b.DB.Ping,
	}
	for _, change := range adjust {
		change(&o)
	}
	b.site = New(o)
	b.server.Config.Handler = b.site
	b.server.Config.ErrorLog = slog.NewLogLogger(slog.NewTextHandler(b.log, nil), slog.LevelError)
	b.server.Start()
	t.Cleanup(func() {
		b.site.Close()
		b.server.Close()
	})
	return b
}

// follow runs the change feed, as a serving node does.
func (b *bench) follow() {
	ctx, stop := context.WithCancel(context.Background())
	var following sync.WaitGroup
	following.Go(func() { _ = b.Feed.Run(ctx) })
	b.t.Cleanup(func() { stop(); following.Wait() })
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// administrator sets up the first administrator and answers her browser.
func (b *bench) administrator() *signintest.Browser {
	b.t.Helper()
	return signintest.SetUp(b.t, b.url, signintest.SetupLink(b.t, b.Bench))
}

// mint makes a machine's token.
func (b *bench) mint(sensitive bool, grants ...string) identity.Minted {
	b.t.Helper()
	minted, err := tool.Do(b.t.Context(), b.Run, b.Identity.MintToken, enginetest.By("ana"),
		identity.MintToken{Label: "ci", Grants: grants, Days: 7, Sensitive: sensitive})
	b.must(err)
	return minted
}

// write changes the database past the use cases.
func (b *bench) write(statement string, args ...any) {
	b.t.Helper()
	b.must(b.DB.InTx(b.t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(b.t.Context(), statement, args...)
		return err
	}))
}

// regrant gives everybody other rights, past the rules; the log says nothing of
// it, so what is known by heart is told by hand.
func (b *bench) regrant(grants string) {
	b.t.Helper()
	b.write(`UPDATE people SET grants = $1::text[]`, grants)
	head, err := changes.Head(b.t.Context(), b.DB)
	b.must(err)
	b.Identity.Hear([]changes.Change{{Position: head + 1, Kind: "person.granted"}})
}

// counts are the rows a call may leave.
type counts struct {
	Operations int `db:"operations"`
	Changes    int `db:"changes"`
	Audit      int `db:"audit"`
}

const count = `SELECT (SELECT count(*) FROM operations) AS operations, (SELECT count(*) FROM changes) AS changes, (SELECT count(*) FROM audit) AS audit`

func (b *bench) counts() counts {
	b.t.Helper()
	var c counts
	b.must(b.DB.GetContext(b.t.Context(), &c, count))
	return c
}

func (c counts) since(before counts) counts {
	return counts{c.Operations - before.Operations, c.Changes - before.Changes, c.Audit - before.Audit}
}

// reply is an answer to a program.
type reply struct {
	status int
	header http.Header
	text   string
}

// envelope reads a refusal; a body that is none fails the test.
func (r reply) envelope(t testing.TB) map[string]any {
	t.Helper()
	var env map[string]any
	if err := json.Unmarshal([]byte(r.text), &env); err != nil {
		t.Fatalf("answered %d, no envelope: %.300s", r.status, r.text)
	}
	if says, _ := env["message"].(string); says == "" {
		t.Errorf("answered %d without a sentence: %.300s", r.status, r.text)
	}
	return env
}

// ask sends one request without cookies, following nothing; headers are name,
// value, name, value.
func (b *bench) ask(t testing.TB, method, path string, body io.Reader, headers ...string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, b.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{got.StatusCode, got.Header, string(text)}
}

// as is the headers of a program with a token, and more.
func as(value string, more ...string) []string {
	return append([]string{"Authorization", "Bearer " + value}, more...)
}

// typed is the headers of a JSON write with its reason.
func typed(value string, more ...string) []string {
	return as(value, append([]string{"Content-Type", "application/json", "X-Summary", "x"}, more...)...)
}

func text(s string) io.Reader { return strings.NewReader(s) }

// nobodysRights are the grants of a principal that may do nothing here.
var nobodysRights = []string{access.SandboxRun.String()}
