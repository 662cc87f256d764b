package servers

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/company"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

// patience bounds every wait of these tests. Only a failure waits so long.
const patience = 60 * time.Second

var marks atomic.Int64

// keyring is the one of every node.
var keyring = sync.OnceValue(func() *secrets.Keyring {
	ring, _, err := secrets.NewKeyring("test")
	if err != nil {
		panic(err)
	}
	return ring
})

// house is one node with all that this area stands on.
type house struct {
	t       *testing.T
	db      *db.DB
	run     *tool.Runner
	feed    *changes.Feed
	company *company.Company
	secrets *secrets.Secrets
	servers *Servers
	mark    string
	log     *buffer
	rev     int64
	end     func()
}

func newHouse(t *testing.T) *house {
	t.Helper()
	return openHouse(t, dbtest.New(t), "node-1", nil)
}

// openHouse builds a node on a database, on the machine's own clock when clock
// is nil.
func openHouse(t *testing.T, d *db.DB, node string, clock client.Clock) *house {
	t.Helper()
	h := &house{t: t, db: d, log: &buffer{}, mark: fmt.Sprintf("servers-%d.%d", os.Getpid(), marks.Add(1))}
	log := slog.New(slog.NewJSONHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ring := keyring()
	h.run = &tool.Runner{DB: d, Now: time.Now, Log: log, Node: node, Max: access.All, Keys: tool.Keys{
		Digest: func(data []byte) []byte { return ring.Digest("operations", data) }, Seal: ring.SealTagged, Open: ring.OpenTagged,
	}}
	h.company = company.New(company.Sources{
		Stored:        func(ctx context.Context, tx *db.Tx) ([]string, error) { return h.secrets.Names(ctx, tx) },
		InEnvironment: func(string) bool { return false },
	})
	h.secrets = secrets.New(ring, h.company.ReferencesIn)
	position, err := changes.Head(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	h.feed = changes.NewFeed(d, log, position)
	spawner, err := client.NewSpawner(client.SpawnerOptions{Mark: h.mark, Guard: []string{os.Args[0], "guard", h.mark}, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	h.servers = New(Options{
		DB: d, Run: h.run, Feed: h.feed, Company: h.company, Secrets: h.secrets, Spawner: spawner,
		Node:    Self{ID: node, Name: node, Version: "test"},
		Environ: append(os.Environ(), "EMPTY_ONE=", "CREWLET_OWN=x"),
		Builtin: func() []tool.Tool { return append(h.secrets.Tools(), h.servers.Tools()...) },
		Clock:   clock, Log: log,
	})
	h.open(spawner)
	return h
}

func (h *house) open(spawner *client.Spawner) {
	h.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var fed sync.WaitGroup
	fed.Go(func() { _ = h.feed.Run(ctx) })
	if err := h.servers.Start(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	var once sync.Once
	h.end = func() { once.Do(func() { h.shut(spawner, stop, &fed) }) }
	h.t.Cleanup(h.end)
}

// shut proves that nothing is left: no marked process, no row of the node.
func (h *house) shut(spawner *client.Spawner, stop func(), fed *sync.WaitGroup) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := h.servers.Close(ctx); err != nil {
		h.t.Error(err)
	}
	if left, err := client.Marked(h.mark + "."); err != nil || len(left) > 0 {
		h.t.Errorf("processes left behind: %v %v", left, err)
	}
	spawner.Close()
	stop()
	fed.Wait()
	if n := h.count(`SELECT count(*) FROM nodes WHERE id = $1`, h.run.Node); n != 0 {
		h.t.Error("the node left its row")
	}
	if h.t.Failed() {
		h.t.Log(h.log.String())
	}
}

func admin() *tool.Call {
	return &tool.Call{Key: tool.NewKey(), Door: "page", By: access.Principal{
		Kind: access.Person, ID: "1", Credential: "session:1", Name: "ana", Grants: access.All, Fresh: true,
	}}
}

// declare writes a company with the given mcp_servers, in YAML.
func (h *house) declare(servers string) {
	h.t.Helper()
	text := "name: Acme\n"
	if servers != "" {
		text += "mcp_servers:\n" + servers
	}
	in := company.WriteConfig{Text: text, Writing: company.Writing{IfMatch: h.rev, Summary: "Test"}}
	out, err := tool.Do(h.t.Context(), h.run, h.company.WriteConfig, admin(), in)
	if err != nil {
		h.t.Fatal(err)
	}
	h.rev = out.RevisionID
}

// tiny is the declaration of a server of the test binary with these tools.
func tiny(name, more string, tools ...string) string {
	entry := fmt.Sprintf("  - name: %s\n    command: %s\n    args: [tools, %s]\n", name, os.Args[0], strings.Join(tools, ", "))
	for line := range strings.Lines(more) {
		entry += "    " + strings.TrimRight(line, "\n") + "\n"
	}
	return entry
}

func (h *house) store(name, value string) {
	h.t.Helper()
	if _, err := tool.Do(h.t.Context(), h.run, h.secrets.Set, admin(), secrets.SetSecret{Name: name, Value: value}); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) now() Overview {
	h.t.Helper()
	out, err := tool.Do(h.t.Context(), h.run, h.servers.Overview, admin(), ToolsOverview{})
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

// until waits for the overview to fit.
func (h *house) until(what string, fits func(Overview) bool) Overview {
	h.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		out := h.now()
		if fits(out) {
			return out
		}
		if time.Now().After(deadline) {
			h.t.Fatalf("it never came to this: %s; it is %+v\n%s", what, out.Servers, h.log.String())
		}
		<-time.After(10 * time.Millisecond)
	}
}

// in waits for a server to be in a state.
func (h *house) in(name string, state State) Server {
	h.t.Helper()
	out := h.until(name+" is "+string(state), func(o Overview) bool {
		sv, ok := find(o, name)
		return ok && sv.State == state
	})
	sv, _ := find(out, name)
	return sv
}

func find(o Overview, name string) (Server, bool) {
	for _, sv := range o.Servers {
		if sv.Name == name {
			return sv, true
		}
	}
	return Server{}, false
}

// toolNames are the registered names of a source's tools, in order.
func toolNames(o Overview, source string) string {
	var names []string
	for _, t := range o.Tools {
		if t.Source == source {
			names = append(names, t.Name)
		}
	}
	return strings.Join(names, " ")
}

// kinds are the rows of the log of the given areas, in order.
func (h *house) kinds(server string) string {
	h.t.Helper()
	rows, err := changes.After(h.t.Context(), h.db, 0, 1000)
	if err != nil {
		h.t.Fatal(err)
	}
	var kinds []string
	for _, row := range rows {
		if row.Object == "server:"+server && row.Kind != "server.starting" {
			kinds = append(kinds, row.Kind)
		}
	}
	return strings.Join(kinds, " ")
}

func (h *house) pid(server string) int {
	h.t.Helper()
	return h.count(`SELECT coalesce(max(pid), 0) FROM server_states WHERE server = $1 AND state = 'running'`, server)
}

func (h *house) count(query string, args ...any) int {
	h.t.Helper()
	var n int
	if err := h.db.GetContext(context.Background(), &n, query, args...); err != nil {
		h.t.Fatal(err)
	}
	return n
}

// buffer is a log that many goroutines write.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// fast is a clock on which that many times more passes.
type fast struct {
	began time.Time
	times int
}

func (f fast) Now() time.Time { return f.began.Add(time.Since(f.began) * time.Duration(f.times)) }

func (f fast) AfterFunc(d time.Duration, fn func()) func() bool {
	return time.AfterFunc(d/time.Duration(f.times), fn).Stop
}
