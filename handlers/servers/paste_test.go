package servers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"crewlet/db"
	"crewlet/engine/tool"
	"crewlet/handlers/signin/signintest"
)

const pasteAt = page + "/paste"

func pasted(t *testing.T, w *signintest.Browser, text string) *signintest.Page {
	t.Helper()
	return status(t, w.Get(pasteAt).Send(pasteAt, url.Values{"text": {text}}), 200)
}

func area(p *signintest.Page, name string) string {
	return strings.TrimSpace(p.ByID("f-" + name))
}

func TestAPastedConfigurationBecomesForms(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	const value = "ghp_canary0123456789canary0123456789abcd"
	first := pasted(t, w, `{"mcpServers": {
		"GitHub": {"command": "npx", "args": ["-y", "some-server"], "env": {"GITHUB_TOKEN": "`+value+`"}, "madeUp": 1},
		"other": {"url": "https://mcp.example.com/mcp"}
	}}`)
	if strings.Contains(first.Body, value) {
		t.Error("the credential is on the page")
	}
	text := first.Text()
	for _, want := range []string{"Server 1 of 2", "madeUp", "will be stored"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if first.Value("name") != "github" || !strings.HasPrefix(area(first, "env"), "GITHUB_TOKEN=${GITHUB_TOKEN") {
		t.Errorf("the form holds %q %q", first.Value("name"), area(first, "env"))
	}
	fill := url.Values{"reach": {"command"}, "args": {area(first, "args")}, "env": {area(first, "env")}}

	bad := status(t, first.Send(form, with(fill, "name", "Bad Name")), http.StatusUnprocessableEntity)
	if !strings.Contains(bad.Text(), "Server 1 of 2") {
		t.Error("a refused form forgets what was pasted")
	}
	if w.Get(page).ByID("server-github") != "" {
		t.Error("it is declared all the same")
	}
	second := status(t, bad.Send(form, with(fill, "name", "github")), 200)
	if text := second.Text(); !strings.Contains(text, "Server 2 of 2") || !strings.Contains(text, "The server github is saved.") || second.Value("url") != "https://mcp.example.com/mcp" {
		t.Errorf("then it reads %s", text)
	}
	var stored []string
	if err := b.DB.SelectContext(t.Context(), &stored, `SELECT name FROM secrets`); err != nil || len(stored) != 1 {
		t.Errorf("stored are %v, %v", stored, err)
	}
	status(t, second.Send(form, url.Values{"reach": {"http"}}), http.StatusSeeOther)
	if w.Get(page).ByID("server-other") == "" {
		t.Error("the second is not declared")
	}

	again := pasted(t, w, `{"github2": {"command": "npx", "env": {"GITHUB_TOKEN": "`+value+`"}}}`)
	if got := area(again, "env"); got != "GITHUB_TOKEN=${GITHUB_TOKEN_2}" {
		t.Errorf("a name that is taken becomes %q", got)
	}
}

func TestAPastedKeyOfSeveralLinesIsTried(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	p := pasted(t, w, `{"mcpServers": {"signer": {"command": "sh", "args": ["-c", "echo \"$SIGN_TOKEN\" >&2; exit 3"],
		"env": {"SIGN_TOKEN": "-----BEGIN PRIVATE KEY-----\ncanaryLineOne\n-----END PRIVATE KEY-----\n"}}}}`)
	sent := url.Values{"_key": {p.Value("_key")}, "_pile": {p.Value("_pile")}, "name": {"signer"}, "reach": {"command"}, "command": {"sh"},
		"args": {"-c\necho \"$SIGN_TOKEN\" >&2; exit 3"}, "env": {area(p, "env")}}
	tried := status(t, w.Post(form+"/try", "application/x-www-form-urlencoded", sent.Encode()), 200)
	if text := tried.Text(); !strings.Contains(text, "exit status 3") || strings.Contains(tried.Body, "canaryLineOne") {
		t.Errorf("the trial reads %s", text)
	}
}

// A name that can never be stored is not offered to be: that would be refused.
func TestATrialOffersToStoreWhatCanBe(t *testing.T) {
	t.Parallel()
	w := open(t).Administrator()
	sent := url.Values{"_key": {tool.NewKey()}, "name": {"reader"}, "reach": {"command"}, "command": {"sh"}, "env": {"A=${PGHOST}\nB=${READER_TOKEN}"}}
	tried := w.Post(form+"/try", "application/x-www-form-urlencoded", sent.Encode())
	for name, offered := range map[string]bool{"PGHOST": false, "READER_TOKEN": true} {
		if got := strings.Contains(tried.Body, `data-make-secret="`+name+`"`); got != offered || !strings.Contains(tried.Text(), name) {
			t.Errorf("%s offered: %t in %d %s", name, got, tried.Status, tried.Text())
		}
	}
}

// What is stored under a name is somebody else's, also when whoever pastes may
// not know of it, and when it came between.
func TestAPastedValueTakesNoStoredName(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	p := pasted(t, w, `{"github": {"command": "sh", "env": {"GITHUB_TOKEN": "ghp_canary0123456789canary0123456789abcd"}}}`)
	const others = `INSERT INTO secrets (name, sealed, key_id, hosts, set_by, set_at) VALUES ('GITHUB_TOKEN', 'theirs', 'k', '{}', 'ben', now())`
	if err := b.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), others)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	fill := url.Values{"reach": {"command"}, "env": {area(p, "env")}}
	for range 2 { // sent again it lands once
		status(t, p.Send(form, fill), http.StatusSeeOther)
	}
	fill.Set("env", "LEVEL=debug")
	if other := status(t, p.Send(form, fill), http.StatusConflict); !strings.Contains(other.Text(), "already sent with other text") {
		t.Errorf("with other text it reads %s", other.Text())
	}
	var names, untouched []string
	if err := b.DB.SelectContext(t.Context(), &names, `SELECT name FROM secrets ORDER BY name`); err != nil || strings.Join(names, " ") != "GITHUB_TOKEN GITHUB_TOKEN_2" {
		t.Errorf("stored are %v, %v", names, err)
	}
	if err := b.DB.SelectContext(t.Context(), &untouched, `SELECT name FROM secrets WHERE sealed = 'theirs'`); err != nil || len(untouched) != 1 {
		t.Errorf("what was stored before is written over: %v", err)
	}
	if env := area(w.Get(of("github", "edit")), "env"); env != "GITHUB_TOKEN=${GITHUB_TOKEN_2}" {
		t.Errorf("the server is given %q", env)
	}
}

