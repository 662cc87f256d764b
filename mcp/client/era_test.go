package client

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestSessionlessEra(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec := fault("modern")
	h.pool.Apply([]Spec{spec})
	r := h.running(spec.Name)
	if r.Era != "2026-07-28" || r.Server.Name != "modern" || len(r.Catalogue.Tools) != 1 {
		t.Errorf("got %+v", r)
	}
	at := h.now()
	res, err := h.pool.Call(t.Context(), spec.Key, "shout", json.RawMessage(`{"text":"grow"}`))
	if err != nil || !strings.Contains(string(res.Content), `"GROW"`) {
		t.Errorf("got %+v %v", res, err)
	}
	if r := h.until(at, spec.Name, isRunning); len(r.Catalogue.Tools) != 2 {
		t.Errorf("after list_changed got %+v", r.Catalogue.Tools)
	}
}

// A server of the newer era that was only too slow for the probe is asked
// again once it has refused the older one.
func TestSlowServerOfTheSessionlessEra(t *testing.T) {
	t.Parallel()
	h := newHouse(t, fast{10})
	spec := fault("slow-modern", filepath.Join(t.TempDir(), "asked"))
	h.pool.Apply([]Spec{spec})
	if r := h.running(spec.Name); r.Era != "2026-07-28" || r.Attempt != 1 {
		t.Errorf("got %+v", r)
	}
}

// The era that was found once is not looked for again: a child that counts
// its starts is started once more, not twice.
func TestEraIsRemembered(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	starts := filepath.Join(t.TempDir(), "starts")
	spec := fault("rich")
	spec.Command, spec.Args = "/bin/sh", []string{"-c", `echo x >> "$1"; exec "$2" server rich`, "sh", starts, os.Args[0]}
	h.pool.Apply([]Spec{spec})
	first := h.running(spec.Name)
	count := func() int {
		text, err := os.ReadFile(starts)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), "x")
	}
	if n := count(); n != 2 {
		t.Errorf("the first start took %d children, want a probe and a fresh one", n)
	}
	at := h.now()
	if err := syscall.Kill(first.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	h.until(at, spec.Name, isRunning)
	if n := count(); n != 3 {
		t.Errorf("after the death there were %d starts, want 3", n)
	}
}

// runner writes a package runner that downloads until release exists, and
// returns its spec and how to release it.
func runner(t *testing.T, name, server string) (Spec, func()) {
	t.Helper()
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nwhile [ ! -e %[1]s/release ]; do sleep 0.02; done\n/bin/sh -c '%[2]s server %[3]s; exit $?'\nexit $?\n", dir, os.Args[0], server)
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	spec := fault(server)
	spec.Command, spec.Args = name, []string{"-y", "some-package"}
	spec.Env = WithEnv(spec.Env, map[string]string{"PATH": dir + ":" + os.Getenv("PATH")})
	return spec, func() {
		if err := os.WriteFile(filepath.Join(dir, "release"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDownloadIsTimedApart(t *testing.T) {
	t.Parallel()
	clock := newStill()
	h := newHouse(t, clock)
	spec, release := runner(t, "npx", "rich")
	h.pool.Apply([]Spec{spec})
	h.until(0, spec.Name, func(r Report) bool { return r.Phase == Fetching && r.PID > 0 })
	// Three alarms: the limit, the next look, and the write of the probe, which
	// must be over before minutes pass.
	eventually(t, "the probe is written", func() bool { return clock.quiet(3, 2) })
	for range 9 {
		clock.advance(fetchTimeout / 10) // far past startup_timeout, within the ten minutes
	}
	if r := h.pool.Reports()[0]; r.Phase != Fetching || r.Attempt != 1 {
		t.Fatalf("got %+v, want it still fetching", r)
	}
	release()
	eventually(t, "the handshake begins", func() bool {
		clock.advance(fetchLook / 100)
		return strings.Contains(lines(h.all()), string(Handshaking)) || h.pool.Reports()[0].State == Running
	})
	eventually(t, "it runs", func() bool {
		clock.advance(fetchLook / 100)
		return h.pool.Reports()[0].State == Running
	})
}

func (h *house) all() []Report {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Report(nil), h.reports...)
}

func TestDownloadThatNeverEnds(t *testing.T) {
	t.Parallel()
	clock := newStill()
	h := newHouse(t, clock)
	spec, _ := runner(t, "npx", "rich")
	h.pool.Apply([]Spec{spec})
	h.until(0, spec.Name, func(r Report) bool { return r.Phase == Fetching && r.PID > 0 })
	// Three alarms: the limit, the next look, and the write of the probe, which
	// must be over before minutes pass.
	eventually(t, "the probe is written", func() bool { return clock.quiet(3, 2) })
	clock.advance(fetchTimeout)
	if r := h.until(0, spec.Name, isFailed); r.Error != "Its download did not end within 10 minutes." {
		t.Errorf("got %q", r.Error)
	}
}
