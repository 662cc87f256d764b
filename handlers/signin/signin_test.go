package signin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"crewlet/db/dbtest"
	"crewlet/handlers/signin/signintest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// status fails when a page has another one.
func status(t *testing.T, p *signintest.Page, want int) *signintest.Page {
	t.Helper()
	if p.Status != want {
		t.Fatalf("answered %d, want %d: %s", p.Status, want, p.Text())
	}
	return p
}

func leadsTo(t *testing.T, p *signintest.Page, to string) {
	t.Helper()
	if status(t, p, http.StatusSeeOther); p.Header.Get("Location") != to {
		t.Errorf("leads to %q, want %q", p.Header.Get("Location"), to)
	}
}

func credentials(password string) url.Values {
	return url.Values{"login": {signintest.Login}, "password": {password}}
}

func TestSetupFromLinkToDashboard(t *testing.T) {
	t.Parallel()
	b := signintest.New(t, nil)
	w := b.Browser()
	if p := status(t, w.Get("/sign-in"), 200); !strings.Contains(p.Text(), "Nobody can sign in yet") {
		t.Error("the sign-in page does not say that set-up comes first")
	}
	link := "/setup/" + b.SetupLink()
	p := status(t, w.Get(link), 200)
	typed := url.Values{"login": {"jane"}, "name": {"Jane Doe"}, "password": {"P@ssw0rd1234"}}
	again := status(t, p.Send("/setup/", typed), 422)
	if again.Value("login") != "jane" || again.Value("name") != "Jane Doe" || again.ByID("f-login-error") == "" {
		t.Errorf("what was typed is lost: %s", again.Body)
	}
	if strings.Contains(again.Body, "P@ssw0rd1234") || again.Value("_key") != p.Value("_key") {
		t.Error("the password came back, or the key did not")
	}
	typed["login"] = []string{signintest.Login}
	again = status(t, again.Send("/setup/", typed), 422)
	if again.ByID("f-password-error") == "" {
		t.Error("a common password is not refused beside its field")
	}
	typed["password"] = []string{signintest.Password}
	leadsTo(t, again.Send("/setup/", typed), "/")
	leadsTo(t, again.Send("/setup/", typed), "/") // a double press lands once
	status(t, w.Get("/account/sign-ins"), 200)
	closed := status(t, b.Browser().Get(link), 409)
	if !strings.Contains(closed.Text(), "Set-up is closed") {
		t.Errorf("a used link says %q", closed.Text())
	}
}

func TestSetupLinksThatAreNoGoodSayWhatIs(t *testing.T) {
	t.Parallel()
	b := signintest.New(t, nil)
	link := "/setup/" + b.SetupLink()
	open := b.Browser().Get(link)
	b.Pass(25 * time.Hour)
	for name, p := range map[string]*signintest.Page{
		"looked at":       b.Browser().Get(link),
		"sent":            open.Send("/setup/", url.Values{"login": {"jane.doe"}, "name": {"Jane"}, "password": {signintest.Password}}),
		"sent half empty": open.Send("/setup/", nil),
		"made up":         b.Browser().Get("/setup/hello"),
		"percent escapes": b.Browser().Get("/setup/%00%2e%2e"),
	} {
		t.Run(name, func(t *testing.T) {
			if status(t, p, 404); !strings.Contains(p.Text(), "crewlet setup-link") {
				t.Errorf("says %q", p.Text())
			}
		})
	}
}

func TestSignInKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := signintest.New(t, nil)
	b.Administrator()
	w := b.Browser()
	p := status(t, w.Get("/sign-in?next=/settings/tokens%3Fa=b"), 200)
	again := status(t, p.Send("/sign-in", credentials("not her password")), 401)
	if again.Value("login") != signintest.Login || !strings.Contains(again.Text(), "Login or password is wrong.") {
		t.Errorf("says %s", again.Text())
	}
	if strings.Contains(again.Body, "not her password") {
		t.Error("the password came back")
	}
	in := again.Send("/sign-in", credentials(signintest.Password))
	leadsTo(t, in, "/settings/tokens?a=b")
	cookie := in.Header.Get("Set-Cookie")
	for _, part := range []string{"HttpOnly", "SameSite=Lax", "Path=/"} {
		if !strings.Contains(cookie, part) {
			t.Errorf("the cookie lacks %s: %s", part, cookie)
		}
	}
	leadsTo(t, w.Get("/sign-in?next=/account/sign-ins"), "/account/sign-ins")
}

func TestSignInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	b := signintest.New(t, nil)
	b.Administrator()
	for name, next := range map[string]string{
		"another site": "https://evil.example/", "no scheme": "//evil.example/", "a backslash": "/\\evil.example", "script": "javascript:alert(1)",
	} {
		t.Run(name, func(t *testing.T) {
			p := b.Browser().Get("/sign-in?next=" + url.QueryEscape(next))
			fill := credentials(signintest.Password)
			fill.Set("_next", next)
			leadsTo(t, p.Send("/sign-in", fill), "/")
		})
	}
}

