package servers

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"crewlet/handlers/signin/signintest"
)

const (
	page = "/settings/tools"
	form = "/settings/tools/new"
)

var partial = []string{"HX-Request", "true", "HX-Request-Type", "partial"}

func filled(name string, tools ...string) url.Values {
	return url.Values{"name": {name}, "command": {os.Args[0]}, "args": {"tools " + strings.Join(tools, " ")}}
}

func status(t *testing.T, p *signintest.Page, want int) *signintest.Page {
	t.Helper()
	if p.Status != want {
		t.Fatalf("answered %d, want %d: %s", p.Status, want, p.Text())
	}
	return p
}

func TestTheEmptyPageInvites(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	empty := status(t, w.Get(page), 200)
	if text := empty.Text(); !strings.Contains(text, "No servers yet") {
		t.Errorf("empty, it reads %s", text)
	}
	example := empty.Find(func(n *html.Node) bool { return strings.HasPrefix(signintest.Attr(n, "href"), form+"?") })
	if example == nil || w.Get(signintest.Attr(example, "href")).Value("command") != "npx" {
		t.Error("the example does not fill in the form")
	}

}

func TestAServerGoesInByFormAndItsToolsComeOut(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	drawn := status(t, w.Get(form), 200)
	if text := drawn.Text(); !strings.Contains(text, "config:write is a shell on every host") {
		t.Errorf("the form does not say what it gives: %s", text)
	}
	done := status(t, drawn.Send(form, filled("tiny", "look", "wipe")), http.StatusSeeOther)
	if text := w.Get(done.Header.Get("Location")).Text(); !strings.Contains(text, "The server tiny is saved.") {
		t.Errorf("afterwards: %s", text)
	}
	status(t, drawn.Send(form, filled("tiny", "look", "wipe")), http.StatusSeeOther) // a double press

	whole := eventually(t, func() *signintest.Page { return w.Get(page) }, func(p *signintest.Page) bool {
		return strings.Contains(p.ByID("server-tiny"), "Running") && p.ByID("tool-wipe") != ""
	})
	for id, want := range map[string]string{"tool-wipe": "Destructive", "tool-look": "Read-only", "tool-list_secrets": "Read-only", "server-tiny": "Shared"} {
		if text := whole.ByID(id); !strings.Contains(text, want) {
			t.Errorf("%s reads %q, want %q in it", id, text, want)
		}
	}
	if text := whole.ByID("tool-wipe"); !strings.Contains(text, "It does wipe.") || strings.Contains(whole.Body, "properties") {
		t.Errorf("the tool's row reads %q, and no schema belongs on the page", text)
	}
	if region := whole.Find(func(n *html.Node) bool { return signintest.Attr(n, "id") == "servers" }); region == nil || signintest.Attr(region, "data-as-of") == "0" {
		t.Error("the servers are no live region")
	}
}

func TestTheCatalogueIsNarrowed(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	status(t, w.Get(form).Send(form, filled("tiny", "look", "wipe")), http.StatusSeeOther)
	eventually(t, func() *signintest.Page { return w.Get(page) }, func(p *signintest.Page) bool { return p.ByID("tool-wipe") != "" })
	for name, c := range map[string]struct {
		query string
		want  string
		count string
	}{
		"text":              {"?text=WIP", "wipe", "1 of 3 tools"},
		"hint":              {"?hint=read-only&source=mcp%3Atiny", "look", "1 of 3 tools"},
		"source":            {"?source=builtin", "list_secrets", "1 of 3 tools"},
		"nothing fits":      {"?text=nonsense", "", "0 of 3 tools"},
		"everything":        {"", "look wipe list_secrets", "3 tools"},
		"blanks do nothing": {"?text=+", "look wipe list_secrets", "3 tools"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, p := range []*signintest.Page{
				status(t, w.Get(page+c.query), 200),
				status(t, w.Get(page+join(c.query, "part=catalogue"), partial...), 200),
				status(t, w.Get(page+join(c.query, "part=filter"), partial...), 200),
			} {
				for _, tool := range []string{"look", "wipe", "list_secrets"} {
					if here := p.ByID("tool-"+tool) != ""; here != strings.Contains(" "+c.want+" ", " "+tool+" ") {
						t.Errorf("%s is there: %v", tool, here)
					}
				}
				if got := p.ByID("catalogue-count"); got != c.count {
					t.Errorf("it counts %q, want %q", got, c.count)
				}
			}
		})
	}
	if p := w.Get(page+"?part=filter&text=wipe&hint=", partial...); p.Header.Get("HX-Replace-Url") != page+"?text=wipe" {
		t.Errorf("the address becomes %q", p.Header.Get("HX-Replace-Url"))
	}
	if p := w.Get(page + "?part=servers"); p.ByID("server-tiny") == "" || p.ByID("main") == "" {
		t.Error("a part was answered to somebody who asked for a page")
	}
	status(t, w.Get(page+"?hint=nice"), http.StatusUnprocessableEntity)
}

func join(query, more string) string {
	if query == "" {
		return "?" + more
	}
	return query + "&" + more
}

