package servers

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"crewlet/engine/refusal"
	"crewlet/engine/servers"
	"crewlet/handlers/signin/signintest"

	view "crewlet/views/servers"
)

const toolAt = page + "/tool/"

func TestAToolsPage(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	running(t, w, "tiny", "look", "wipe")
	p := status(t, w.Get(toolAt+"look"), 200)
	for id, want := range map[string]string{
		"input-schema": `"text"`, "hints": "as its server says", "facts": "tiny", "calls": "Nobody has called it yet.", "try": "Call it",
	} {
		if text := p.ByID(id); !strings.Contains(text, want) {
			t.Errorf("%s reads %q, want %q in it", id, text, want)
		}
	}
	if part := status(t, w.Get(toolAt+"look?part=tool", partial...), 200); part.ByID("hints") == "" || part.ByID("try") != "" {
		t.Error("the part is not the part")
	}
	builtin := status(t, w.Get(toolAt+"list_secrets"), 200)
	if builtin.ByID("try-form") != "" {
		t.Error("a builtin is tried here")
	}
	status(t, w.Get(toolAt+"nonsense"), http.StatusNotFound)
}

func TestTryingATool(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	running(t, w, "tiny", "look", "show", "fail", "wipe")
	call := func(name string, fill url.Values) *signintest.Page {
		t.Helper()
		return w.Get(toolAt+name).Send(toolAt+name, fill)
	}
	said := url.Values{"_arg:text": {"hello"}}

	missing := status(t, call("look", nil), http.StatusUnprocessableEntity)
	if missing.ByID("f-_arg-text-error") == "" {
		t.Errorf("without its argument it reads %s", missing.Text())
	}
	if both := status(t, call("wipe", nil), http.StatusUnprocessableEntity); both.ByID("f-_arg-text-error") == "" || both.ByID("f-sure-error") == "" {
		t.Errorf("without either it reads %s", both.Text())
	}
	asked := status(t, call("wipe", said), http.StatusUnprocessableEntity)
	if asked.ByID("f-sure-error") == "" || area(asked, "_arg-text") != "hello" {
		t.Errorf("a destructive one is answered with %s", asked.Text())
	}
	done := status(t, call("wipe", with(said, "sure", "true")), 200)
	if text := done.ByID("result"); !strings.Contains(text, "wipe says hello") {
		t.Errorf("it came to %q", text)
	}
	if text := done.ByID("figures"); !strings.Contains(text, "Calls 1") {
		t.Errorf("its figures are %q", text)
	}
	failed := status(t, call("fail", with(said, "sure", "true")), 200)
	if text := failed.ByID("result"); !strings.Contains(text, "answered that it failed") || !strings.Contains(text, "hello is not for me") {
		t.Errorf("its own failure reads %q", text)
	}
	shown := status(t, call("show", with(said, "sure", "true")), 200)
	if shown.Find(func(n *html.Node) bool {
		return n.Data == "img" && strings.HasPrefix(signintest.Attr(n, "src"), "data:image/png;base64,")
	}) == nil {
		t.Error("the image is not drawn")
	}
	if shown.Find(func(n *html.Node) bool {
		return signintest.Attr(n, "download") == "note.bin" && strings.HasPrefix(signintest.Attr(n, "href"), "data:application/octet-stream;base64,")
	}) == nil {
		t.Error("the resource is not offered as a download")
	}
}

func TestAToolOfAServerThatIsDown(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	drawn := running(t, w, "tiny", "look")
	look := w.Get(toolAt + "look")
	status(t, drawn.Send(of("tiny", "switch"), nil), http.StatusSeeOther)
	p := look.Send(toolAt+"look", url.Values{"_arg:text": {"hello"}})
	if p.Status < 400 {
		t.Errorf("it answers %d: %s", p.Status, p.Text())
	}
}

func TestAToolOfEachSeatAsksWhose(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	running(t, w, "tiny", "look")
	each := edited("look")
	each.Set("seats", "each")
	status(t, w.Get(of("tiny", "edit")).Send(of("tiny", "edit"), each), http.StatusSeeOther)
	p := eventually(t, func() *signintest.Page { return w.Get(toolAt + "look") }, func(p *signintest.Page) bool {
		return strings.Contains(p.Text(), "No seat runs it yet")
	})
	fill := url.Values{"_arg:text": {"hello"}, "sure": {"true"}}
	asked := status(t, p.Send(toolAt+"look", fill), http.StatusUnprocessableEntity)
	if asked.ByID("f-seat-error") == "" {
		t.Errorf("without a seat it reads %s", asked.Text())
	}
	fill.Set("seat", "ana")
	if told := p.Send(toolAt+"look", fill); told.Status != http.StatusConflict || !strings.Contains(told.Text(), "tiny does not run") || told.Value("seat") != "ana" {
		t.Errorf("with one it answers %d: %s", told.Status, told.Text())
	}
}

