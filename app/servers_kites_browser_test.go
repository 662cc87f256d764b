package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kitesProgram is a server whose tools are what a file says, as long as it says
// so: it tells of each change. It keeps the name of each tool that is called.
const kitesProgram = `
const fs = require("fs");
const [file, called] = process.argv.slice(2);
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
const answers = {
	initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: "kites", version: "1" } }),
	ping: () => ({}),
	"tools/list": () => ({ tools: JSON.parse(fs.readFileSync(file, "utf8")) }),
	"tools/call": ({ name }) => {
		fs.appendFileSync(called, name);
		return { content: [{ type: "text", text: name + " is done" }] };
	},
};
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) return;
	if (answers[method]) say({ id, result: answers[method](params ?? {}) });
	else say({ id, error: { code: -32601, message: "no " + method } });
});
lines.on("close", () => process.exit(0));
fs.watchFile(file, { interval: 50 }, () => say({ method: "notifications/tools/list_changed" }));
`

// kites is a server of that program.
type kites struct {
	command     []string
	tools, says string // files
}

// kite is a tool as JSON; without hints its server says nothing of it.
func kite(name, hints string) string {
	if hints == "" {
		return fmt.Sprintf(`{"name": %q, "description": "It may %s.", "inputSchema": {"type": "object"}}`, name, name)
	}
	return fmt.Sprintf(`{"name": %q, "description": "It may %s.", "inputSchema": {"type": "object"}, "annotations": %s}`, name, name, hints)
}

func newKites(t *testing.T, tools ...string) *kites {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "kites.js")
	if err := os.WriteFile(program, []byte(kitesProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	k := &kites{tools: filepath.Join(dir, "tools.json"), says: filepath.Join(dir, "called")}
	k.command = []string{"node", program, k.tools, k.says}
	k.offer(t, tools...)
	return k
}

// offer makes these its tools, in one step.
func (k *kites) offer(t *testing.T, tools ...string) {
	t.Helper()
	next := k.tools + ".next"
	if err := errors.Join(os.WriteFile(next, []byte("["+strings.Join(tools, ",")+"]"), 0o600), os.Rename(next, k.tools)); err != nil {
		t.Fatal(err)
	}
}

// called is the names of the tools called, one after the other.
func (k *kites) called(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(k.says)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

func (k *kites) forget(t *testing.T) {
	t.Helper()
	if err := os.Remove(k.says); err != nil {
		t.Fatal(err)
	}
}
