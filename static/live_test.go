package static_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
)

const region = `<div id="list" hx-get="/list" hx-trigger="live:tools from:body delay:20ms, live:item:A-1 from:body delay:20ms"
	hx-swap="innerMorph" hx-sync="this:queue last" data-live-topics="tools item:A-1" data-live-region>%s</div>`

// listed serves a page whose region counts how often it was fetched, and waits
// until its stream stands.
func listed(b *tab, s *site, inside string) {
	var fetched atomic.Int64
	s.page("GET /list", func(*http.Request) string {
		return fmt.Sprintf("<b id=count>%d</b>", fetched.Add(1)) + inside
	})
	s.shows("/", `<main id="main" data-live-topics="company" data-as-of="5">`+
		fmt.Sprintf(region, "<b id=count>0</b>"+inside)+`<button id="else" type="button">Else</button></main>`)
	b.open("/")
	s.waitsFor("GET /live?topics=company%2Citem%3AA-1%2Ctools&since=5")
}

func counts(n int) string {
	return fmt.Sprintf(`document.getElementById("count")?.textContent === "%d"`, n)
}

func liveTold(_ *testing.T, b *tab, s *site) {
	listed(b, s, "")
	s.tell("change", `{"topics":["tools","item:A-1"],"position":9}`)
	s.waitsFor("GET /list?min_position=9")
	b.waits(counts(1))
	s.tell("resync", `{"position":12}`)
	s.waitsFor("GET /list?min_position=12")
	b.waits(`Number(document.getElementById("count").textContent) >= 2`)
}

func liveResumes(_ *testing.T, b *tab, s *site) {
	listed(b, s, "")
	s.tell("change", `{"topics":["company"],"position":31}`)
	b.do(`window.heard = 0; document.body.addEventListener("live:company", (e) => (window.heard = e.detail.position))`)
	s.tell("change", `{"topics":["company"],"position":32}`)
	b.waits("window.heard === 32")
	s.end()
	s.waitsFor("GET /viewer")
	s.waitsFor("GET /live?topics=company%2Citem%3AA-1%2Ctools&since=32")
	// Other topics on the page, another stream.
	b.do(`document.getElementById("main").setAttribute("data-live-topics", "tools");
		document.dispatchEvent(new CustomEvent("htmx:after:swap", { detail: { ctx: { request: { method: "GET" } } } }))`)
	s.waitsFor("GET /live?topics=item%3AA-1%2Ctools&since=32")
}

func liveHidden(_ *testing.T, b *tab, s *site) {
	listed(b, s, "")
	b.do(`Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
		document.dispatchEvent(new Event("visibilitychange"))`)
	s.waitsFor("left /live")
	b.do(`delete document.hidden; document.dispatchEvent(new Event("visibilitychange"))`)
	s.waitsFor("GET /live?topics=company%2Citem%3AA-1%2Ctools&since=5")
}

func liveSignedOut(_ *testing.T, b *tab, s *site) {
	expected := "401"
	b.expected.Store(&expected)
	listed(b, s, "")
	s.signOut()
	s.end()
	s.waitsFor("GET /viewer")
	b.waits(`document.querySelector(".signed-out a")?.getAttribute("href") === "/sign-in"`)
}

func regionFocus(_ *testing.T, b *tab, s *site) {
	listed(b, s, `<a id="in" href="/x">In</a>`)
	b.do(`document.getElementById("in").focus()`)
	s.tell("change", `{"topics":["tools"],"position":9}`)
	b.waits(`document.querySelector(".live-offer") !== null && ` + counts(0))
	b.do(`document.getElementById("else").focus()`)
	s.waitsFor("GET /list?min_position=9")
	b.waits(`document.querySelector(".live-offer") === null && ` + counts(1))
}

// What somebody opened stays open while the region is drawn anew.
func regionDrawer(_ *testing.T, b *tab, s *site) {
	listed(b, s, `<details id="more"><summary>More</summary>Inside</details>`)
	b.do(`document.getElementById("more").open = true`)
	s.tell("change", `{"topics":["tools"],"position":9}`)
	b.waits(counts(1) + ` && document.getElementById("more").open`)
}

func regionDirty(_ *testing.T, b *tab, s *site) {
	listed(b, s, `<form method="post" action="/x"><input id="in" name="title" aria-label="Title" value="old"></form>`)
	b.do(`document.getElementById("in").value = "mine"`)
	s.tell("change", `{"topics":["item:A-1"],"position":9}`)
	b.waits(`document.querySelector(".live-offer button") !== null && ` + counts(0))
	b.do(`document.querySelector(".live-offer button").click()`)
	s.waitsFor("GET /list?min_position=9")
	b.waits(`document.querySelector(".live-offer") === null && document.activeElement.id === "list" && ` + counts(1))
}