func TestArgumentsFromASchema(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","required":["s","n"],"properties":{
		"s":{"type":"string","description":"Some text","default":"x"},
		"n":{"type":"integer"},"f":{"type":["number","null"]},"b":{"type":"boolean","default":true},
		"e":{"enum":["a",2,null]},"l":{"type":"array","items":{"type":"number"},"default":[1,2]},
		"o":{"type":"object"},"m":{"anyOf":[{"type":"string"},{"type":"null"}]},"c":{"const":"fixed"}}}`
	var got []string
	for _, f := range fieldsOf(json.RawMessage(schema)) {
		got = append(got, strings.Join([]string{f.Name, f.Kind, f.Value}, " "))
	}
	want := "s text x,n integer ,f number ,b boolean true,e choice ,l list 1\n2,o json ,m text ,c choice "
	if strings.Join(got, ",") != want {
		t.Errorf("the fields are %q, want %q", strings.Join(got, ","), want)
	}
	for name, c := range map[string]struct {
		sent  url.Values
		want  string
		field string
	}{
		"the least":       {sent: url.Values{"_arg:s": {"a\r\nb"}, "_arg:n": {" 3 "}}, want: `{"s":"a\nb","n":3}`},
		"all of it":       {sent: url.Values{"_arg:s": {"a"}, "_arg:n": {"1e2"}, "_arg:f": {"0.5"}, "_arg:b": {"false"}, "_arg:e": {"2"}, "_arg:l": {"1\n2.5\n"}, "_arg:o": {`{"x": 1}`}, "_arg:m": {"m"}}, want: `{"s":"a","n":1e2,"f":0.5,"b":false,"e":2,"l":[1,2.5],"o":{"x": 1},"m":"m"}`},
		"nothing":         {sent: url.Values{"_arg:n": {"1"}}, field: "_arg:s"},
		"no number":       {sent: url.Values{"_arg:s": {"a"}, "_arg:n": {"1.5"}}, field: "_arg:n"},
		"no number there": {sent: url.Values{"_arg:s": {"a"}, "_arg:n": {"1"}, "_arg:l": {"1\nx"}}, field: "_arg:l"},
		"no choice":       {sent: url.Values{"_arg:s": {"a"}, "_arg:n": {"1"}, "_arg:e": {`"z"`}}, field: "_arg:e"},
		"no JSON":         {sent: url.Values{"_arg:s": {"a"}, "_arg:n": {"1"}, "_arg:o": {"{"}}, field: "_arg:o"},
		"NaN":             {sent: url.Values{"_arg:s": {"a"}, "_arg:n": {"1"}, "_arg:f": {"NaN"}}, field: "_arg:f"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := argumentsOf(typedArguments(fieldsOf(json.RawMessage(schema)), c.sent))
			if says := told(err)[c.field]; c.field != "" && says == "" || c.field == "" && string(out) != c.want {
				t.Errorf("got %s %v", out, err)
			}
		})
	}
	for _, odd := range []string{"", "true", "[]", `{"$ref":"#/x"}`, `{"oneOf":[]}`, `{"properties":3}`} {
		if f := fieldsOf(json.RawMessage(odd)); len(f) != 1 || f[0].Kind != view.ArgumentJSON {
			t.Errorf("%q becomes %v", odd, f)
		}
	}
}

// told is what stands beside the fields.
func told(err error) map[string]string {
	if no := refusal.Of(err); no != nil {
		return no.Fields
	}
	return nil
}

func TestResultsAreDrawnSafely(t *testing.T) {
	t.Parallel()
	res := result(servers.Called{Content: []servers.Block{
		{Type: "image", MIME: "text/html", Data: "PGI+"},
		{Type: "audio", MIME: "audio/wav", Data: "!!"},
		{Type: "resource", URI: "file:///a/b/page.html", MIME: "text/html", Data: "PGI+"},
	}})
	for i, b := range res.Blocks {
		if b.Image != "" || b.Download != "" && !strings.HasPrefix(b.Download, "data:application/octet-stream;") {
			t.Errorf("block %d is %+v", i, b)
		}
	}
	if res.Blocks[1].Text == "" || res.Blocks[2].File != "page.html" {
		t.Errorf("got %+v", res.Blocks)
	}
}

func TestThePaletteFindsServersAndTools(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	running(t, w, "tiny", "look")
	body := status(t, w.Get("/palette"), 200).Body
	for _, want := range []string{`href="` + of("tiny", "") + `"`, `href="` + toolAt + `look"`, `href="` + toolAt + `list_secrets"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	status(t, b.Browser().Get("/palette"), http.StatusUnauthorized)
}
