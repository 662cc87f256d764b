package servers

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"crewlet/handlers/signin/signintest"
)

func of(name, what string) string {
	if what != "" {
		what = "/" + what
	}
	return page + "/servers/" + name + what
}

// edited is what the edit form sends when nothing is typed.
func edited(tools ...string) url.Values {
	f := filled("", tools...)
	f.Del("name")
	return f
}

// running adds a server and waits for it.
func running(t *testing.T, w *signintest.Browser, name string, tools ...string) *signintest.Page {
	t.Helper()
	status(t, w.Get(form).Send(form, filled(name, tools...)), http.StatusSeeOther)
	return eventually(t, func() *signintest.Page { return w.Get(of(name, "")) }, func(p *signintest.Page) bool {
		return strings.HasPrefix(p.ByID("server-state"), "Running") && p.ByID("tool-"+tools[len(tools)-1]) != ""
	})
}

func TestAServersOwnPage(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	fill := filled("tiny", "look", "wipe")
	fill.Set("env", "PLAIN=canary-value\nTOKEN=${TOKEN}")
	fill.Set("optional", "TOKEN")
	fill.Set("exclude", "wipe")
	status(t, w.Get(form).Send(form, fill), http.StatusSeeOther)
	p := eventually(t, func() *signintest.Page { return w.Get(of("tiny", "")) }, func(p *signintest.Page) bool {
		return strings.HasPrefix(p.ByID("server-state"), "Running") && p.ByID("not-offered") != ""
	})
	for id, want := range map[string]string{
		"launch": "${TOKEN}", "not-offered": "wipe", "history": "revision 2", "tool-look": "Read-only", "calls": "None of its tools",
	} {
		if text := p.ByID(id); !strings.Contains(text, want) {
			t.Errorf("%s reads %q, want %q in it", id, text, want)
		}
	}
	if text := p.ByID("launch"); !strings.Contains(text, "· just now") {
		t.Errorf("it is declared %q", text)
	}
	if strings.Contains(p.Body, "canary-value") || !strings.Contains(p.ByID("launch"), "set, not shown") {
		t.Error("a value is shown")
	}
	part := status(t, w.Get(of("tiny", "")+"?part=server", partial...), 200)
	if part.ByID("server-state") == "" || part.ByID("main") != "" {
		t.Error("the part is not the part")
	}
	live := p.Find(func(n *html.Node) bool { return signintest.Attr(n, "id") == "server" })
	status(t, w.Get(signintest.Attr(live, "hx-get"), partial...), 200)
	rename := url.Values{"to": {"small"}}
	status(t, w.Get(of("tiny", "rename")).Send(of("tiny", "rename"), rename), http.StatusSeeOther)
	moved := status(t, w.Get(signintest.Attr(live, "hx-get"), partial...), http.StatusNoContent)
	if to := moved.Header.Get("HX-Redirect"); !strings.HasPrefix(to, of("small", "")+"?") {
		t.Errorf("renamed, its page is led to %q", to)
	}
	other := status(t, w.Get(of("small", "")+"?part=server&id=0190f3a2-7c4e-7d5a-9b1e-3f0c2a1d4e5f", partial...), 200)
	if !strings.Contains(other.Text(), "small is gone") {
		t.Errorf("of another server under the name it says %s", other.Text())
	}
	status(t, w.Get(of("nobody", "")), http.StatusNotFound)
	b.Write(`UPDATE people SET grants = ARRAY['state:read']`)
	status(t, w.Get(of("small", "")), http.StatusForbidden)
}

