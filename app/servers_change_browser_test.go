package main

import (
	"fmt"
	"strings"
	"testing"
)

// serverChanges: whatever becomes of a server, by itself or by somebody's
// hand, shows on every open page without a reload.
func serverChanges(t *testing.T, b *browser) {
	kites := newKites(t, kite("fold", ""))
	s := declaring(t, fmt.Sprintf(`name: Paper Kites
mcp_servers:
  - name: kites
    command: node
    args: [%q, %q, %q]
roles:
  - name: Pilot
    tools:
      - {server: kites, tools: "*"}
`, kites.command[1], kites.command[2], kites.command[3]))
	ana := b.person(t, s.url)
	s.setUp(ana)
	s.person(t, "bo.editor", "Bo Editor", "{state:read,config:read,config:write}")
	bo := b.person(t, s.url)
	bo.signInAs("bo.editor")
	looks := []*tab{ana, bo.beside()}
	for _, x := range looks {
		x.open("/settings/tools")
		x.says("kites", "Running")
		x.lists("fold")
		x.eval(`window.sameDocument = true`)
	}
	detail := ana.beside()
	detail.open("/settings/tools/servers/kites")
	detail.eval(`window.sameDocument = true`)

	kites.offer(t, strings.Replace(kite("fold", ""), "It may", "With care it may", 1), kite("glide", ""))
	for _, x := range append(looks, detail) {
		x.lists("glide")
		x.reads("With care it may fold.")
	}
	kites.offer(t, kite("fold", ""))
	for _, x := range append(looks, detail) {
		x.until("no glide any more", `!document.getElementById("tool-glide")`)
	}

	bo.edits(detail)
	detail.is("the same document", `window.sameDocument`, "true")
	detail.open("/settings/secrets") // the address ends with the name
	s.switched(bo, looks)
	follower := s.renamed(bo, looks)
	for _, x := range looks {
		x.is("the same document", `window.sameDocument`, "true")
	}
	bo.removes(looks)
	follower.reads("gliders is gone")
}

// edits changes the server in its form, while somebody else looks at its page.
func (x *tab) edits(other *tab) {
	x.t.Helper()
	x.open("/settings/tools/servers/kites")
	x.press(`a[href$="/edit"]`)
	x.put(`[name=env]`, "ALTITUDE=low")
	x.fill(`[name=summary]`, "Fly lower")
	x.press(sendForm)
	other.reads("ALTITUDE")
	other.reads("Fly lower")
	other.reads("bo.editor")
	other.until("it runs again", `document.getElementById("server-state").innerText.includes("Running")`)
	other.shot("edited-elsewhere")
}

func (s *site) switched(bo *tab, looks []*tab) {
	bo.t.Helper()
	for _, c := range []struct{ button, state string }{{"Disable", "Disabled"}, {"Enable", "Running"}} {
		bo.open("/settings/tools/servers/kites")
		bo.is("the switch", `document.querySelector('form[action$="/switch"] button').innerText`, c.button)
		bo.press(`form[action$="/switch"] button`)
		for _, x := range looks {
			x.says("kites", c.state)
		}
		if c.state == "Disabled" {
			eventually(bo.t, "no child is left", func() bool { return len(s.children(bo.t)) == 0 })
		}
	}
}

// renamed: its tools stay, under the new name.
func (s *site) renamed(bo *tab, looks []*tab) (follower *tab) {
	bo.t.Helper()
	follower = bo.beside()
	follower.open("/settings/tools/servers/kites")
	bo.open("/settings/tools/servers/kites")
	bo.press(`a[href$="/rename"]`)
	bo.fill(`[name=to]`, "gliders")
	bo.press(sendForm)
	bo.reads("It is called gliders now, everywhere.")
	follower.until("its page follows", `location.pathname.endsWith("/servers/gliders") && document.querySelector("h1")?.innerText === "gliders"`)
	follower.reads("It is called gliders now, everywhere.")
	for _, x := range looks {
		x.says("gliders", "Running")
		x.until("its tools under the new name", `document.querySelector("#from-mcp-gliders #tool-fold")`)
		x.until("no row of the old name", `!document.getElementById("server-kites")`)
	}
	return follower
}

// removes is told first what names the server.
func (x *tab) removes(looks []*tab) {
	x.t.Helper()
	x.allow("409")
	x.open("/settings/tools/servers/gliders")
	x.click(`details.confirm summary`)
	x.press(`.confirm-box button`)
	x.reads("roles[0].tools[0]")
	x.shot("references")
	x.accessible()
	for _, other := range looks {
		other.says("gliders", "Running")
	}
	x.press(sendForm)
	for _, other := range looks {
		other.until("no row", `!document.getElementById("server-gliders") && !document.getElementById("tool-fold")`)
		other.reads("No servers yet")
	}
}
