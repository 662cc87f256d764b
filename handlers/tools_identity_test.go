package handlers

import (
	"net/url"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/signin/signintest"
)

// What calls leave: a write its key, its changes and its record, the engine's
// own no record, a read nothing.
var (
	wrote     = counts{Operations: 1, Changes: 1, Audit: 1}
	wroteSelf = counts{Operations: 1, Changes: 1}
)

// is makes a row's call of what does not depend on the world.
func is(a asking) func(*world) asking { return func(*world) asking { return a } }

// get and post are a page's; run is the runner's.
func get(path string) asking { return asking{method: "GET", path: path} }

func post(path string, fields ...string) asking {
	values := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		values.Add(fields[i], fields[i+1])
	}
	return asking{method: "POST", path: path, body: values.Encode()}
}

func run(args string) asking { return asking{body: args} }

// without is the call by somebody who may not.
func without(a asking) func(*world) asking {
	a.bare = true
	return is(a)
}

func byNobody(a asking) asking {
	a.nobody = true
	return a
}

// signedIn is a browser the administrator signs in with.
func (w *world) signedIn() *signintest.Browser {
	w.t.Helper()
	b := signintest.NewBrowser(w.t, w.url)
	p := b.Get("/sign-in").Send("/sign-in", url.Values{"login": {signintest.Login}, "password": {signintest.Password}})
	if p.Status != 303 {
		w.t.Fatalf("signing in answers %d: %s", p.Status, p.Text())
	}
	return b
}

// session is the newest sign-in there is.
func (w *world) session() string {
	w.t.Helper()
	var id string
	w.must(w.DB.GetContext(w.t.Context(), &id, `SELECT id FROM browser_sessions ORDER BY id DESC LIMIT 1`))
	return id
}

func (w *world) setupPath() string {
	if w.made["setup"] == "" {
		w.made["setup"] = "/setup/" + signintest.SetupLink(w.t, w.Bench)
	}
	return w.made["setup"]
}

func identityRows() []row {
	setup := func(password string) func(*world) asking {
		return func(w *world) asking {
			return byNobody(post(w.setupPath(), "login", signintest.Login, "name", "Jane Doe", "password", password))
		}
	}
	signIn := func(password string) func(*world) asking {
		return is(byNobody(post("/sign-in", "login", signintest.Login, "password", password)))
	}
	return []row{
		{tool: "make_setup_link", door: system, does: is(run("{}")), landed: wroteSelf, once: `"token"`,
			refuses: without(run("{}")), class: refusal.Forbidden},
		{tool: "redeem_setup", door: page, does: setup(signintest.Password), status: 303,
			landed: counts{Operations: 1, Changes: 2, Audit: 1}, object: "person:", refuses: setup("short"), class: refusal.Invalid},
		{tool: "sign_in", door: page, does: signIn(signintest.Password), status: 303, landed: wrote, object: "login:" + signintest.Login,
			refuses: signIn("not the password"), class: refusal.Unauthenticated},
		{tool: "list_sign_ins", door: page, does: func(w *world) asking {
			w.browser = w.signedIn()
			return get("/account/sign-ins")
		}, refuses: is(byNobody(get("/account/sign-ins"))), class: refusal.Unauthenticated, unrecorded: true},
		{tool: "confirm_password", door: runner, does: confirming(signintest.Password), landed: wrote, object: "session:",
			refuses: confirming("not the password"), class: refusal.Invalid},
		{tool: "end_sign_in", door: page, does: func(w *world) asking {
			w.signedIn()
			return post("/account/sign-ins/" + w.session() + "/end")
		}, status: 303, landed: wrote, object: "session:", refuses: is(post("/account/sign-ins/" + tool.NewKey() + "/end")), class: refusal.NotFound},
		{tool: "sign_out", door: page, does: func(w *world) asking {
			out := post("/sign-out")
			out.browser = w.signedIn()
			return out
		}, status: 303, landed: wrote, object: "session:", refuses: is(foreignForm("/sign-out")), class: refusal.Forbidden, unrecorded: true},
		{tool: "mint_token", door: page, does: is(post("/settings/tokens/programs", "label", "a", "grants", "state:read")), landed: wrote, object: "token:",
			refuses: is(post("/settings/tokens/programs", "label", "", "grants", "state:read")), class: refusal.Invalid},
		{tool: "mint_token", door: command, does: is(run(`{"label":"a","grants":["state:read"]}`)), landed: wrote, object: "token:", once: `"value"`,
			refuses: is(run(`{"label":"a","grants":["everything"]}`)), class: refusal.Invalid},
		{tool: "list_tokens", door: page, does: is(get("/settings/tokens/programs")), refuses: without(get("/settings/tokens/programs")), class: refusal.Forbidden},
		{tool: "list_tokens", door: command, does: is(run("{}")), refuses: without(run("{}")), class: refusal.Forbidden},
		{tool: "revoke_token", door: page, does: func(w *world) asking {
			return post("/settings/tokens/programs/" + w.mint(false, "all").ID + "/revoke")
		}, status: 303, landed: wrote, object: "token:", refuses: is(post("/settings/tokens/programs/" + tool.NewKey() + "/revoke")), class: refusal.NotFound},
		{tool: "revoke_token", door: command, does: func(w *world) asking {
			return run(`{"token":"` + w.mint(false, "all").ID + `"}`)
		}, landed: wrote, object: "token:", refuses: is(run(`{"token":"x"}`)), class: refusal.Invalid},
	}
}

// foreignForm is a form another site's page sends.
func foreignForm(path string) asking {
	a := post(path)
	a.headers = map[string]string{"Sec-Fetch-Site": "cross-site"}
	return a
}

// confirming is the password typed again, as the wrapper of a page's form asks it.
func confirming(password string) func(*world) asking {
	return func(w *world) asking {
		w.signedIn()
		by := access.Principal{
			Kind: access.Person, ID: w.id, Credential: "session:" + w.session(), Name: signintest.Login, Grants: access.All,
		}
		return asking{body: `{"password":"` + password + `"}`, by: &by}
	}
}