func TestWhatIsDoneToAServer(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	p := running(t, w, "tiny", "look")

	checked := status(t, p.Send(of("tiny", "check"), nil), 200)
	if !strings.Contains(checked.Text(), "1 tool") {
		t.Errorf("checked, it reads %s", checked.Text())
	}
	done := status(t, w.Get(of("tiny", "")).Send(of("tiny", "restart"), nil), http.StatusSeeOther)
	if text := w.Get(done.Header.Get("Location")).Text(); !strings.Contains(text, "Every node starts it anew.") {
		t.Errorf("restarted, it reads %s", text)
	}

	status(t, w.Get(of("tiny", "")).Send(of("tiny", "switch"), nil), http.StatusSeeOther)
	off := eventually(t, func() *signintest.Page { return w.Get(of("tiny", "")) }, func(p *signintest.Page) bool {
		return strings.HasPrefix(p.ByID("server-state"), "Disabled")
	})
	if strings.Contains(off.Text(), "Restart now") {
		t.Error("what is switched off can be restarted")
	}
	status(t, off.Send(of("tiny", "switch"), nil), http.StatusSeeOther)
	eventually(t, func() *signintest.Page { return w.Get(of("tiny", "")) }, func(p *signintest.Page) bool {
		return strings.HasPrefix(p.ByID("server-state"), "Running")
	})

	drawn := status(t, w.Get(of("tiny", "rename")), 200)
	refused := status(t, drawn.Send(of("tiny", "rename"), url.Values{"to": {"Bad Name"}}), http.StatusUnprocessableEntity)
	if refused.ByID("f-to-error") == "" || refused.Value("to") != "Bad Name" {
		t.Errorf("a bad name is answered with %s", refused.Text())
	}
	done = status(t, drawn.Send(of("tiny", "rename"), url.Values{"to": {"small"}}), http.StatusSeeOther)
	if text := w.Get(done.Header.Get("Location")).Text(); !strings.Contains(text, "It is called small now") {
		t.Errorf("renamed, it reads %s", text)
	}
	// Until its node has heard of the new name, the old one leads there as well.
	eventually(t, func() *signintest.Page { return w.Get(of("tiny", "")) }, func(p *signintest.Page) bool {
		return p.Status == http.StatusNotFound
	})

	done = status(t, w.Get(of("small", "")).Send(of("small", "remove"), nil), http.StatusSeeOther)
	if text := w.Get(done.Header.Get("Location")).Text(); !strings.Contains(text, "The server is removed.") {
		t.Errorf("removed, it reads %s", text)
	}
	gone(t, w, "small")
}

// gone waits until a server that was removed has stopped.
func gone(t *testing.T, w *signintest.Browser, name string) {
	t.Helper()
	eventually(t, func() *signintest.Page { return w.Get(of(name, "")) }, func(p *signintest.Page) bool {
		if p.Status == 200 && strings.Contains(p.Text(), "Restart now") {
			t.Error("what is declared no more can be restarted")
		}
		return p.Status == http.StatusNotFound
	})
}

func TestRemovingListsWhatNamesIt(t *testing.T) {
	t.Parallel()
	b := opened(t, "name: Acme\nroles:\n  - {name: Helper, handle: helper, tools: [{server: tiny, tools: \"*\"}]}\nmcp_servers:\n  - {name: tiny, command: no-such-program}\n")
	w := b.Administrator()
	asked := status(t, w.Get(of("tiny", "")).Send(of("tiny", "remove"), nil), http.StatusConflict)
	if text := asked.ByID("references"); !strings.Contains(text, "roles[0].tools[0]") {
		t.Fatalf("it lists %q: %s", text, asked.Text())
	}
	if text := asked.Text(); strings.Contains(text, "with_references") || !strings.Contains(text, "tiny is still named elsewhere") {
		t.Errorf("it reads %s", text)
	}
	status(t, asked.Send(of("tiny", "remove"), nil), http.StatusSeeOther)
	gone(t, w, "tiny")
}

