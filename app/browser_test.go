package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// browser is one Chromium for all tests that need one.
type browser struct{ ctx context.Context }

func openBrowser(t *testing.T) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-gpu", true),
		chromedp.UserDataDir(t.TempDir()))
	alloc, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(func() {
		cancel()
		stop()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("no Chromium could be started: %v; \"apt-get install chromium\" brings it", err)
	}
	return &browser{ctx}
}

// tab is one page of one person, and all the console said.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string

	at string // the path opened last

	mu      sync.Mutex
	console []string
	allowed []string // what the console may say
}

// person opens a tab with cookies of its own.
func (b *browser) person(t *testing.T, base string) *tab {
	t.Helper()
	return newTab(t, b.ctx, base, chromedp.WithNewBrowserContext())
}

// beside opens another tab of the same person.
func (x *tab) beside() *tab {
	x.t.Helper()
	return newTab(x.t, x.ctx, x.base)
}

func newTab(t *testing.T, parent context.Context, base string, options ...chromedp.ContextOption) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, options...)
	x := &tab{t: t, ctx: ctx, base: base}
	// The tab lives as long as the context of the first action: not a timed one.
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	x.look(1280, false)
	messages := chromedp.Console(ctx)
	var listening sync.WaitGroup
	listening.Go(func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == "error" || m.Type == "warning" || m.Type == chromedp.ConsoleException {
				x.mu.Lock()
				x.console = append(x.console, string(m.Type)+": "+m.Text)
				x.mu.Unlock()
			}
		}
	})
	t.Cleanup(func() {
		x.quiet()
		cancel()
		listening.Wait()
	})
	return x
}

// allow lets the console say something that holds this text: a refusal shows
// there as a resource that failed to load.
func (x *tab) allow(text string) { x.allowed = append(x.allowed, text) }

// quiet fails the test for anything the console said that was not allowed.
func (x *tab) quiet() {
	x.t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, line := range x.console {
		fine := false
		for _, a := range x.allowed {
			fine = fine || strings.Contains(line, a)
		}
		if !fine {
			x.t.Errorf("%s: the console says: %s", x.at, line)
		}
	}
	x.console = nil
}

func (x *tab) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, 20*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		x.shot("failed")
		x.t.Fatalf("%s: %v", what, err)
	}
}

// open goes to a path of the site, or a whole address.
func (x *tab) open(path string) {
	x.t.Helper()
	x.at = path
	if !strings.HasPrefix(path, "http") {
		path = x.base + path
	}
	x.do("open "+path, chromedp.Navigate(path))
}

// fill puts text in place of what a field holds.
func (x *tab) fill(selector, text string) {
	x.t.Helper()
	x.eval(fmt.Sprintf(`{const e = document.querySelector(%q); e.value = ""; e.focus()}`, selector))
	x.do("type into "+selector, chromedp.SendKeys(chromedp.CSS(selector), text))
}

// put replaces what a field holds in one stroke: for texts too long to type.
func (x *tab) put(selector, text string) {
	x.t.Helper()
	x.eval(fmt.Sprintf(`{const e = document.querySelector(%q); e.focus(); e.value = %q; e.dispatchEvent(new Event("input", { bubbles: true }))}`, selector, text))
}

func (x *tab) click(selector string) {
	x.t.Helper()
	x.do("click "+selector, chromedp.Click(chromedp.CSS(selector)))
}

// press sends the form a selector is in, and waits for the page it leads to.
func (x *tab) press(selector string) {
	x.t.Helper()
	x.eval(`window.before = true`)
	x.click(selector)
	x.until("a new page after "+selector, `window.before === undefined && document.readyState === "complete"`)
}

func (x *tab) eval(js string) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, 20*time.Second)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](js+";undefined")); err != nil {
		x.t.Fatalf("evaluate %s: %v", js, err)
	}
}

// ask evaluates an expression that gives text.
func (x *tab) ask(js string) string {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, 20*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`String(`+js+`)`))
	if err != nil {
		x.t.Fatalf("ask %s: %v", js, err)
	}
	return text
}

// text is all a person can read of the page.
func (x *tab) text() string {
	x.t.Helper()
	return x.ask(`document.body.innerText`)
}

// until waits for an expression to hold; pages that are on their way count as
// not yet.
func (x *tab) until(what, js string) {
	x.t.Helper()
	x.within(30*time.Second, what, js)
}

func (x *tab) within(limit time.Duration, what, js string) {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, limit)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		holds, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`Boolean(`+js+`)`))
		if err == nil && holds {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			x.shot("failed")
			x.t.Fatalf("waited %s for %s; the page reads:\n%s", limit, what, x.text())
		}
	}
}

// reads waits until the page holds a text.
func (x *tab) reads(text string) {
	x.t.Helper()
	x.until(fmt.Sprintf("%q on the page", text), fmt.Sprintf(`document.body && document.body.innerText.includes(%q)`, text))
}

// look sets how wide the window is and whether it is dark.
func (x *tab) look(width int, dark bool) {
	x.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	x.do("set the window", chromedp.EmulateViewport(int64(width), 900),
		func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
			})
			return chromedp.Void{}, err
		})
}

// shot keeps a picture where CREWLET_TEST_SHOTS names a directory.
func (x *tab) shot(name string) {
	dir := os.Getenv("CREWLET_TEST_SHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(x.ctx, 10*time.Second)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		x.t.Logf("no picture of %s: %v", name, err)
		return
	}
	name = strings.ReplaceAll(strings.Trim(x.t.Name()+"-"+name, "/"), "/", "-")
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		x.t.Log(err)
	}
}

// accessible runs axe over the page.
func (x *tab) accessible() {
	x.t.Helper()
	axe, err := os.ReadFile("../node_modules/axe-core/axe.min.js")
	if err != nil {
		x.t.Fatalf("%v; \"npm ci\" brings it", err)
	}
	x.eval(string(axe))
	// Colours on their way from one theme to another are nobody's.
	x.until("colours have come to rest", `!document.getAnimations().some((a) => a instanceof CSSTransition)`)
	ctx, cancel := context.WithTimeout(x.ctx, 30*time.Second)
	defer cancel()
	report, err := chromedp.Run(ctx, chromedp.Evaluate[string](
		`axe.run(document,{resultTypes:["violations"]}).then(r=>JSON.stringify(r.violations.map(v=>({id:v.id,help:v.help,nodes:v.nodes.map(n=>n.html+" "+n.failureSummary)}))))`,
		chromedp.EvalAwaitPromise))
	if err != nil {
		x.t.Fatalf("axe: %v", err)
	}
	var found []struct {
		ID, Help string
		Nodes    []string
	}
	if err := json.Unmarshal([]byte(report), &found); err != nil {
		x.t.Fatal(err)
	}
	for _, v := range found {
		x.t.Errorf("%s: axe: %s: %s\n%s", x.at, v.ID, v.Help, strings.Join(v.Nodes, "\n"))
	}
}
