package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// declaring serves a node of a company with these servers and roles.
func declaring(t *testing.T, document string) *site {
	t.Helper()
	path := filepath.Join(t.TempDir(), "company.yaml")
	if err := os.WriteFile(path, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	return serving(t, "CREWLET_COMPANY="+path)
}

// heldBack: a row says what is missing and what to do; what was stored starts
// the server by itself, and one that cannot start costs nothing else.
func heldBack(t *testing.T, b *browser) {
	s := declaring(t, fmt.Sprintf(`name: Paper Kites
mcp_servers:
  - name: weather
    command: node
    args: [%q]
    env: {WEATHER_KEY: "${WEATHER_KEY}"}
  - name: plotter
    command: kite-plotter
`, installed(t, "server-everything")))
	x := b.person(t, s.url)
	s.setUp(x)
	x.open("/settings/tools")
	x.says("weather", "Failing")
	x.says("weather", "WEATHER_KEY")
	x.says("weather", "Settings › Secrets")
	x.is("all there is to say in a row", row("weather")+`.includes("optional_keys")`, "false")
	x.says("plotter", "Failing")
	x.says("plotter", "Not found on PATH: kite-plotter.")
	x.says("plotter", "Next try")
	x.eval(`window.sameDocument = true`)
	x.shot("held-back")
	x.accessible()

	whole := x.beside()
	whole.open("/settings/tools/servers/weather")
	whole.reads("or list WEATHER_KEY under optional_keys, so that the server starts without it.")

	storing := x.beside()
	storing.open("/settings/secrets")
	storing.fill(`[name=name]`, "WEATHER_KEY")
	storing.fill(`[name=value]`, "hunter2-hunter2")
	storing.press(`#store button[type=submit]`)
	x.says("weather", "Running")
	x.lists("get-sum")
	x.is("the same document", `window.sameDocument`, "true")
	x.says("plotter", "Not found on PATH: kite-plotter.")
}
