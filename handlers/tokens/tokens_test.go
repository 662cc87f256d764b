package tokens_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"crewlet/db/dbtest"
	"crewlet/engine/refusal"
	"crewlet/handlers/signin/signintest"
	"crewlet/handlers/tokens"
	"crewlet/handlers/web"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const (
	own  = "/settings/tokens"
	path = "/settings/tokens/programs"
)

func open(t *testing.T) *signintest.Bench {
	return signintest.New(t, func(mux *http.ServeMux, door *web.Door, b *signintest.Bench) {
		h := &tokens.Handlers{Run: b.Run, Identity: b.Identity}
		mux.Handle("GET /settings/tokens", door.Page(h.Tokens))
		mux.Handle("POST /settings/tokens", door.Page(h.MintOwn))
		mux.Handle("POST /settings/tokens/{token}/revoke", door.Page(h.RevokeOwn))
		mux.Handle("GET /settings/tokens/programs", door.Page(h.Programs))
		mux.Handle("POST /settings/tokens/programs", door.Page(h.Mint))
		mux.Handle("POST /settings/tokens/programs/{token}/revoke", door.Page(h.Revoke))
	})
}

func status(t *testing.T, p *signintest.Page, want int) *signintest.Page {
	t.Helper()
	if p.Status != want {
		t.Fatalf("answered %d, want %d: %s", p.Status, want, p.Text())
	}
	return p
}

func form() url.Values {
	return url.Values{"label": {"ci:release"}, "grants": {"state:read", "config:read"}, "days": {"7"}}
}

func TestATokenIsShownOnceAndRevoked(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	empty := status(t, w.Get(path), 200)
	minted := status(t, empty.Send(path, form()), 200)
	value := minted.ByID("token-value")
	by, err := b.Identity.Token(t.Context(), value)
	if err != nil || by.Name != "ci:release" || by.Fresh {
		t.Fatalf("%q is %+v, %v", value, by, err)
	}
	repeat := status(t, empty.Send(path, form()), 200)
	if strings.Contains(repeat.Body, "crw_tok_") || !strings.Contains(repeat.Text(), "already minted") {
		t.Errorf("a repeat reads %s", repeat.Text())
	}
	other := form()
	other.Set("label", "ci:deploy")
	conflict := status(t, empty.Send(path, other), 409)
	if conflict.Value("label") != "ci:deploy" || conflict.Value("_key") == empty.Value("_key") || !strings.Contains(conflict.Text(), "sent before with other words") {
		t.Errorf("the used key reads %s", conflict.Text())
	}
	page := status(t, w.Get(path), 200)
	if strings.Contains(page.Body, "crw_tok_") || strings.Count(page.Text(), "ci:release") != 2 { // its row, and the question before revoking
		t.Errorf("the list reads %s", page.Text())
	}
	done := status(t, page.Send(path+"/", nil), http.StatusSeeOther)
	if text := w.Get(done.Header.Get("Location")).Text(); !strings.Contains(text, "The token is revoked.") || !strings.Contains(text, "revoked") {
		t.Errorf("afterwards it reads %s", text)
	}
	if _, err := b.Identity.Token(t.Context(), value); !refusal.Is(err, refusal.Unauthenticated) {
		t.Errorf("still it is %v", err)
	}
}

func TestMintKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := open(t)
	page := b.Administrator().Get(path)
	for name, c := range map[string]struct {
		change url.Values
		beside string
	}{
		"no label":       {url.Values{"label": {""}}, "f-label-error"},
		"no grants":      {url.Values{"grants": {}}, "f-grants-error"},
		"days in words":  {url.Values{"days": {"seven"}}, "f-days-error"},
		"days too many":  {url.Values{"days": {"400"}}, "f-days-error"},
		"sensitive long": {url.Values{"days": {"31"}, "sensitive": {"true"}}, "f-days-error"},
	} {
		t.Run(name, func(t *testing.T) {
			fill := form()
			for field, value := range c.change {
				fill[field] = value
			}
			again := status(t, page.Send(path, fill), 422)
			if again.ByID(c.beside) == "" || again.Value("label") != fill.Get("label") || again.Value("days") != fill.Get("days") {
				t.Errorf("it reads %s", again.Text())
			}
			if again.Value("_key") != page.Value("_key") {
				t.Error("the key is another")
			}
		})
	}
	all := status(t, page.Send(path, url.Values{"label": {" "}, "days": {"seven"}}), 422)
	for _, field := range []string{"f-label-error", "f-grants-error", "f-days-error"} {
		if all.ByID(field) == "" {
			t.Errorf("nothing at %s: %s", field, all.Text())
		}
	}
	left := form()
	left.Set("days", "")
	if text := status(t, page.Send(path, left), 200).Text(); !strings.Contains(text, "is minted") {
		t.Errorf("days left empty: %s", text)
	}
}

func TestMintAsksForThePasswordAfterAnHour(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	page := w.Get(path)
	b.Pass(time.Hour)
	ask := status(t, page.Send(path, form()), 403)
	wrong := status(t, ask.Send(path, with("not her password")), 403)
	if wrong.Value("_key") != page.Value("_key") {
		t.Error("the form's key is lost on the way")
	}
	done := status(t, wrong.Send(path, with(signintest.Password)), 200)
	if !strings.HasPrefix(done.ByID("token-value"), "crw_tok_") {
		t.Errorf("it reads %s", done.Text())
	}
}

