package servers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"crewlet/engine/servers"
	"crewlet/handlers/signin/signintest"
)

// turned reads other than it is, and would colour a terminal.
const turned = "cod.\u202eexe\x1b[31m"

// What a server says when it fails is shown with nothing in it that cannot be
// seen, as what it says of its tools is.
func TestAFailingServersWordsAreSeen(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	tried := status(t, trial(w, filled("tiny", "grumble")), 200)
	status(t, w.Get(form).Send(form, filled("tiny", "grumble")), http.StatusSeeOther)
	own := eventually(t, func() *signintest.Page { return w.Get(of("tiny", "")) }, func(p *signintest.Page) bool {
		return strings.Contains(p.Text(), "grumble: ")
	})
	for name, p := range map[string]*signintest.Page{"the trial": tried, "its page": own} {
		if strings.ContainsAny(p.Body, "\u202e\x1b") || !strings.Contains(p.Text(), "cod.⟨U+202E⟩exe⟨U+001B⟩") {
			t.Errorf("%s reads %q", name, p.Text())
		}
	}
}

func TestAResultsWordsAreSeen(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	running(t, w, "tiny", "fail")
	p := status(t, w.Get(toolAt+"fail").Send(toolAt+"fail", url.Values{"_arg:text": {"cod.\u202eexe"}, "sure": {"true"}}), 200)
	if text := p.ByID("result"); !strings.Contains(text, "cod.⟨U+202E⟩exe is not for me") {
		t.Errorf("it reads %q", text)
	}
}

// Each place of a page that holds words of a server's.
func TestEveryWordOfAServersIsSeen(t *testing.T) {
	t.Parallel()
	kept := turned
	for name, drawn := range map[string]any{
		"a row":           serverRow(servers.Server{Reason: turned, LeftOut: []string{turned}}, time.Time{}),
		"an instance":     instance(servers.Instance{Error: turned, StderrTail: []string{turned}, SkippedLines: []string{turned}}, time.Time{}),
		"a trial":         outcome(servers.Tried{Says: turned, StderrTail: []string{turned}, Tools: []servers.ToolBrief{{Title: turned, Invalid: turned}}}, entry{}),
		"a result":        result(servers.Called{Content: []servers.Block{{Type: "resource", Text: turned, URI: turned, MIME: turned, Name: turned, Data: "AA=="}}}),
		"structured":      result(servers.Called{Structured: json.RawMessage(`{"a":"` + "\u202e" + `"}`)}),
		"what was kept":   readable(&kept),
		"beside a field":  fieldsBeside(nil, map[string]string{"arguments": turned}),
		"a tool withheld": toolRow(&servers.Tool{Withheld: turned}),
	} {
		if text := fmt.Sprintf("%+v", drawn); strings.ContainsAny(text, "\u202e\x1b") || !strings.Contains(text, "⟨U+202E⟩") {
			t.Errorf("%s is %q", name, text)
		}
	}
}

// A result is never cut, and what a server says twice is drawn once.
func TestAResultIsDrawnWholeAndOnce(t *testing.T) {
	t.Parallel()
	long := json.RawMessage(`{"a": "` + strings.Repeat("x", 2*shown) + `"}`)
	if res := result(servers.Called{Structured: long, Content: []servers.Block{{Type: "text", Text: "Done."}}}); len(res.Structured) < len(long) || len(res.Blocks) != 1 {
		t.Errorf("of %d bytes %d are drawn, beside %d blocks", len(long), len(res.Structured), len(res.Blocks))
	}
	twice := servers.Called{Structured: json.RawMessage(`{"a": [1, 2]}`), Content: []servers.Block{{Type: "text", Text: `{"a":[1,2]}`}}}
	if res := result(twice); len(res.Blocks) != 0 || res.Structured == "" {
		t.Errorf("said twice, it is drawn as %+v", res)
	}
}
