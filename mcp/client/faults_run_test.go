package client

import (
	"strings"
	"testing"
	"time"
)

// Every one of these starts, whatever it does on the way, and answers a call.
// It gives away no secret, and the one beside it never knows.
func TestServersThatMisbehaveAndStillServe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		clock Clock
		era   string
		says  string
	}{
		"stray":             {era: "2025-11-25", says: "echo 1"},
		"batch":             {era: "2025-11-25", says: "from a batch"},
		"mute-discover":     {clock: fast{10}, era: "2025-11-25", says: "echo 1"},
		"exit-discover":     {era: "2025-11-25", says: "echo 1"},
		"empty-unknown":     {era: "2025-11-25", says: "echo 1"},
		"grandchild":        {era: "2025-11-25", says: "echo 1"},
		"setsid-grandchild": {era: "2025-11-25", says: "echo 1"},
		"stubborn":          {clock: fast{20}, era: "2025-11-25", says: "echo 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := c.clock
			if clock == nil {
				clock = SystemClock()
			}
			h := newHouse(t, clock)
			spec, beside := fault(name), fault("beside")
			spec.Env, spec.Secrets = WithEnv(spec.Env, map[string]string{"TOKEN": canary}), []string{canary}
			h.pool.Apply([]Spec{spec, beside})
			r := h.running(name)
			if r.Era != c.era || r.Server.Name != "faulty" || r.Instructions != "Be kind." || r.Attempt != 1 {
				t.Errorf("got %+v", r)
			}
			res, err := h.pool.Call(t.Context(), spec.Key, "echo", nil)
			if err != nil || !strings.Contains(string(res.Content), c.says) {
				t.Fatalf("got %v %v, want %q", res, err, c.says)
			}
			if name == "stray" {
				h.tellsOfStrayLines()
			}
			h.pool.Apply([]Spec{beside})
			h.until(0, name, stopsRunning)
			h.unaffected(beside)
			h.keepsSecret()
			if !strings.Contains(h.log.String(), "started with token [redacted]") {
				t.Error("it never gave its secret away")
			}
			h.pool.Apply(nil)
			h.until(0, "beside", stopsRunning)
			h.nothingLeft()
		})
	}
}

// unaffected checks that a server came up once, stayed so and answers.
func (h *house) unaffected(spec Spec) {
	h.t.Helper()
	up := h.running(spec.Key.Server)
	for _, r := range h.all() {
		if r.Key == spec.Key && (r.Attempt != 1 || r.Error != "" || r.State != Starting && (r.State != Running || r.PID != up.PID)) {
			h.t.Errorf("the one beside it: %+v", r)
		}
	}
	res, err := h.pool.Call(h.t.Context(), spec.Key, "echo", nil)
	if err != nil || !strings.Contains(string(res.Content), "echo 1") {
		h.t.Errorf("the one beside it answers %+v %v", res, err)
	}
}

// tellsOfStrayLines waits for reports of a running server with all the lines
// that are kept, and with more counted.
func (h *house) tellsOfStrayLines() {
	h.t.Helper()
	r := h.until(0, "stray", func(r Report) bool { return r.State == Running && r.Skipped.Count >= 8 })
	if len(r.Skipped.First) != keptLines || !strings.Contains(r.Skipped.First[0], "starting up, please wait") {
		h.t.Errorf("kept were %q", r.Skipped.First)
	}
}

// None of these starts; each says why, and costs nothing but itself.
func TestServersThatNeverStart(t *testing.T) {
	t.Parallel()
	never := fault("never")
	never.StartupTimeout = time.Minute
	garbage := fault("garbage")
	garbage.StartupTimeout, garbage.Secrets = time.Minute, []string{"canary-token"}
	garbage.Env = WithEnv(garbage.Env, map[string]string{"TOKEN": "canary-token"})
	first := "Welcome! Your token is [redacted]" + strings.Repeat(".", longestSkip-len("Welcome! Your token is canary-token")) + cutMark
	missing := fault("missing")
	missing.Command, missing.Args = "no-such-command", nil
	nothing := fault("nothing")
	nothing.Command = ""
	directory := fault("directory")
	directory.Command = "/tmp"
	for name, c := range map[string]struct {
		spec  Spec
		clock Clock
		says  string
		tail  string
		retry bool
	}{
		"never answers":    {never, fast{40}, "It did not answer within 60 seconds (startup_timeout).", "waiting for a licence", true},
		"only garbage":     {garbage, fast{40}, "It did not answer within 60 seconds (startup_timeout); 2 lines of its output were no protocol, the first: " + first + ".", "", true},
		"prints its usage": {fault("usage"), SystemClock(), "It ended before it was ready, with exit status 2; a line of its output was no protocol: usage: server --port PORT.", "", true},
		"ends at once":     {fault("broken"), SystemClock(), "It ended before it was ready, with exit status 3.", "no database configured", true},
		"unknown version":  {fault("refuses"), SystemClock(), `Unsupported protocol version: "1999-01-01".`, "", true},
		"bad listing":      {fault("no-tools-field"), SystemClock(), "List its tools: its answer to tools/list has no tools.", "", true},
		"no such command":  {missing, SystemClock(), "Not found on PATH: no-such-command.", "", true},
		"a directory":      {directory, SystemClock(), "Cannot run /tmp: it is a directory.", "", true},
		"no command":       {nothing, SystemClock(), "No command is given: cannot be launched.", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, c.clock)
			beside := fault("beside")
			h.pool.Apply([]Spec{c.spec, beside})
			r := h.until(0, c.spec.Key.Server, isFailed)
			if r.Error != c.says || r.RetryAt.IsZero() == c.retry {
				t.Errorf("got %q, retry at %v; want %q", r.Error, r.RetryAt, c.says)
			}
			if tail := strings.Join(r.StderrTail, "\n"); !strings.Contains(tail, c.tail) {
				t.Errorf("got tail %q, want %q", tail, c.tail)
			}
			if r := h.running("beside"); r.Error != "" {
				t.Errorf("the one beside it: %+v", r)
			}
			_, err := h.pool.Call(t.Context(), c.spec.Key, "echo", nil)
			if e, ok := err.(*CallError); !ok || e.Fault != Down || e.Reached {
				t.Errorf("a call got %v, want a refusal as down", err)
			}
		})
	}
}