// with is the form as it is sent again, with the password typed.
func with(password string) url.Values {
	fill := form()
	fill.Set("_password", password)
	return fill
}

func TestTokensAreForThoseWhoManagePeople(t *testing.T) {
	t.Parallel()
	b := open(t)
	to := status(t, b.Browser().Get(path), http.StatusSeeOther).Header.Get("Location")
	if to != "/sign-in?next=%2Fsettings%2Ftokens%2Fprograms" {
		t.Errorf("nobody is led to %s", to)
	}
	w := b.Administrator()
	page := w.Get(path)
	b.Write(`UPDATE people SET grants = '{state:read}'`)
	status(t, w.Get(path), 403)
	status(t, page.Send(path, form()), 403)
}

func TestTokensInParts(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	w.Get(path).Send(path, form())
	part := status(t, w.Get(path, "HX-Request", "true", "HX-Request-Type", "partial"), 200)
	if strings.Contains(part.Body, "<main") || !strings.Contains(part.Text(), "ci:release") {
		t.Error("the region is not answered by its part alone")
	}
	facts := status(t, w.Get(path, "Accept", "application/json"), 200)
	if !strings.HasPrefix(facts.Body, `{"tokens":[{"id":`) || strings.Contains(facts.Body, "crw_tok_") {
		t.Errorf("as JSON it is %s", facts.Body)
	}
	missing := "/settings/tokens/programs/0190f3a2-7c4e-7d5a-9b1e-3f0c2a1d4e5f/revoke"
	key := w.Get(path).Value("_key")
	status(t, w.Post(missing, "application/x-www-form-urlencoded", "_key="+key), 404)
	status(t, w.Post("/settings/tokens/programs/../revoke", "application/x-www-form-urlencoded", "_key="+key), http.StatusTemporaryRedirect)
	status(t, w.Post("/settings/tokens/programs/x/revoke", "application/x-www-form-urlencoded", "_key="+key), 422)
}

func TestATokenOfOnesOwnComesWithWhatAssistantsAreTold(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	minted := status(t, w.Get(own).Send(own, form()), 200)
	value := minted.ByID("token-value")
	by, err := b.Identity.Token(t.Context(), value)
	if err != nil || by.Name != signintest.Login || !strings.HasPrefix(by.Credential, "pat:") {
		t.Fatalf("%q is %+v, %v", value, by, err)
	}
	for id, wants := range map[string][]string{
		"connect-claude": {"claude mcp add --transport http", b.URL + "/operator/mcp", "$CREWLET_TOKEN"},
		"connect-codex":  {"[mcp_servers.crewlet]", `bearer_token_env_var = "CREWLET_TOKEN"`},
		"connect-cursor": {`"mcpServers"`, "${env:CREWLET_TOKEN}"},
		"connect-vscode": {`"servers"`, "${input:crewlet-token}"},
		"connect-stdio":  {"CREWLET_URL=" + b.URL + " crewlet mcp serve"},
	} {
		text := minted.ByID(id)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q: %s", id, want, text)
			}
		}
		if strings.Contains(text, value) {
			t.Errorf("%s holds the value", id)
		}
	}
	page := status(t, w.Get(own), 200)
	if strings.Contains(page.Body, "crw_pat_") || !strings.Contains(page.Text(), "ci:release") {
		t.Errorf("the list reads %s", page.Text())
	}
	if all := status(t, w.Get(path), 200).Text(); !strings.Contains(all, "a person's own") {
		t.Errorf("the list of all reads %s", all)
	}
	done := status(t, page.Send(own+"/", nil), http.StatusSeeOther)
	if text := w.Get(done.Header.Get("Location")).Text(); !strings.Contains(text, "The token is revoked.") {
		t.Errorf("afterwards it reads %s", text)
	}
	if _, err := b.Identity.Token(t.Context(), value); !refusal.Is(err, refusal.Unauthenticated) {
		t.Errorf("still it is %v", err)
	}
}

func TestOnesOwnTokensAreForEverybody(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	b.Write(`UPDATE people SET grants = '{state:read}'`)
	page := status(t, w.Get(own), 200)
	if strings.Contains(page.Text(), "Programs' tokens") {
		t.Error("it leads where this person may not go")
	}
	if wrong := status(t, page.Send(own, form()), 422); wrong.ByID("f-grants-error") == "" {
		t.Errorf("more than one holds: %s", wrong.Text())
	}
	part := status(t, w.Get(own, "HX-Request", "true", "HX-Request-Type", "partial"), 200)
	if strings.Contains(part.Body, "<main") || !strings.Contains(part.Text(), "No tokens yet") {
		t.Errorf("the part reads %s", part.Text())
	}
	if facts := status(t, w.Get(own, "Accept", "application/json"), 200); !strings.HasPrefix(facts.Body, `{"tokens":[]`) {
		t.Errorf("as JSON it is %s", facts.Body)
	}
}
