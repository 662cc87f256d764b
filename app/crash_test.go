package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"crewlet/mcp/client"
)

// killable is a node in a process of its own, with the embedded database.
type killable struct {
	site
	dir   string
	token string
	cmd   *exec.Cmd
	ended chan error
}

func newKillable(t *testing.T) *killable {
	t.Helper()
	dir, err := os.MkdirTemp("", "crewlet-crash")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil { // the database server may be another user
		t.Fatal(err)
	}
	k := &killable{dir: dir, token: "a token for this test alone"}
	sum := sha256.Sum256([]byte(k.token))
	tokens := filepath.Join(dir, "tokens.yaml")
	entry := fmt.Sprintf("- {id: 'test:crash', sha256: %s, grants: all}\n", hex.EncodeToString(sum[:]))
	if err := os.WriteFile(tokens, []byte(entry), 0o600); err != nil {
		t.Fatal(err)
	}
	address := free(t)
	k.url = "http://" + address
	k.environ = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CREWLET_LISTEN=" + address, "CREWLET_DATA=" + filepath.Join(dir, "data"),
		"CREWLET_TOKENS=" + tokens, "CREWLET_PG_BIN=" + os.Getenv("CREWLET_PG_BIN"),
	}
	return k
}

func (k *killable) start(t *testing.T) {
	t.Helper()
	k.out, k.log = &said{}, &said{}
	k.cmd = exec.Command(os.Args[0], "serve")
	k.cmd.Env, k.cmd.Stdout, k.cmd.Stderr = k.environ, k.out, k.log
	k.cmd.WaitDelay = time.Second // children may hold its output a moment longer
	if err := k.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	k.ended = make(chan error, 1)
	go func() { k.ended <- k.cmd.Wait() }()
	eventually(t, "the node is ready", func() bool {
		select {
		case err := <-k.ended:
			t.Fatalf("the node ended: %v\n%s\n%s", err, k.out, k.log)
		default:
		}
		r, err := http.Get(k.url + "/ready")
		return err == nil && r.Body.Close() == nil && r.StatusCode == http.StatusOK
	})
}

func (k *killable) kill(t *testing.T, signal syscall.Signal) {
	t.Helper()
	if err := k.cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	select {
	case <-k.ended:
	case <-time.After(30 * time.Second):
		t.Fatalf("the node does not end\n%s", k.log)
	}
}

// send is one request; answered says that the node's answer came back whole.
func (k *killable) send(method, path, body string, headers ...string) (status int, answered bool) {
	r, err := http.NewRequest(method, k.url+path, strings.NewReader(body))
	if err != nil {
		return 0, false
	}
	r.Header.Set("Authorization", "Bearer "+k.token)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, false
	}
	defer func() { _ = answer.Body.Close() }()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err == nil
}

// remains lists what runs of this node although it ended: marked children, the
// database server, the guard.
func (k *killable) remains(t *testing.T) []string {
	t.Helper()
	id, err := os.ReadFile(filepath.Join(k.dir, "data", "node"))
	if err != nil {
		t.Fatal(err)
	}
	node := strings.TrimSpace(string(id))
	marked, err := client.Marked(node + ".")
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, pid := range marked {
		left = append(left, "child "+strconv.Itoa(pid))
	}
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		line, err := os.ReadFile(path)
		if err == nil && (strings.Contains(string(line), k.dir) || strings.Contains(string(line), node)) {
			left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return left
}

func (k *killable) nothingRemains(t *testing.T) {
	t.Helper()
	var left []string
	defer func() {
		if t.Failed() {
			t.Logf("still there: %q", left)
		}
	}()
	eventually(t, "nothing of the node runs", func() bool {
		left = k.remains(t)
		return len(left) == 0
	})
}

const everything = `{"command": "node", "args": [%q]}`

// The program is killed at any moment, with writers at work and a server
// running: the next start is clean, nothing is left running, and nothing that
// was answered is missing.
func TestKilledAtAnyMoment(t *testing.T) {
	k := newKillable(t)
	k.start(t)
	server, err := filepath.Abs("../node_modules/@modelcontextprotocol/server-everything/dist/index.js")
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := k.send("PUT", "/config/mcp-servers/everything", fmt.Sprintf(everything, server), "If-None-Match", "*", "X-Summary", "test", "Content-Type", "application/json"); status != http.StatusCreated {
		t.Fatalf("declare a server: %d", status)
	}
	answered := map[string]bool{}
	for round := range 4 {
		t.Logf("round %d", round)
		k.whileWriting(t, round, answered, func() {
			<-time.After(time.Duration(50+rand.IntN(600)) * time.Millisecond) // any moment
			k.kill(t, syscall.SIGKILL)
		})
		k.nothingRemains(t)
		k.start(t)
		var stored struct{ Secrets []struct{ Name string } }
		k.get(t, k.token, "/secrets", &stored)
		there := map[string]bool{}
		for _, s := range stored.Secrets {
			there[s.Name] = true
		}
		for name := range answered {
			if !there[name] {
				t.Errorf("round %d: %s was answered and is missing", round, name)
			}
		}
	}
	if len(answered) == 0 {
		t.Error("nothing was ever answered")
	}
	eventually(t, "the server runs again", func() bool {
		var servers struct {
			Servers []struct{ State string }
		}
		k.get(t, k.token, "/mcp-servers", &servers)
		return len(servers.Servers) == 1 && servers.Servers[0].State == "Running"
	})
	k.kill(t, syscall.SIGTERM)
	k.nothingRemains(t)
}

// whileWriting has six writers store secrets until the node is gone.
func (k *killable) whileWriting(t *testing.T, round int, answered map[string]bool, then func()) {
	t.Helper()
	var mu sync.Mutex
	var writers sync.WaitGroup
	for writer := range 6 {
		writers.Go(func() {
			for i := 0; ; i++ {
				name := fmt.Sprintf("S_%d_%d_%d", round, writer, i)
				status, whole := k.send("PUT", "/secrets/"+name, "a value")
				if !whole || status >= 500 {
					return
				}
				mu.Lock()
				answered[name] = true
				mu.Unlock()
			}
		})
	}
	then()
	writers.Wait()
}
