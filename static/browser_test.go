package static_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"crewlet/static"
)

// The scripts, in a real browser, on small pages written here. What the whole
// program does with them is tested where the program is.
func TestScriptsInABrowser(t *testing.T) {
	t.Parallel()
	if missing := static.Missing(); missing != "" {
		t.Fatal(missing)
	}
	browser := startBrowser(t)
	for name, run := range map[string]func(*testing.T, *tab, *site){
		"live: told and fetched":                 liveTold,
		"live: resumes where it stood":           liveResumes,
		"live: closed while hidden":              liveHidden,
		"live: signed out":                       liveSignedOut,
		"region: holds back under the focus":     regionFocus,
		"region: holds back under a dirty form":  regionDirty,
		"region: what is open stays open":        regionDrawer,
		"draft: comes back with its key":         draftRestored,
		"draft: a redraw wins over it":           draftRedrawn,
		"draft: forgotten when it landed":        draftLanded,
		"form: a double press posts once":        formTwice,
		"form: the first wrong field is focused": formWrong,
		"lines: a link shows its line":           linesShown,
		"palette: found by typing":               paletteTyped,
		"palette: servers and tools too":         paletteFinds,
		"complete: a name by its letters":        completeTaken,
		"complete: a name that is not there":     completeMade,
		"keys: help and go-to":                   keysGo,
		"theme: kept over pages":                 themeKept,
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			run(t, newTab(t, browser, s), s)
		})
	}
}

func startBrowser(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	browser, quit := chromedp.NewContext(allocator)
	t.Cleanup(quit)
	if err := chromedp.Do(browser, chromedp.Navigate("about:blank")); err != nil {
		t.Fatalf("start the browser (Debian: apt-get install -y --no-install-recommends chromium): %v", err)
	}
	return browser
}

// tab is one page with storage of its own. Any message on its console that was
// not expected fails the test.
type tab struct {
	t        *testing.T
	ctx      context.Context
	site     *site
	expected atomic.Pointer[string] // part of a console message that may come
}

func newTab(t *testing.T, browser context.Context, s *site) *tab {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, site: s}
	messages := chromedp.Console(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for m := range messages {
			if expected := b.expected.Load(); expected != nil && strings.Contains(m.Text, *expected) {
				continue
			}
			if m.Text != "" || m.Exception != nil {
				t.Errorf("console: %s %v", m.Text, m.Exception)
			}
		}
	}()
	t.Cleanup(func() {
		closeTab()
		<-done
	})
	return b
}

func (b *tab) open(path string) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Navigate(b.site.url+path)); err != nil {
		b.t.Fatalf("open %s: %v", path, err)
	}
}

func (b *tab) do(js string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[chromedp.Void]("{"+js+"}; void 0")); err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
}

func (b *tab) text(js string) string {
	b.t.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](js))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return text
}

func (b *tab) press(keys string, modifiers ...chromedp.KeyOption) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.KeyEvent(keys, modifiers...)); err != nil {
		b.t.Fatalf("press %s: %v", keys, err)
	}
}

func (b *tab) typeInto(selector, text string) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.SendKeys(chromedp.CSS(selector), text)); err != nil {
		b.t.Fatalf("type into %s: %v", selector, err)
	}
}

// waits until js is true, over navigations, for five seconds at most.
func (b *tab) waits(js string) {
	b.t.Helper()
	var err error
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); {
		_, err = chromedp.Run(b.ctx, chromedp.Poll[bool](js,
			chromedp.WithPollingInterval(10*time.Millisecond), chromedp.WithPollingTimeout(5*time.Second)))
		if err == nil {
			return
		}
	}
	page, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.body.outerHTML")) // only to tell
	b.t.Fatalf("never true: %s (%v), on\n%s", js, err, page)
}