func TestSignInRefusesBadInput(t *testing.T) {
	t.Parallel()
	b := signintest.New(t, nil)
	b.Administrator()
	const form = "application/x-www-form-urlencoded"
	key := b.Browser().Get("/sign-in").Value("_key")
	for name, c := range map[string]struct {
		kind, body string
		status     int
	}{
		"nothing":         {form, "_key=" + key, 422},
		"NUL":             {form, "_key=" + key + "&login=jane%00&password=x", 422},
		"a line break":    {form, "_key=" + key + "&login=jane%0a&password=x", 422},
		"1 MB of login":   {form, "_key=" + key + "&password=x&login=" + strings.Repeat("x", 1<<20), 422},
		"3 MB of login":   {form, "login=" + strings.Repeat("x", 3<<20), 413},
		"unknown field":   {form, "_key=" + key + "&login=a.b&password=x&role=admin", 422},
		"no key":          {form, "login=a.b&password=x", 400},
		"a key of no use": {form, "_key=1&login=a.b&password=x", 400},
		"JSON":            {"application/json", `{"login":"a.b","password":"x"}`, 415},
		"broken escape":   {form, "login=%zz", 400},
	} {
		t.Run(name, func(t *testing.T) {
			p := status(t, b.Browser().Post("/sign-in", c.kind, c.body), c.status)
			if p.Value("_key") == "" {
				t.Error("there is no form to go on with")
			}
		})
	}
}

func TestSignInFromAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	b := signintest.New(t, nil)
	b.Administrator()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.URL+"/sign-in", strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", "https://evil.example")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("answered %d", answer.StatusCode)
	}
}

func TestSignInWaits(t *testing.T) {
	t.Parallel()
	b := signintest.New(t, nil)
	b.Administrator()
	p := b.Browser().Get("/sign-in")
	for range 3 {
		status(t, p.Send("/sign-in", credentials("wrong")), 401)
	}
	slow := status(t, p.Send("/sign-in", credentials(signintest.Password)), 429)
	if slow.Header.Get("Retry-After") != "1" || slow.Value("login") != signintest.Login {
		t.Errorf("retry after %q: %s", slow.Header.Get("Retry-After"), slow.Text())
	}
	b.Pass(time.Second)
	leadsTo(t, slow.Send("/sign-in", credentials(signintest.Password)), "/")
}

func TestSignOutEndsTheSession(t *testing.T) {
	t.Parallel()
	b := signintest.New(t, nil)
	w := b.Administrator()
	stolen := b.Browser()
	page := status(t, w.Get("/account/sign-ins"), 200)
	leadsTo(t, page.Send("/sign-out", nil), "/sign-in")
	leadsTo(t, w.Get("/account/sign-ins"), "/sign-in?next=%2Faccount%2Fsign-ins")
	leadsTo(t, page.Send("/sign-out", nil), "/sign-in") // once more does no harm
	leadsTo(t, stolen.Get("/account/sign-ins", "Cookie", "crewlet=MTc2forged"), "/sign-in?next=%2Faccount%2Fsign-ins")
}

func TestAccountEndsAnotherBrowser(t *testing.T) {
	t.Parallel()
	b := signintest.New(t, nil)
	w := b.Administrator()
	other := b.Browser()
	leadsTo(t, other.Get("/sign-in").Send("/sign-in", credentials(signintest.Password)), "/")
	page := status(t, w.Get("/account/sign-ins"), 200)
	if text := page.Text(); strings.Count(text, "Firefox on Linux") != 2 || strings.Count(text, "this browser") != 1 {
		t.Errorf("the list reads %s", text)
	}
	ended := page.Send("/account/sign-ins/", nil)
	status(t, ended, http.StatusSeeOther)
	if text := w.Get(ended.Header.Get("Location")).Text(); !strings.Contains(text, "That sign-in is ended.") || strings.Count(text, "Firefox on Linux") != 1 {
		t.Errorf("afterwards it reads %s", text)
	}
	leadsTo(t, other.Get("/account/sign-ins"), "/sign-in?next=%2Faccount%2Fsign-ins")
	part := status(t, w.Get("/account/sign-ins", "HX-Request", "true", "HX-Request-Type", "partial"), 200)
	if strings.Contains(part.Body, "<main") || !strings.Contains(part.Body, "<table") {
		t.Error("the region is not answered by its part alone")
	}
}

func TestASignInSentAgainAfterItEndedSignsNobodyIn(t *testing.T) {
	t.Parallel()
	b := signintest.New(t, nil)
	b.Administrator()
	w := b.Browser()
	p := status(t, w.Get("/sign-in"), 200)
	leadsTo(t, p.Send("/sign-in", credentials(signintest.Password)), "/")
	leadsTo(t, p.Send("/sign-in", credentials(signintest.Password)), "/") // a double press
	leadsTo(t, w.Get("/account/sign-ins").Send("/sign-out", nil), "/sign-in")
	again := status(t, p.Send("/sign-in", credentials(signintest.Password)), 409)
	if !strings.Contains(again.Text(), "had been sent before") || again.Value("_key") == p.Value("_key") {
		t.Errorf("reads %s", again.Text())
	}
	leadsTo(t, again.Send("/sign-in", credentials(signintest.Password)), "/")
	status(t, w.Get("/account/sign-ins"), 200)
}
