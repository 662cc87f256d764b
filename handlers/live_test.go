package handlers

import (
	"bufio"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"crewlet/engine/changes"
	"crewlet/engine/company"
	"crewlet/engine/enginetest"
	"crewlet/engine/identity"
	"crewlet/engine/tool"
	"crewlet/handlers/signin/signintest"
)

func since(position int64) string { return fmt.Sprintf("since=%d", position) }

func TestAStreamResumesWithoutAGap(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.follow()
	token := as(b.mint(false, "all").Value)
	shown := b.stores("A")
	missed := b.stores("B")
	eventually(t, "the feed has come that far", func() bool { return b.Feed.Position() >= missed })
	first := b.follows(t, "topics=secrets&"+since(shown), token...)
	if e := first.next(); e.Name != "change" || e.Position != missed || !slices.Equal(e.Topics, []string{"secrets"}) {
		t.Errorf("told first %+v, want what was missed at %d", e, missed)
	}
	heard := b.stores("C")
	first.reaches(heard)
	first.leave()
	away := b.stores("D")
	eventually(t, "the feed has come that far", func() bool { return b.Feed.Position() >= away })
	// The browser's own Last-Event-ID wins over the address's since.
	again := b.follows(t, "topics=secrets&"+since(away), append(token, "Last-Event-ID", fmt.Sprint(heard))...)
	if e := again.next(); e.Position != away {
		t.Errorf("told %+v, want what landed at %d", e, away)
	}
	whole := b.follows(t, "topics=secrets&"+since(away), token...)
	last := b.stores("E")
	if e := whole.next(); e.Position != last {
		t.Errorf("told again what was seen: %+v", e)
	}
}

func TestASinceThatIsTooOldFetchesEverything(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.follow()
	token := as(b.mint(false, "all").Value)
	old := b.stores("A")
	eventually(t, "the feed has come that far", func() bool { return b.Feed.Position() >= old })
	b.Clock.Move(time.Hour + time.Second)
	s := b.follows(t, "topics=secrets&since=0", token...)
	if e := s.next(); e.Name != "resync" || e.ID == "" || len(e.Topics) != 0 {
		t.Errorf("told %+v", e)
	}
	s.reaches(b.stores("B"))
}

func TestASlowReaderIsToldOnceOfABurst(t *testing.T) {
	t.Parallel()
	b := open(t)
	conn := b.narrow(t)
	const burst = 500
	at := b.Feed.Position()
	_, err := fmt.Fprintf(conn, "GET /live?topics=secrets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", b.mint(false, "all").Value)
	b.must(err)
	got, err := http.ReadResponse(bufio.NewReader(conn), nil)
	b.must(err)
	defer func() { _ = conn.Close(); _ = got.Body.Close() }() // the body alone waits for its end
	eventually(t, "the stream is open", func() bool { return b.site.hub.Streams() == 1 })
	for i := range int64(burst) {
		b.site.hub.Hear([]changes.Change{{Position: at + i + 1, At: b.Clock.Now(), Kind: "secret.set", Object: "secret:A"}})
	}
	events := make(chan event, burst)
	go func() { _ = messages(got.Body, events) }()
	told := 0
	for position := int64(0); position < at+burst; told++ {
		position = (<-events).Position
	}
	if told > 3 {
		t.Errorf("%d changes were told %d times", burst, told)
	}
}

func TestAReaderWhoDoesNotReadIsDropped(t *testing.T) {
	t.Parallel()
	b := open(t, func(o *Options) { o.Live = Live{Beat: time.Millisecond, Slow: 50 * time.Millisecond} })
	conn := b.narrow(t)
	_, err := fmt.Fprintf(conn, "GET /live?topics=secrets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", b.mint(false, "all").Value)
	b.must(err)
	_, err = conn.Read(make([]byte, 1))
	b.must(err)
	eventually(t, "the stream is dropped", func() bool { return b.site.hub.Streams() == 0 })
}

func TestTopicsOfOthersAreLeftOut(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.follow()
	token := as(b.mint(false, "state:read").Value)
	s := b.follows(t, "topics=secrets,tokens,audit,config,nonsense,,company,servers:"+strings.Repeat("x", 300), token...)
	b.stores("A")
	c := enginetest.By("ana")
	_, err := tool.Do(t.Context(), b.Run, b.Company.ReloadConfig, c, company.ReloadConfig{})
	b.must(err)
	topics := s.reaches(c.Landed.Position)
	if len(topics) != 1 || !topics["company"] {
		t.Errorf("told of %v", topics)
	}
}

