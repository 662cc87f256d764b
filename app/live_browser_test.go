package main

import (
	"bufio"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

func secretAppears(t *testing.T, b *browser) {
	s := serving(t)
	x := b.person(t, s.url)
	s.setUp(x)
	x.open("/settings/secrets")
	x.reads("No secrets yet")
	x.eval(`window.sameDocument = true`)
	s.must(t, "hunter2-hunter2", "secrets", "set", "GITHUB_TOKEN")
	x.until("the secret in the table", `document.querySelector("table")?.innerText.includes("GITHUB_TOKEN")`)
	x.is("the same document", `window.sameDocument`, "true")
	x.shot("appeared")
	s.must(t, "", "secrets", "remove", "GITHUB_TOKEN")
	x.reads("No secrets yet")
}

func typingStays(t *testing.T, b *browser) {
	s := serving(t)
	x := b.person(t, s.url)
	s.setUp(x)
	x.open("/settings/secrets")
	x.fill(`[name=name]`, "HALF_TYPED")
	x.fill(`[name=value]`, "half a value")
	s.must(t, "hunter2-hunter2", "secrets", "set", "GITHUB_TOKEN")
	x.until("the secret in the table", `document.querySelector("table")?.innerText.includes("GITHUB_TOKEN")`)
	x.is("what was typed", `document.querySelector("[name=name]").value + "/" + document.querySelector("[name=value]").value`, "HALF_TYPED/half a value")
	x.is("the focus", focused, "value")

	// With the focus in the table, the change is offered and not drawn.
	x.eval(`document.querySelector("table summary").focus()`)
	s.must(t, "hunter2-hunter2", "secrets", "set", "ANOTHER")
	x.reads("This changed while you were in it.")
	x.shot("offered")
	x.accessible()
	x.click(`.live-offer button`)
	x.until("the other secret", `document.querySelector("table").innerText.includes("ANOTHER")`)
	x.is("offers left", `document.querySelectorAll(".live-offer").length`, "0")
}

func signedOutElsewhere(t *testing.T, b *browser) {
	s := serving(t)
	token := s.token(t, "--grants", "state:read")
	first := b.person(t, s.url)
	first.allow("401")
	s.setUp(first)
	first.open("/settings/secrets")
	first.fill(`[name=name]`, "HALF_TYPED")
	second := b.person(t, s.url)
	second.signIn()
	second.open("/account/sign-ins")
	eventually(t, "both tabs have a stream", func() bool { return s.streams(t, token) == 2 })
	second.shot("before")
	second.press(`form[action$="/end"] button`)
	first.reads("You are signed out.")
	first.shot("told")
	first.accessible()
	first.is("what was typed", `document.querySelector("[name=name]").value`, "HALF_TYPED")
	eventually(t, "one stream is left", func() bool { return s.streams(t, token) == 1 })
	first.click(`.signed-out a`)
	first.until("the sign-in page", `location.pathname === "/sign-in" && document.querySelector("[name=login]")`)
}

// streams is how many live streams the node counts.
func (s *site) streams(t *testing.T, token string) int {
	t.Helper()
	a := s.visitor(t).get("/metrics", "Authorization", "Bearer "+token)
	for line := range strings.Lines(a.body) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "crewlet_live_streams "); ok {
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("GET /metrics: %d and no crewlet_live_streams:\n%s", a.status, a.body)
	return 0
}

// A revoked token ends its stream at once, though it was revoked by another
// process.
func TestARevokedTokenEndsItsStream(t *testing.T) {
	s := serving(t)
	value := s.token(t, "--grants", "state:read")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/live?topics=servers", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+value)
	stream, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stream.Body.Close() }()
	if kind := stream.Header.Get("Content-Type"); stream.StatusCode != http.StatusOK || !strings.HasPrefix(kind, "text/event-stream") {
		t.Fatalf("GET /live: %d %s", stream.StatusCode, kind)
	}
	s.must(t, "", "token", "revoke", "test")
	lines := bufio.NewScanner(stream.Body)
	for lines.Scan() { // until the node ends it
	}
	if err := lines.Err(); err != nil {
		t.Errorf("it ends with %v", err)
	}
	r.Header.Set("Authorization", "Bearer "+value)
	again, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Body.Close(); err != nil || again.StatusCode != http.StatusUnauthorized {
		t.Errorf("asked again it answers %d, %v", again.StatusCode, err)
	}
}
