package handlers

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"time"

	"crewlet/engine/tool"
	"crewlet/handlers/signin/signintest"
)

const (
	vault  = "/settings/secrets"
	canary = "canary-value-2718281"
	forms  = "application/x-www-form-urlencoded"
)

// stale is an administrator whose password was typed too long ago, and the
// page she is shown when she stores a value.
func stale(t *testing.T, b *bench) (*signintest.Browser, *signintest.Page) {
	t.Helper()
	w := b.administrator()
	b.Clock.Move(2 * time.Hour)
	asked := w.Get(vault).Send(vault, url.Values{"name": {"A"}, "value": {canary}, "hosts": {"one.example\ntwo.example"}})
	if asked.Status != 403 || strings.Contains(asked.Body, canary) {
		t.Fatalf("answered %d: %s", asked.Status, asked.Body)
	}
	return w, asked
}

func (b *bench) stored(t *testing.T, name string) string {
	t.Helper()
	values, err := b.Secrets.Values(t.Context(), b.DB)
	b.must(err)
	return values[name].Plain
}

func password(typed string) url.Values { return url.Values{"_password": {typed}} }

func TestAFormWaitsSealedForItsPassword(t *testing.T) {
	t.Parallel()
	b := open(t)
	_, asked := stale(t, b)
	kept, err := base64.RawURLEncoding.DecodeString(asked.Value("_kept"))
	if err != nil || strings.Contains(string(kept), canary) {
		t.Fatalf("the form is not sealed: %v", err)
	}
	before := b.counts()
	wrong := asked.Send(vault, password("not the password"))
	if wrong.Status != 403 || strings.Contains(wrong.Body, canary) || wrong.Value("_key") != asked.Value("_key") {
		t.Errorf("a wrong password answers %d: %s", wrong.Status, wrong.Text())
	}
	if left := b.counts().since(before); left.Operations != 0 || left.Changes != 0 {
		t.Errorf("a wrong password left %+v", left)
	}
	landed := wrong.Send(vault, password(signintest.Password))
	if landed.Status != 303 || b.stored(t, "A") != canary {
		t.Errorf("it answers %d %s and stores %q", landed.Status, landed.Text(), b.stored(t, "A"))
	}
	values, err := b.Secrets.Values(t.Context(), b.DB)
	if b.must(err); len(values["A"].Hosts) != 2 {
		t.Errorf("a field is lost: %+v", values["A"])
	}
	before = b.counts()
	if again := wrong.Send(vault, url.Values{"_password": {""}}); again.Status != 303 || b.counts() != before {
		t.Errorf("sent again it answers %d and leaves %+v", again.Status, b.counts().since(before))
	}
}

// A field of the form itself never stands in for a kept one.
func TestAKeptFormIsWhatWasSent(t *testing.T) {
	t.Parallel()
	b := open(t)
	_, asked := stale(t, b)
	fill := password(signintest.Password)
	fill.Set("value", "another")
	if p := asked.Send(vault, fill); p.Status != 303 || b.stored(t, "A") != canary {
		t.Errorf("it answers %d and stores %q", p.Status, b.stored(t, "A"))
	}
}

func TestAKeptFormOpensForItsOwnSignInAddressAndHour(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sends  func(b *bench, w *signintest.Browser, kept string) *signintest.Page
		status int
	}{
		"another sign-in": {func(b *bench, _ *signintest.Browser, kept string) *signintest.Page {
			other := signintest.NewBrowser(b.t, b.url)
			other.Get("/sign-in").Send("/sign-in", url.Values{"login": {signintest.Login}, "password": {signintest.Password}})
			return other.Post(vault, forms, url.Values{"_kept": {kept}, "_key": {tool.NewKey()}}.Encode())
		}, 400},
		"nobody": {func(b *bench, _ *signintest.Browser, kept string) *signintest.Page {
			return signintest.NewBrowser(b.t, b.url).Post(vault, forms, url.Values{"_kept": {kept}, "_key": {tool.NewKey()}}.Encode())
		}, 303}, // to the sign-in page, before it is looked at
		"another address": {func(_ *bench, w *signintest.Browser, kept string) *signintest.Page {
			return w.Post("/settings/tokens", forms, url.Values{"_kept": {kept}, "_key": {tool.NewKey()}, "_password": {signintest.Password}}.Encode())
		}, 400},
		"later than an hour": {func(b *bench, w *signintest.Browser, kept string) *signintest.Page {
			b.Clock.Move(time.Hour + time.Second)
			return w.Post(vault, forms, url.Values{"_kept": {kept}, "_key": {tool.NewKey()}, "_password": {signintest.Password}}.Encode())
		}, 400},
		"a forged one": {func(_ *bench, w *signintest.Browser, kept string) *signintest.Page {
			return w.Post(vault, forms, url.Values{"_kept": {kept[:len(kept)-9] + "AAAAAAAAA"}, "_key": {tool.NewKey()}}.Encode())
		}, 400},
		"no base64": {func(_ *bench, w *signintest.Browser, _ string) *signintest.Page {
			return w.Post(vault, forms, url.Values{"_kept": {"a b%"}, "_key": {tool.NewKey()}}.Encode())
		}, 400},
		"cut short": {func(_ *bench, w *signintest.Browser, _ string) *signintest.Page {
			return w.Post(vault, forms, url.Values{"_kept": {"_w"}, "_key": {tool.NewKey()}}.Encode())
		}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			w, asked := stale(t, b)
			p := c.sends(b, w, asked.Value("_kept"))
			if p.Status != c.status || strings.Contains(p.Body, canary) {
				t.Errorf("answered %d, want %d: %s", p.Status, c.status, p.Text())
			}
			if b.stored(t, "A") != "" {
				t.Error("it was stored")
			}
		})
	}
}

func TestAFormTooLargeToKeepIsRefusedAndSaysWhy(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.administrator()
	b.Clock.Move(2 * time.Hour)
	fill := url.Values{"_key": {tool.NewKey()}, "name": {"A"}, "value": {strings.Repeat("x", 1900<<10)}}
	p := w.Post(vault, forms, fill.Encode())
	if p.Status != 413 || !strings.Contains(p.Text(), "too large to wait") || len(p.Body) > 100<<10 {
		t.Errorf("answered %d with %d bytes: %.300s", p.Status, len(p.Body), p.Text())
	}
}