func TestARefusedFormComesBackAsTyped(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	status(t, w.Get(form).Send(form, filled("taken", "look")), http.StatusSeeOther)
	for name, c := range map[string]struct {
		fill  url.Values
		field string
		says  string
		code  int
	}{
		"no name":                  {url.Values{"command": {"npx"}}, "name", "needed", 422},
		"a bad name":               {url.Values{"name": {"Bad Name"}, "command": {"npx"}}, "name", "", 422},
		"a long name":              {url.Values{"name": {strings.Repeat("x", 41)}, "command": {"npx"}}, "name", "40", 422},
		"a taken name":             {filled("taken", "look"), "name", "already", 412},
		"no command":               {url.Values{"name": {"a"}}, "command", "needs a command", 422},
		"an open quote":            {url.Values{"name": {"a"}, "command": {"npx"}, "args": {`"x`}}, "args", "quote", 422},
		"a bad line":               {url.Values{"name": {"a"}, "command": {"npx"}, "env": {"hello"}}, "env", "Line 1", 422},
		"a default":                {url.Values{"name": {"a"}, "command": {"npx"}, "env": {"A=${B:-c}"}}, "env", "optional_keys", 422},
		"another key":              {url.Values{"name": {"a"}, "command": {"npx"}, "more": {"timeout: soon"}}, "more", "timeout: is no duration", 422},
		"NUL":                      {url.Values{"name": {"a"}, "command": {"np\x00x"}}, "command", "", 422},
		"a credential":             {url.Values{"name": {"a"}, "command": {"npx"}, "env": {"API_TOKEN=0123456789"}}, "env", "${API_TOKEN}", 422},
		"in a header":              {url.Values{"name": {"a"}, "reach": {"http"}, "url": {"https://a.example/mcp"}, "headers": {"X-Api-Key: 0123"}}, "headers", "${X_API_KEY}", 422},
		"in arguments":             {url.Values{"name": {"a"}, "command": {"npx"}, "args": {"hub --token 0123456789"}}, "args", "Args[2]", 422},
		"a password in an address": {url.Values{"name": {"a"}, "reach": {"http"}, "url": {"https://me:0123@a.example/mcp"}}, "url", "before the @", 422},
		"in an address":            {url.Values{"name": {"a"}, "reach": {"http"}, "url": {"https://a.example/mcp?token=0123"}}, "url", "${TOKEN}", 422},
	} {
		t.Run(name, func(t *testing.T) {
			c.fill.Set("summary", "Because & why")
			p := status(t, w.Get(form).Send(form, c.fill), c.code)
			if says := p.ByID("f-" + c.field + "-error"); says == "" || !strings.Contains(says, c.says) {
				t.Errorf("beside %s stands %q, want %q in it; the page reads %s", c.field, says, c.says, p.Text())
			}
			if p.Value("name") != c.fill.Get("name") || p.Value("summary") != "Because & why" || strings.TrimSpace(p.ByID("f-env")) != c.fill.Get("env") {
				t.Error("what was typed is gone")
			}
		})
	}
	ask := w.Get(form).Send(form, url.Values{"name": {"a"}, "command": {"npx"}, "env": {"API_TOKEN=0123456789"}})
	fill := filled("plain", "look")
	fill.Set("env", "API_TOKEN=0123456789")
	fill.Set("plain", "true")
	status(t, ask.Send(form, fill), http.StatusSeeOther)
}

func TestWhoMayAdd(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	drawn := w.Get(form)
	stranger := b.Browser()
	for _, p := range []*signintest.Page{stranger.Get(page), stranger.Get(form)} {
		if p.Status != http.StatusSeeOther || !strings.HasPrefix(p.Header.Get("Location"), "/sign-in") {
			t.Errorf("a stranger is answered %d", p.Status)
		}
	}
	if drawn.ByID("make-secret") == "" || !strings.Contains(drawn.Body, "data-complete-make") {
		t.Error("nothing makes a secret in the form")
	}
	b.Write(`UPDATE people SET grants = ARRAY['config:read', 'config:write']`)
	if p := status(t, w.Get(form), 200); p.ByID("make-secret") != "" || strings.Contains(p.Body, "data-complete-make") {
		t.Error("making a secret is offered to whoever may not")
	}
	b.Write(`UPDATE people SET grants = ARRAY['state:read']`)
	p := status(t, w.Get(page), 200)
	if strings.Contains(p.Text(), "Add a server") {
		t.Error("a reader is offered the form")
	}
	status(t, w.Get(form), http.StatusForbidden)
	status(t, drawn.Send(form, filled("tiny", "look")), http.StatusForbidden)
	status(t, w.Get("/mcp-servers"), http.StatusForbidden)
}

func TestAddressesForPrograms(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	fill := filled("tiny", "look")
	fill.Set("env", "PLAIN=canary-value")
	status(t, w.Get(form).Send(form, fill), http.StatusSeeOther)
	p := eventually(t, func() *signintest.Page { return w.Get("/mcp-servers") }, func(p *signintest.Page) bool {
		return strings.Contains(p.Body, `"state":"Running"`)
	})
	var list struct {
		Servers []map[string]any `json:"servers"`
		Nodes   int              `json:"nodes"`
	}
	if err := json.Unmarshal([]byte(p.Body), &list); err != nil || list.Nodes != 1 || len(list.Servers) != 1 {
		t.Fatalf("%v: %s", err, p.Body)
	}
	for _, key := range []string{"name", "state", "shared", "transport", "command", "args", "started", "failed", "waiting", "tools", "unlisted_annotations", "nodes"} {
		if _, there := list.Servers[0][key]; !there {
			t.Errorf("no %s in %s", key, p.Body)
		}
	}
	if strings.Contains(p.Body, "canary-value") {
		t.Error("the environment is answered")
	}
	tools := status(t, w.Get("/tools"), 200)
	if !strings.Contains(tools.Body, `"name":"look"`) || !strings.Contains(tools.Body, `"source":"mcp:tiny"`) || !strings.Contains(tools.Body, `"readOnlyHint":true`) {
		t.Errorf("tools %s", tools.Body)
	}
	status(t, b.Browser().Get("/tools"), http.StatusUnauthorized)
}