func TestSkippingWhatWasPasted(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	p := pasted(t, w, "a: {command: x}\nb: {command: y}\n")
	skip := url.Values{"_pile": {p.Value("_pile")}}
	next := status(t, w.Post(pasteAt, "application/x-www-form-urlencoded", skip.Encode()), 200)
	if next.Value("name") != "b" {
		t.Errorf("after one comes %q", next.Value("name"))
	}
	skip.Set("_pile", next.Value("_pile"))
	status(t, w.Post(pasteAt, "application/x-www-form-urlencoded", skip.Encode()), http.StatusSeeOther)
	skip.Set("_pile", "forged")
	status(t, w.Post(pasteAt, "application/x-www-form-urlencoded", skip.Encode()), http.StatusBadRequest)
}

func TestAPasteThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	for name, text := range map[string]string{"nothing": " ", "no configuration": "{{{", "no server": `{"mcpServers": {}}`} {
		t.Run(name, func(t *testing.T) {
			p := status(t, w.In(t).Get(pasteAt).Send(pasteAt, url.Values{"text": {text}}), http.StatusUnprocessableEntity)
			if p.ByID("f-text-error") == "" || area(p, "text") != strings.TrimSpace(text) {
				t.Errorf("it is answered with %s", p.Text())
			}
		})
	}
}

func TestPresetsFillInTheForm(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	empty := status(t, w.Get(form), 200)
	chips := 0
	for empty.Find(func(n *html.Node) bool {
		if signintest.Attr(n, "class") != "preset" {
			return false
		}
		chips++
		href := signintest.Attr(n, "href")
		if p := w.Get(href); p.Status != 200 || p.Value("name") == "" {
			t.Errorf("%s answers %d", href, p.Status)
		}
		return false
	}) != nil {
	}
	if chips < 9 {
		t.Errorf("there are %d presets", chips)
	}
	status(t, w.Get(form+"?preset=nonsense"), http.StatusNotFound)
	files := w.Get(form + "?preset=filesystem&name=docs&args=/srv/kites")
	if got := files.Value("name") + " " + area(files, "args"); got != "docs -y @modelcontextprotocol/server-filesystem /srv/kites" {
		t.Errorf("what is typed beside a preset comes to %q", got)
	}
	lab := w.Get(form + "?preset=gitlab&env=" + url.QueryEscape("GITLAB_API_URL=https://git.example/api/v4"))
	if got := area(lab, "env"); got != "GITLAB_API_URL=https://git.example/api/v4 GITLAB_PERSONAL_ACCESS_TOKEN=${GITLAB_TOKEN}" {
		t.Errorf("variables over a preset come to %q", got)
	}
	if got := w.Get(form + "?preset=github").ByID("preset-seat"); got != "Authorization: Bearer ${GITHUB_TOKEN_ANA}" {
		t.Errorf("of a seat it says %q", got)
	}
}
