package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"crewlet/db/dbtest"
	"crewlet/engine/tool"
)

// acted is what a node answers a write at act.
type acted struct {
	Outcome  string          `json:"outcome"`
	Position int64           `json:"position"`
	Key      string          `json:"op_id"`
	Receipt  json.RawMessage `json:"receipt"`
}

// act stores a secret under a key; answered says that the answer came.
func (k *killable) act(t *testing.T, key string) (out acted, status int, answered bool) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, k.url+"/operator/act/set_secret", strings.NewReader(`{"args":{"name":"A","value":"v"}}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+k.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return out, 0, false
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return out, 0, false
	}
	if err := json.Unmarshal(body, &out); err != nil {
		t.Errorf("answered %d %s", answer.StatusCode, body)
	}
	return out, answer.StatusCode, true
}

// The node is killed after the database was sent COMMIT and before anybody was
// answered: whether that landed or not, the same call to the next start lands
// once.
func TestKilledBetweenCommitAndAnswer(t *testing.T) {
	for _, f := range []dbtest.Fault{dbtest.FreezeBefore, dbtest.FreezeAfter} {
		t.Run(string(f), func(t *testing.T) {
			p := dbtest.Between(t, dbtest.URL(t))
			k := newKillable(t)
			if err := os.MkdirAll(k.dir+"/data", 0o700); err != nil {
				t.Fatal(err)
			}
			k.environ = append(k.environ, "CREWLET_DATABASE_URL="+p.URL)
			k.start(t)
			key := tool.NewKey()
			struck := p.Strike(f, key, "COMMIT\x00")
			gone := make(chan bool, 1)
			go func() {
				_, _, answered := k.act(t, key)
				gone <- answered
			}()
			<-struck
			k.kill(t, syscall.SIGKILL)
			if <-gone {
				t.Fatal("it was answered before it was killed")
			}
			k.start(t)
			before := k.head(t)
			first, status, _ := k.act(t, key)
			if status != http.StatusOK || first.Outcome != "applied" || first.Key != key {
				t.Errorf("sent again it is answered %d %+v", status, first)
			}
			if landed := f == dbtest.FreezeAfter; landed != (first.Position <= before) {
				t.Errorf("it landed at %d, the log stood at %d", first.Position, before)
			}
			again, status, _ := k.act(t, key)
			if status != http.StatusOK || again.Position != first.Position || string(again.Receipt) != string(first.Receipt) {
				t.Errorf("once more it is answered %d %+v, want %+v", status, again, first)
			}
			var stored struct{ Secrets []struct{ Version int } }
			k.get(t, k.token, "/secrets", &stored)
			if len(stored.Secrets) != 1 || stored.Secrets[0].Version != 1 {
				t.Errorf("stored: %+v", stored)
			}
			k.kill(t, syscall.SIGTERM)
		})
	}
}

// head is the newest position of the log.
func (k *killable) head(t *testing.T) int64 {
	t.Helper()
	var page struct {
		Changes []struct{ Position int64 }
	}
	k.get(t, k.token, "/changes", &page)
	if len(page.Changes) == 0 {
		return 0
	}
	return page.Changes[len(page.Changes)-1].Position
}
