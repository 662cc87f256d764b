//go:build bench

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"crewlet/db"
	"crewlet/engine"
	"crewlet/engine/enginetest"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

// toolCalls compares calls through a whole engine with the library's own
// calls, both to a child of the same kind, in turns; and with commits on the
// engine's database, which keeps what it is told, as a node's own does.
func toolCalls(t *testing.T) []budget {
	d := durable(t)
	e := calling(t, d)
	own := library(t)
	through := func(name string) func() error {
		return func() error {
			out, err := tool.Do(t.Context(), e.Run, e.Servers.Call, enginetest.By("ana"), servers.CallTool{Tool: name, Arguments: words})
			if err == nil && out.IsError {
				err = fmt.Errorf("%s answers %+v", name, out)
			}
			return err
		}
	}
	direct := func(name string) func() error {
		return func() error {
			out, err := own.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: words})
			if err == nil && out.IsError {
				err = fmt.Errorf("%s answers %+v", name, out)
			}
			return err
		}
	}
	reads := inTurns(t, direct("bench_look"), through("bench_look"))
	writes := inTurns(t, direct("bench_note"), through("bench_note"),
		func() error { return commit(t.Context(), d) }, func() error { return commitAlone(t.Context(), d) })

	floor, engine := reads[0].median(), reads[1].median()
	ratio := float64(engine) / float64(floor)
	alone, took, one := writes[0].median(), writes[1].median(), writes[2].median()
	added := writes[1].processor() - writes[0].processor()
	return []budget{
		{
			"a read-only tool call through the engine to a child", "≤ 1.25× the library's own call",
			fmt.Sprintf("%.2f× (%s against %s)", ratio, micro(engine), micro(floor)), ratio <= 1.25,
		},
		{
			"any other tool call", fmt.Sprintf("≤ the library's own call (%s) + two commits (%s each)", micro(alone), micro(one)),
			micro(took), took <= alone+2*one,
		},
		{
			"processor time such a call adds to the library's own", "< 0.3 ms",
			fmt.Sprintf("%s; the floor is two commits: %s in a transaction each, %s in one statement each",
				micro(added), micro(2*writes[2].processor()), micro(2*writes[3].processor())), added < 300*time.Microsecond,
		},
	}
}

var words = json.RawMessage(`{"text":"a few words, as they are said in passing"}`)

// durable is a migrated database on a server that waits for its disk.
func durable(t *testing.T) *db.DB {
	t.Helper()
	dir, err := os.MkdirTemp("", "crewlet-bench")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil { // the database server may be another user
		t.Fatal(err)
	}
	d, err := db.Open(t.Context(), db.Options{Dir: filepath.Join(dir, "postgres"), Bin: os.Getenv("CREWLET_PG_BIN"), Serve: true, App: "bench"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := d.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// commit is one small transaction: a row of the record of who did what, which
// every write has.
func commit(ctx context.Context, d *db.DB) error {
	return d.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO audit (at, actor, actor_name, credential, door, verb, object, outcome, request_id)
			VALUES (now(), 'person:bench', 'Bench', 'session:bench', 'page', 'bench', 'tool:bench', 'applied', 'bench')`)
		return err
	})
}

// commitAlone is the same row in one statement, as such a call writes twice:
// there is no way to keep something that costs less. Nobody counts the rows.
func commitAlone(ctx context.Context, d *db.DB) error {
	var id int64
	_, err := d.InOne(ctx, &id, `
		INSERT INTO audit (at, actor, actor_name, credential, door, verb, object, outcome, request_id)
		VALUES (now(), 'person:bench', 'Bench', 'session:bench', 'page', 'bench', 'tool:bench', 'applied', 'bench') RETURNING id`)
	return err
}

// calling is an engine that serves on a database, with one child running.
func calling(t *testing.T, d *db.DB) *enginetest.Bench {
	t.Helper()
	mark := fmt.Sprintf("bench-%d.1", os.Getpid())
	spawner, err := client.NewSpawner(client.SpawnerOptions{Mark: mark})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(spawner.Close)
	e := enginetest.New(t, func(o *engine.Options) {
		o.DB, o.Now, o.Spawner, o.Environ = d, time.Now, spawner, os.Environ()
	})
	text := "name: Bench\nmcp_servers:\n" + declaredChild("bench", 2)
	if done, err := e.Company.Import(t.Context(), e.Run, []byte(text), "Begin"); err != nil || !done {
		t.Fatalf("import: %v %v", done, err)
	}
	if err := e.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the child runs and its tools are filed", func() bool {
		out, err := tool.Do(t.Context(), e.Run, e.Servers.ListServers, enginetest.By("ana"), servers.ListServers{})
		return err == nil && len(out.Servers) == 1 && out.Servers[0].State == servers.Running && out.Servers[0].Tools == 2
	})
	return e
}

// library is a session of the library alone, on its own transport.
func library(t *testing.T) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	session, err := c.Connect(t.Context(), &mcp.CommandTransport{Command: libraryChild(context.WithoutCancel(t.Context()), 2)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// series is how long each of many calls took, and all of them together of this
// process's processor time.
type series struct {
	took []time.Duration
	cpu  time.Duration
}

// inTurns makes calls of each kind in turns, so that what else the machine
// does falls on all of them alike. The first turns only warm up.
func inTurns(t *testing.T, kinds ...func() error) []series {
	t.Helper()
	const warm, rounds, calls = 4, 40, 50
	all := make([]series, len(kinds))
	for round := range warm + rounds {
		if round == warm {
			clear(all)
		}
		for i, call := range kinds {
			before := processor(t)
			for range calls {
				begin := time.Now()
				if err := call(); err != nil {
					t.Fatal(err)
				}
				all[i].took = append(all[i].took, time.Since(begin))
			}
			all[i].cpu += processor(t) - before
		}
	}
	return all
}

func (s series) median() time.Duration {
	sorted := slices.Sorted(slices.Values(s.took))
	return sorted[len(sorted)/2]
}

// processor is the processor time of one call.
func (s series) processor() time.Duration { return s.cpu / time.Duration(len(s.took)) }

// processor is what this process has used so far.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func micro(d time.Duration) string {
	return strconv.FormatInt(d.Microseconds(), 10) + " µs"
}