func TestEditing(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	fill := filled("tiny", "look")
	fill.Set("more", "timeout: 30s")
	status(t, w.Get(form).Send(form, fill), http.StatusSeeOther)
	drawn := status(t, w.Get(of("tiny", "edit")), 200)
	if drawn.Value("command") != os.Args[0] || strings.TrimSpace(drawn.ByID("f-args")) != "tools look" || !strings.Contains(drawn.ByID("f-more"), "timeout: 30s") {
		t.Errorf("the form is not filled in: %s", drawn.Text())
	}
	change := edited("look", "wipe")
	change.Set("summary", "A second tool")
	status(t, drawn.Send(of("tiny", "edit"), change), http.StatusSeeOther)

	// Over the revision that the first form was drawn from, it is stale.
	late := edited("look", "late")
	late.Set("more", "timeout: 31s")
	stale := status(t, drawn.Send(of("tiny", "edit"), with(late, "_key", w.Get(form).Value("_key"))), http.StatusConflict)
	if text := stale.Text(); !strings.Contains(text, "A second tool") || !strings.Contains(text, "timeout: 31s") {
		t.Errorf("the stale form reads %s", text)
	}
	status(t, stale.Send(of("tiny", "edit"), late), http.StatusSeeOther)

	refused := status(t, w.Get(of("tiny", "edit")).Send(of("tiny", "edit"), url.Values{"reach": {"http"}, "url": {"nonsense"}}), http.StatusUnprocessableEntity)
	if refused.ByID("f-url-error") == "" || refused.Value("url") != "nonsense" {
		t.Errorf("a bad address is answered with %s", refused.Text())
	}
	status(t, w.Get(of("nobody", "edit")), http.StatusNotFound)
}

func with(v url.Values, name, value string) url.Values {
	out := url.Values{}
	for k, list := range v {
		out[k] = list
	}
	out.Set(name, value)
	return out
}

func TestADeclarationTheFormCannotHoldIsLeftAlone(t *testing.T) {
	t.Parallel()
	b := opened(t, "name: Acme\nmcp_servers:\n  - name: tiny\n    command: no-such-program\n    args: [\"a\\nb\"]\n")
	p := status(t, b.Administrator().Get(of("tiny", "edit")), 200)
	if !strings.Contains(p.Text(), "better edited as text") || p.ByID("server-form") != "" {
		t.Errorf("it reads %s", p.Text())
	}
}

// trial presses the other button of the form.
func trial(w *signintest.Browser, fill url.Values) *signintest.Page {
	values := with(fill, "_key", w.Get(form).Value("_key"))
	return w.Post(form+"/try", "application/x-www-form-urlencoded", values.Encode())
}

func TestTestConnection(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	tried := status(t, trial(w, with(filled("tiny", "look", "wipe"), "include", "look\nghost")), 200)
	if text := tried.ByID("tried"); !strings.Contains(text, "look") || !strings.Contains(text, "ghost") || tried.Value("name") != "tiny" {
		t.Errorf("it came to %q", text)
	}
	fill := filled("held", "look")
	fill.Set("env", "KEY=${NOT_STORED}")
	held := status(t, trial(w, fill), 200)
	if text := held.Text(); !strings.Contains(text, "Create NOT_STORED") {
		t.Errorf("held back, it reads %s", text)
	}
	bad := status(t, trial(w, url.Values{"name": {"x"}, "command": {""}}), http.StatusUnprocessableEntity)
	if bad.ByID("f-command-error") == "" {
		t.Errorf("without a command it reads %s", bad.Text())
	}
	gone := status(t, trial(w, url.Values{"name": {"x"}, "command": {"no-such-program"}}), 200)
	if text := gone.ByID("tried"); !strings.Contains(text, "no-such-program") {
		t.Errorf("a program that is not there comes to %q", text)
	}
	if strings.Contains(w.Get(page).Text(), "tiny") {
		t.Error("a trial declares")
	}
}

func TestReload(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	running(t, w, "tiny", "look")
	done := status(t, w.Get(page).Send(page+"/reload", nil), http.StatusSeeOther)
	to := done.Header.Get("Location")
	p := eventually(t, func() *signintest.Page { return w.Get(to) }, func(p *signintest.Page) bool {
		return strings.Contains(p.ByID("reloads"), "node-1 Left as they were: tiny.")
	})
	if !strings.Contains(p.Body, strings.ReplaceAll(to, "&", "&amp;")+"&amp;part=servers") {
		t.Error("the part is not asked for under the same address")
	}
	if text := w.Get(page + "?reloaded=none").ByID("reloads"); text != "" {
		t.Errorf("of no reload it says %s", text)
	}
}