func TestAStreamThatCannotBegin(t *testing.T) {
	t.Parallel()
	b := open(t)
	token := as(b.mint(false, "all").Value)
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprintf("company:%d", i)
	}
	b.refused(t, map[string]bad{
		"nobody":            {"GET", "/live?topics=secrets", nil, nil, 401, "unauthenticated"},
		"since in words":    {"GET", "/live?since=now", nil, token, 422, "invalid"},
		"since below zero":  {"GET", "/live?since=-1", nil, token, 422, "invalid"},
		"a last id of junk": {"GET", "/live?since=1", nil, append(token, "Last-Event-ID", "x"), 422, "invalid"},
		"too many topics":   {"GET", "/live?topics=" + strings.Join(many, ","), nil, token, 422, "invalid"},
	})
	if n := b.site.hub.Streams(); n != 0 {
		t.Errorf("%d streams are left", n)
	}
}

func TestARevokedCredentialEndsItsStreamsAtOnce(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.follow()
	mine, other := b.mint(false, "all"), b.mint(false, "all")
	// One that may follow nothing it asked for ends like any other.
	s, blind, stays := b.follows(t, "topics=secrets", as(mine.Value)...), b.follows(t, "topics=none", as(mine.Value)...), b.follows(t, "topics=secrets", as(other.Value)...)
	if s.status != 200 || blind.status != 200 || stays.status != 200 {
		t.Fatalf("answered %d, %d, %d", s.status, blind.status, stays.status)
	}
	_, err := tool.Do(t.Context(), b.Run, b.Identity.RevokeToken, enginetest.By("ana"), identity.RevokeToken{Token: mine.ID})
	b.must(err)
	s.ends()
	blind.ends()
	stays.reaches(b.stores("A"))
	if again := b.follows(t, "topics=secrets", as(mine.Value)...); again.status != 401 {
		t.Errorf("it may begin again: %d", again.status)
	}
}

func TestSigningOutEndsTheStreamsOfThatBrowser(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.follow()
	w := b.administrator()
	other := signintest.NewBrowser(t, b.url)
	other.Get("/sign-in").Send("/sign-in", url.Values{"login": {signintest.Login}, "password": {signintest.Password}})
	s, stays := b.follows(t, "topics=account", "Cookie", w.Cookie()), b.follows(t, "topics=secrets", "Cookie", other.Cookie())
	if p := w.Post("/sign-out", forms, ""); p.Status != 303 {
		t.Fatalf("signing out answers %d", p.Status)
	}
	s.ends()
	stays.reaches(b.stores("A"))
}

func TestBeatsAndTheBackstop(t *testing.T) {
	t.Parallel()
	b := open(t, func(o *Options) { o.Live = Live{Beat: time.Millisecond, Recheck: 5 * time.Millisecond} })
	token := b.mint(false, "all")
	s := b.follows(t, "topics=secrets", as(token.Value)...)
	if e := s.next(); e.Comment != "beat" {
		t.Errorf("told %+v", e)
	}
	b.write(`UPDATE tokens SET revoked_at = now() WHERE id = $1`, token.ID) // no change says so
	s.ends()
}

func TestClosingEndsEveryStreamAndLeavesNothing(t *testing.T) {
	b := open(t) // not beside others: it looks at every goroutine
	b.follow()
	token := as(b.mint(false, "all").Value)
	var open []*tab
	for range 20 {
		open = append(open, b.follows(t, "topics=secrets,servers", token...), b.follows(t, "topics=none", token...))
	}
	eventually(t, "all are open", func() bool { return b.site.hub.Streams() == 40 })
	b.site.Close()
	for _, s := range open {
		s.ends()
	}
	late := b.follows(t, "topics=secrets", token...)
	late.ends()
	eventually(t, "no stream is left", func() bool { return b.site.hub.Streams() == 0 })
	eventually(t, "no goroutine is left", func() bool {
		stacks := make([]byte, 4<<20)
		return !strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "crewlet/handlers/live")
	})
}
