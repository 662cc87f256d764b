//go:build bench

package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"crewlet/db/dbtest"
)

// budget is one row of the table: what was measured, and what it may be.
type budget struct {
	what, budget, measured string
	kept                   bool
}

// TestBudgets measures what the budgets name, in one run, and writes
// docs/benchmarks.md. It fails past a budget. One of its parts alone (go test
// -run TestBudgets/work) writes nothing: the table is of one run.
func TestBudgets(t *testing.T) {
	parts := []struct {
		name    string
		measure func(*testing.T) []budget
	}{
		{"start", firstPage}, {"weight", pageWeight}, {"idle", idleNode}, {"streams", streams}, {"calls", toolCalls},
		{"tools", longList}, {"children", idleChildren}, {"search", searchIndex}, {"work", workPages},
	}
	var rows []budget
	whole := 0
	for _, part := range parts {
		t.Run(part.name, func(t *testing.T) {
			measured := part.measure(t)
			for _, row := range measured {
				t.Logf("%s: %s (budget %s)", row.what, row.measured, row.budget)
				if !row.kept {
					t.Errorf("%s: %s is past the budget of %s", row.what, row.measured, row.budget)
				}
			}
			rows = append(rows, measured...)
			whole++
		})
	}
	if whole < len(parts) {
		return
	}
	var page strings.Builder
	page.WriteString("# Benchmarks\n\nWritten by `make bench`: what was measured against its budget, in one run on two\ncores. Times on a shared machine are rough; the budgets leave room for that.\n\n| what | budget | measured |\n|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&page, "| %s | %s | %s |\n", r.what, r.budget, r.measured)
	}
	if err := os.WriteFile("../docs/benchmarks.md", []byte(page.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// firstPage starts a node on a database that is there and warm, and asks for
// a page: from exec to the last byte.
func firstPage(t *testing.T) []budget {
	k := newKillable(t)
	k.environ = append(k.environ, "CREWLET_DATABASE_URL="+dbtest.URL(t))
	k.start(t) // brings the schema and the company up to date
	k.kill(t, syscall.SIGTERM)
	begin := time.Now()
	k.start(t)
	if status, whole := k.send("GET", "/sign-in", ""); status != http.StatusOK || !whole {
		t.Fatalf("the sign-in page answers %d", status)
	}
	took := time.Since(begin)
	k.kill(t, syscall.SIGTERM)
	return []budget{{"start to first page, warm, external Postgres", "< 1 s", took.Round(10 * time.Millisecond).String(), took < time.Second}}
}

var linked = regexp.MustCompile(`(?:src|href)="(/static/[^"]+)"`)

// pageWeight is what a browser loads for one page, compressed: the first time
// with its assets, and after that without them.
func pageWeight(t *testing.T) []budget {
	k := newKillable(t)
	k.start(t)
	defer k.kill(t, syscall.SIGTERM)
	page := k.compressed(t, "/sign-in")
	first := len(page.wire)
	for _, m := range linked.FindAllStringSubmatch(page.text, -1) {
		first += len(k.compressed(t, m[1]).wire)
	}
	kb := func(n int) string { return fmt.Sprintf("%.1f KB", float64(n)/1024) }
	return []budget{
		{"first load of a page: HTML, CSS, JS, compressed", "< 120 KB", kb(first), first < 120<<10},
		{"a page after that", "< 15 KB", kb(len(page.wire)), len(page.wire) < 15<<10},
	}
}

type body struct {
	wire []byte
	text string
}

func (k *killable) compressed(t *testing.T, path string) body {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, k.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	wire, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v", path, answer.StatusCode, err)
	}
	if answer.Header.Get("Content-Encoding") != "gzip" {
		return body{wire, string(wire)}
	}
	z, err := gzip.NewReader(strings.NewReader(string(wire)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return body{wire, string(text)}
}

// idleNode counts the processor time of a node and its database while nobody
// asks anything.
func idleNode(t *testing.T) []budget {
	k := newKillable(t)
	k.start(t)
	defer k.kill(t, syscall.SIGTERM)
	const window = 20 * time.Second
	begin := k.ticks(t)
	<-time.After(window)
	share := float64(k.ticks(t)-begin) / 100 / window.Seconds() * 100
	return []budget{{"an idle node with its database", "< 5 % of one core", fmt.Sprintf("%.1f %%", share), share < 5}}
}

// ticks is the processor time, in hundredths of a second, of the node and of
// every process of its data folder.
func (k *killable) ticks(t *testing.T) int64 {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	postmaster, _ := os.ReadFile(filepath.Join(k.dir, "data/postgres/data/postmaster.pid"))
	server, _, _ := strings.Cut(string(postmaster), "\n")
	var sum int64
	for _, dir := range all {
		pid := filepath.Base(dir)
		text, err := os.ReadFile(dir + "/stat")
		if err != nil {
			continue
		}
		f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if pid == strconv.Itoa(k.cmd.Process.Pid) || pid == server || f[1] == server {
			user, _ := strconv.ParseInt(f[11], 10, 64)
			system, _ := strconv.ParseInt(f[12], 10, 64)
			sum += user + system
		}
	}
	return sum
}

// streams holds 10,000 idle live streams from another process, and sends one
// event to all.
func streams(t *testing.T) []budget {
	const count = 10_000
	k := newKillable(t)
	k.start(t)
	defer k.kill(t, syscall.SIGTERM)
	before := k.resident(t)
	clients := exec.Command(os.Args[0], "bench-streams", strings.TrimPrefix(k.url, "http://"), k.token, strconv.Itoa(count))
	clients.Stderr = os.Stderr
	out, err := clients.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := clients.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	line := func() string {
		if !lines.Scan() {
			t.Fatalf("the clients ended: %v", lines.Err())
		}
		return lines.Text()
	}
	if said := line(); said != "connected" {
		t.Fatal(said)
	}
	grown := k.resident(t) - before
	begin := time.Now()
	if status, _ := k.send("PUT", "/secrets/A", "value"); status >= 300 {
		t.Fatalf("store a secret: %d", status)
	}
	if said := line(); said != "heard" {
		t.Fatal(said)
	}
	took := time.Since(begin)
	if err := clients.Wait(); err != nil {
		t.Fatal(err)
	}
	return []budget{
		{"10,000 idle live streams", "< 400 MB", fmt.Sprintf("%d MB", grown>>20), grown < 400<<20},
		{"an event to all of them", "< 1 s", took.Round(10 * time.Millisecond).String(), took < time.Second},
	}
}

// resident is the node's memory in bytes.
func (k *killable) resident(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", k.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
