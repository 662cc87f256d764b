package static_test

import (
	"net/http"
	"testing"
)

const completing = `<form method="post" action="/save"><textarea id="env" name="env" aria-label="Environment"
	data-complete="/secrets" data-complete-make="/make?next=/#store"></textarea><button>Save</button></form>`

const offered = `[...document.querySelectorAll(".complete [role=option]")].map((e) => e.textContent).join()`

func completionShown(b *tab, s *site) {
	s.shows("/", completing)
	s.shows("/make", "<p>Make it</p>")
	s.page("GET /secrets", func(*http.Request) string {
		return `{"secrets": [{"name": "GITHUB_TOKEN"}, {"name": "SLACK_TOKEN"}], "missing": [{"name": "WEATHER_KEY"}]}`
	})
	b.open("/")
	b.do(`document.getElementById("env").focus()`)
}

// Names are offered from "$" on, chosen by keys, and nothing is sent.
func completeTaken(t *testing.T, b *tab, s *site) {
	completionShown(b, s)
	b.press("TOKEN=$")
	b.waits(`(` + offered + `) === "${GITHUB_TOKEN},${SLACK_TOKEN},${WEATHER_KEY}"`)
	b.press("sl")
	b.waits(`(` + offered + `) === "${SLACK_TOKEN},Create the secret sl"`)
	b.press("\t")
	b.waits(`!document.querySelector(".complete")`)
	same(t, b.text(`document.getElementById("env").value`), "TOKEN=${SLACK_TOKEN}")
	b.press("\r$g")
	b.waits(`(` + offered + `).startsWith("${GITHUB_TOKEN}")`)
	b.do(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }))`)
	b.waits(`!document.querySelector(".complete") && !document.activeElement.hasAttribute("aria-activedescendant")`)
	same(t, b.text(`document.getElementById("env").value`), "TOKEN=${SLACK_TOKEN}\n$g")
}

// A name that is not there is written down, and leads to where it is stored.
func completeMade(t *testing.T, b *tab, s *site) {
	completionShown(b, s)
	b.press("A=${NEW_ONE")
	b.waits(`(` + offered + `) === "Create the secret NEW_ONE"`)
	b.press("\t")
	b.waits(`location.pathname === "/make" && document.readyState === "complete"`)
	same(t, b.text(`new URLSearchParams(location.search).get("name")`), "NEW_ONE")
}

// What the palette finds besides pages is shown once somebody types.
func paletteFinds(t *testing.T, b *tab, s *site) {
	placesShown(b, s)
	s.page("GET /palette", func(*http.Request) string {
		return `<a role="option" id="p-t" href="/secrets" data-words="tool sum" data-found hidden>sum</a>`
	})
	b.do(`document.getElementById("palette").setAttribute("data-more", "/palette")`)
	b.do(`document.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true }))`)
	b.waits(`document.querySelector("[data-found]") !== null`)
	same(t, b.text(shown), "palette-c,palette-s")
	b.press("sum")
	b.waits(`(` + shown + `) === "p-t"`)
}
