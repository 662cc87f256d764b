//go:build bench

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// declare makes these servers the company's, over a revision.
func (k *killable) declare(t *testing.T, revision int, servers string) {
	t.Helper()
	status, _ := k.send("PUT", "/config", "name: Bench\nmcp_servers:\n"+servers,
		"If-Match", strconv.Quote(strconv.Itoa(revision)), "X-Summary", "Bench", "Content-Type", "application/yaml")
	if status != http.StatusOK {
		t.Fatalf("declare servers: %d\n%s", status, k.log)
	}
}

// running waits until so many servers run and have listed that many tools.
func (k *killable) running(t *testing.T, count, tools int) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Minute)
	for {
		var list struct {
			Servers []struct {
				State string
				Tools int
			}
		}
		k.get(t, k.token, "/mcp-servers", &list)
		ready := 0
		for _, s := range list.Servers {
			if s.State == "Running" && s.Tools == tools {
				ready++
			}
		}
		if ready == count {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d servers run\n%s", ready, count, k.log)
		}
		<-time.After(200 * time.Millisecond)
	}
}

// longList times the catalogue of 2,000 tools of one server: after something
// moved it, and after that.
func longList(t *testing.T) []budget {
	const count, rounds = 2000, 7
	k := newKillable(t)
	k.start(t)
	defer k.kill(t, syscall.SIGTERM)
	server := declaredChild("bench", count)
	k.declare(t, 1, server)
	k.running(t, 1, count)
	var fresh, again []time.Duration
	size := 0
	for round := range rounds {
		// Nothing that runs is touched, and yet the catalogue may be another.
		k.declare(t, 2+round, server+fmt.Sprintf("    # round %d\n", round))
		body, took := k.tools(t)
		if n := bytes.Count(body, []byte(`"source":"mcp:bench"`)); n != count {
			t.Fatalf("%d tools are listed, want %d", n, count)
		}
		fresh, size = append(fresh, took), len(body)
		for range 3 {
			same, took := k.tools(t)
			if !bytes.Equal(same, body) {
				t.Fatal("the list is another although nothing moved")
			}
			again = append(again, took)
		}
	}
	first, then := series{took: fresh}.median(), series{took: again}.median()
	what := fmt.Sprintf("GET /tools of %d tools of 1 KB for one credential (%.1f MB, not compressed)", count, float64(size)/(1<<20))
	return []budget{
		{what + ": after a change", "< 80 ms", tenths(first) + ", at worst " + tenths(slices.Max(fresh)), first < 80*time.Millisecond},
		{what + ": when nothing changed", "< 10 ms", tenths(then) + ", at worst " + tenths(slices.Max(again)), then < 10*time.Millisecond},
	}
}

func tenths(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

// tools reads the whole catalogue, and says how long that took.
func (k *killable) tools(t *testing.T) ([]byte, time.Duration) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, k.url+"/tools", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+k.token)
	r.Header.Set("Accept-Encoding", "identity")
	begin := time.Now()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	took := time.Since(begin)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("list the tools: %d %v", answer.StatusCode, err)
	}
	return body, took
}

// idleChildren compares a node alone with the same node over 200 servers that
// nobody calls: its own process, not theirs.
func idleChildren(t *testing.T) []budget {
	const count = 200
	k := newKillable(t)
	k.start(t)
	defer k.kill(t, syscall.SIGTERM)
	// In hundredths of one core.
	used := func(window time.Duration) float64 {
		begin := k.own(t)
		<-time.After(window)
		return float64(k.own(t)-begin) / float64(window) * 100
	}
	alone, before := used(20*time.Second), k.resident(t)
	var all strings.Builder
	for i := range count {
		all.WriteString(declaredChild(fmt.Sprintf("bench%d", i), 2))
	}
	k.declare(t, 1, all.String())
	k.running(t, count, 2)
	over := used(time.Minute) // in which each is asked once whether it lives
	grown := k.resident(t) - before
	what := fmt.Sprintf("%d idle supervised children", count)
	return []budget{
		{what + ": processor time they add to the node", "< 1 % of one core", fmt.Sprintf("%.2f %%, %.2f %% without them", over, alone), over-alone < 1},
		{what + ": memory they add to the node", "< 100 MB", fmt.Sprintf("%d MB", grown>>20), grown < 100<<20},
	}
}

// own is the processor time of the node's process alone.
func (k *killable) own(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", k.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, errUser := strconv.ParseInt(f[11], 10, 64)
	system, errSystem := strconv.ParseInt(f[12], 10, 64)
	if errUser != nil || errSystem != nil {
		t.Fatalf("read %s: %v %v", text, errUser, errSystem)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
