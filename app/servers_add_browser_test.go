package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// starting is how long a server may take on a busy machine.
const starting = 90 * time.Second

// testIt is the button that starts a form's server once.
const testIt = `main form.form button[formaction]`

// installed is the program of a package that npm installed for the tests.
func installed(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs("../node_modules/@modelcontextprotocol/" + name + "/dist/index.js")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// row is an expression for what stands in a server's row.
func row(name string) string {
	return fmt.Sprintf(`(document.getElementById("server-%s")?.innerText ?? "")`, name)
}

// says waits until a server's row holds a text.
func (x *tab) says(name, text string) {
	x.t.Helper()
	x.within(starting, fmt.Sprintf("%q in the row of %s", text, name), row(name)+fmt.Sprintf(`.includes(%q)`, text))
}

// lists waits until the catalogue holds a tool.
func (x *tab) lists(tool string) {
	x.t.Helper()
	x.within(starting, "the tool "+tool, fmt.Sprintf(`document.getElementById("tool-%s")`, tool))
}

// serversAdded adds servers in every way there is beside the plain form.
func serversAdded(t *testing.T, b *browser) {
	s := serving(t)
	x := b.person(t, s.url)
	s.setUp(x)
	s.addedByPreset(x)
	s.addedByPaste(x)
	s.addedByAddress(x)
	s.testedInVain(x)
}

func (s *site) addedByPreset(x *tab) {
	x.t.Helper()
	x.open("/settings/tools/new")
	x.press(`.preset[href$="preset=memory"]`)
	x.reads("On the PATH of every node")
	x.is("the preset's form", `document.querySelector("[name=name]").value + " " + document.querySelector("[name=command]").value`, "memory npx")
	x.press(sendForm)
	x.says("memory", "Running")
	x.lists("create_entities")
	x.until("what is built in folded away beside it", `document.getElementById("from-builtin")?.open === false && !document.getElementById("from-builtin-alone")`)
	x.is("what it brings", `document.getElementById("from-mcp-memory").open`, "true")
}

// addedByPaste moves a credential out of another program's configuration: what
// is saved names it, and its value is on no page.
func (s *site) addedByPaste(x *tab) {
	x.t.Helper()
	const credential = "ghp_swordfish0000000000000000000000000"
	x.open("/settings/tools/new")
	x.press(`a[href$="/paste"]`)
	x.put(`[name=text]`, fmt.Sprintf(`{
  // As Claude Desktop keeps it.
  "mcpServers": {
    "kite-hub": {
      "command": "node",
      "args": [%q],
      "env": {"GITHUB_TOKEN": %q, "LEVEL": "debug"},
    },
  },
}`, installed(x.t, "server-everything"), credential))
	x.press(sendForm)
	x.reads("Server 1 of 1 from what you pasted")
	x.is("the environment", `document.querySelector("[name=env]").value`, "GITHUB_TOKEN=${GITHUB_TOKEN}\nLEVEL=debug")
	hidden := func(where string) {
		x.t.Helper()
		x.is("the credential "+where, `document.documentElement.outerHTML.includes("swordfish")`, "false")
	}
	hidden("in the form")
	x.shot("pasted")
	x.accessible()
	x.press(testIt)
	x.until("its tools before it is saved", `document.querySelector("#tried.is-good")?.innerText.includes("get-sum")`)
	hidden("after the test")
	x.press(sendForm)
	x.says("kite-hub", "Running")
	x.lists("get-sum")
	x.open("/settings/tools/servers/kite-hub")
	x.reads("${GITHUB_TOKEN}")
	hidden("on the server's page")
	x.open("/settings/secrets")
	x.reads("GITHUB_TOKEN")
	hidden("among the secrets")
	text, err := s.command(x.t, "", "company", "show")
	if err != nil || !strings.Contains(text, "${GITHUB_TOKEN}") || strings.Contains(text, "swordfish") {
		x.t.Errorf("the document says, %v:\n%s", err, text)
	}
}

func (s *site) addedByAddress(x *tab) {
	x.t.Helper()
	url := overHTTP(x.t)
	x.open("/settings/tools/new")
	x.fill(`[name=name]`, "remote")
	x.click(`[name=reach][value=http]`)
	x.fill(`[name=url]`, url)
	x.press(testIt)
	x.until("its tools before it is saved", `document.querySelector("#tried.is-good")?.innerText.includes("get-sum")`)
	x.is("the focus", `document.activeElement.id`, "tried")
	x.is("kept", `document.querySelector("[name=name]").value + " " + document.querySelector("[name=url]").value`, "remote "+url)
	x.is("saved already", `document.getElementById("server-remote")`, "null")
	x.shot("tested")
	x.accessible()
	x.press(sendForm)
	x.says("remote", "Running")
	x.says("remote", url)
}

// testedInVain: the failure shows what the program said last, and the form is
// as it was typed.
func (s *site) testedInVain(x *tab) {
	x.t.Helper()
	revisions := s.number(x.t, revisionsThere)
	const program = `-e\nconsole.error("the kite string broke"); process.exit(3)`
	x.open("/settings/tools/new")
	x.fill(`[name=name]`, "broken")
	x.fill(`[name=command]`, "node")
	x.put(`[name=args]`, strings.ReplaceAll(program, `\n`, "\n"))
	x.put(`[name=env]`, "LEVEL=debug")
	x.press(testIt)
	x.until("the failure and the last lines", `document.querySelector("#tried.is-bad")?.innerText.includes("the kite string broke")`)
	x.is("kept", `["name", "command", "args", "env"].map((n) => document.querySelector("[name=" + n + "]").value).join("|").replace("\n", "\\n")`,
		"broken|node|"+program+"|LEVEL=debug")
	x.shot("failed-test")
	x.accessible()
	if n := s.number(x.t, revisionsThere); n != revisions {
		x.t.Errorf("there are %d revisions, want %d", n, revisions)
	}
}

// overHTTP runs the reference server of its own accord, and tells its address.
func overHTTP(t *testing.T) string {
	t.Helper()
	address := free(t)
	_, port, _ := strings.Cut(address, ":")
	said := &said{}
	cmd := exec.Command("node", installed(t, "server-everything"), "streamableHttp")
	cmd.Env, cmd.Stdout, cmd.Stderr = []string{"PATH=" + os.Getenv("PATH"), "PORT=" + port}, said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed, as it was told
	})
	eventually(t, "the server listens", func() bool { return strings.Contains(said.String(), "listening on port "+port) })
	return "http://" + address + "/mcp"
}
