package client

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSpecsAreEqualWhenTheChildIs(t *testing.T) {
	t.Parallel()
	base := Spec{Key: Key{"a", "", "n"}, Name: "a", Command: "c", Args: []string{"x", "y"}, Env: []string{"A=1", "B=2"}, Secrets: []string{"s", "t"}}
	for name, c := range map[string]struct {
		change func(*Spec)
		same   bool
	}{
		"nothing":                {func(*Spec) {}, true},
		"order of environment":   {func(s *Spec) { s.Env = []string{"B=2", "A=1"} }, true},
		"order of secrets":       {func(s *Spec) { s.Secrets = []string{"t", "s"} }, true},
		"the default written":    {func(s *Spec) { s.StartupTimeout, s.CallTimeout = time.Minute, time.Minute }, true},
		"order of arguments":     {func(s *Spec) { s.Args = []string{"y", "x"} }, false},
		"a secret's new value":   {func(s *Spec) { s.Env = []string{"A=1", "B=3"} }, false},
		"another seat":           {func(s *Spec) { s.Key.Seat = "s" }, false},
		"a renamed server":       {func(s *Spec) { s.Name = "b" }, true},
		"another call timeout":   {func(s *Spec) { s.CallTimeout = time.Second }, false},
		"the transport written":  {func(s *Spec) { s.Transport = Stdio }, true},
		"no headers":             {func(s *Spec) { s.Headers = map[string]string{} }, true},
		"another transport":      {func(s *Spec) { s.Transport = SSE }, false},
		"another address":        {func(s *Spec) { s.URL = "https://x.example" }, false},
		"another header":         {func(s *Spec) { s.Headers = map[string]string{"X": "1"} }, false},
		"another root":           {func(s *Spec) { s.Roots = []string{"/"} }, false},
		"lazy":                   {func(s *Spec) { s.Lazy = true }, false},
		"arguments run together": {func(s *Spec) { s.Args = []string{"xy"} }, false},
	} {
		other := base
		c.change(&other)
		if base.Equal(other) != c.same {
			t.Errorf("%s: equal %v, want %v", name, !c.same, c.same)
		}
	}
	upper, lower := Spec{Headers: map[string]string{"X-Key": "1"}}, Spec{Headers: map[string]string{"x-key": "1"}}
	if !upper.Equal(lower) {
		t.Error("the case of a header's name makes a difference")
	}
	if !slices.Equal(base.Env, []string{"A=1", "B=2"}) {
		t.Error("comparing moved the environment")
	}
}

func TestBaseEnvironment(t *testing.T) {
	t.Parallel()
	environ := []string{
		"PATH=/bin", "HOME=/root", "LANG=C", "https_proxy=p", "XDG_STATE_HOME=/s", "XDG_SESSION_ID=1", "NODE_EXTRA_CA_CERTS=/ca",
		"DOCKER_HOST=tcp://d", "CONTAINERS_CONF=/c", "REGISTRY_AUTH_FILE=/r", "DBUS_SESSION_BUS_ADDRESS=unix:", "DOCKERISH=no",
		"CREWLET_KEYRING=k", "PGPASSWORD=p", "AWS_SECRET_ACCESS_KEY=a", "NODE_OPTIONS=--x", "PATH=/usr/bin", "broken",
	}
	common := []string{"HOME=/root", "LANG=C", "NODE_EXTRA_CA_CERTS=/ca", "PATH=/usr/bin", "XDG_STATE_HOME=/s", "https_proxy=p"}
	container := append([]string{"CONTAINERS_CONF=/c", "DBUS_SESSION_BUS_ADDRESS=unix:", "DOCKER_HOST=tcp://d", "REGISTRY_AUTH_FILE=/r"}, common...)
	slices.Sort(container)
	for command, want := range map[string][]string{
		"npx": common, "/usr/bin/docker": container, "podman": container, "docker-compose": common,
	} {
		if got := BaseEnv(environ, command); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
	got := WithEnv([]string{"A=1", "B=2"}, map[string]string{"B": "3"}, map[string]string{"B": "4", "C": "=5"})
	if want := []string{"A=1", "B=4", "C==5"}; !slices.Equal(got, want) {
		t.Errorf("layers: got %q, want %q", got, want)
	}
}

func TestCommandIsFoundOnTheChildsPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "tool")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		spec Spec
		file string
		says string
	}{
		"on the path":      {Spec{Command: "tool", Env: []string{"PATH=/none:" + dir}}, file, ""},
		"absolute":         {Spec{Command: file}, file, ""},
		"below the folder": {Spec{Command: "./tool", Dir: dir}, file, ""},
		"not there":        {Spec{Command: "tool", Env: []string{"PATH=/none"}}, "", "not found on PATH: tool"},
		"no path":          {Spec{Command: "tool"}, "", "not found on PATH: tool"},
		"relative entries": {Spec{Command: "client", Env: []string{"PATH=:.:.."}}, "", "not found on PATH: client"},
		"not executable":   {Spec{Command: plain}, "", "cannot run " + plain + ": it is not executable"},
		"no such file":     {Spec{Command: "/none/x"}, "", "cannot run /none/x: no such file or directory"},
		"empty":            {Spec{}, "", "no command is given: cannot be launched"},
		"a NUL byte":       {Spec{Command: "a\x00b"}, "", "the command holds a NUL byte: cannot be launched"},
	} {
		got, err := findCommand(c.spec)
		says := ""
		if err != nil {
			says = err.Error()
		}
		if got != c.file || says != c.says {
			t.Errorf("%s: got %q %q, want %q %q", name, got, says, c.file, c.says)
		}
	}
}

func TestRunnersAreKnown(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{
		"npx -y x": seenAsGrandchild, "/usr/bin/npx x": seenAsGrandchild, "npm exec x": seenAsGrandchild, "npm start": noRunner,
		"uvx x": seenAsChild, "bunx x": seenAsChild, "uv run x": seenAsChild, "uv pip": noRunner, "pnpm dlx x": seenAsChild,
		"pipx run x": neverSeen, "docker run -i x": neverSeen, "docker exec x": noRunner, "podman run x": neverSeen,
		"node server.js": noRunner, "npm": noRunner,
	} {
		words := strings.Fields(line)
		if got := runnerKind(words[0], words[1:]); got != want {
			t.Errorf("%s: got %d, want %d", line, got, want)
		}
	}
}
