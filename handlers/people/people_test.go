package people_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"crewlet/db/dbtest"
	"crewlet/engine/company"
	"crewlet/engine/enginetest"
	"crewlet/engine/tool"
	"crewlet/handlers/people"
	"crewlet/handlers/signin"
	"crewlet/handlers/signin/signintest"
	"crewlet/handlers/web"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const path = "/settings/people"

const acme = `
name: Acme
roles:
  - {name: Founder, handle: founder, kind: human}
  - {name: Chief engineer, handle: cto, kind: human}
`

func open(t *testing.T) *signintest.Bench {
	b := signintest.New(t, func(mux *http.ServeMux, door *web.Door, b *signintest.Bench) {
		h, who := &people.Handlers{Run: b.Run, Identity: b.Identity}, &signin.Handlers{Run: b.Run, Identity: b.Identity}
		for pattern, does := range map[string]web.Handler{
			"GET /settings/people": h.List, "GET /settings/people/{person}": h.Person,
			"POST /settings/people/{person}/bind": h.Bind, "POST /settings/people/{person}/unbind": h.Unbind,
			"POST /settings/people/{person}/grants": h.Grant, "POST /settings/people/{person}/withhold": h.Withhold,
			"POST /settings/people/{person}/suspend": h.Suspend, "POST /settings/people/{person}/restore": h.Restore,
			"POST /settings/people/invitations": h.Invite, "POST /settings/people/invitations/{invitation}/revoke": h.Uninvite,
			"GET /invitation/{token}": who.InvitationForm, "POST /invitation/{token}": who.Join,
		} {
			mux.Handle(pattern, door.Page(does))
		}
	})
	_, err := tool.Do(t.Context(), b.Run, b.Company.WriteConfig, enginetest.By("ana"),
		company.WriteConfig{Text: acme, Writing: company.Writing{Summary: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func status(t *testing.T, p *signintest.Page, want int) *signintest.Page {
	t.Helper()
	if p.Status != want {
		t.Fatalf("answered %d, want %d: %s", p.Status, want, p.Text())
	}
	return p
}

func says(t *testing.T, p *signintest.Page, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(p.Text(), want) {
			t.Errorf("it does not say %q: %s", want, p.Text())
		}
	}
}

func invitation() url.Values {
	return url.Values{"name": {"Bo Berg"}, "seat": {"cto"}, "grants": {"state:read", "work:write"}}
}

// joined is the browser of somebody who was invited by the administrator's.
func joined(t *testing.T, b *signintest.Bench, w *signintest.Browser) *signintest.Browser {
	t.Helper()
	made := status(t, w.Get(path).Send(path+"/invitations", invitation()), 200)
	link, ours := strings.CutPrefix(made.ByID("invitation-link"), b.URL)
	if !ours {
		t.Fatalf("the link is %q", made.ByID("invitation-link"))
	}
	bo := b.Browser()
	form := status(t, bo.Get(link), 200)
	says(t, form, "Jane Doe invites you", "You will hold the seat cto", "work:write")
	wrong := status(t, form.Send("/invitation/", url.Values{"login": {"bo"}, "password": {"short"}}), 422)
	if wrong.ByID("f-login-error") == "" || wrong.ByID("f-password-error") == "" || wrong.Value("name") != "Bo Berg" {
		t.Errorf("refused, it reads %s", wrong.Text())
	}
	in := url.Values{"login": {"bo.berg"}, "password": {signintest.Password}}
	status(t, wrong.Send("/invitation/", in), http.StatusSeeOther)
	says(t, status(t, b.Browser().Get(link), 404), "This invitation does not work any more")
	return bo
}

func TestAPersonIsInvitedJoinsAndIsListed(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	bo := joined(t, b, w)
	list := status(t, w.Get(path), 200)
	says(t, list, "Bo Berg", "bo.berg", "cto", "work:write", "active")
	if strings.Contains(list.Text(), "Open invitations") {
		t.Error("the invitation that was used is still open")
	}
	if p := bo.Get(path); p.Status != 403 {
		t.Errorf("somebody without people:manage is answered %d", p.Status)
	}
	facts := status(t, w.Get(path, "Accept", "application/json"), 200)
	if !strings.Contains(facts.Body, `"seat":"cto"`) || strings.Contains(facts.Body, "argon2") {
		t.Errorf("as JSON: %s", facts.Body)
	}
	part := status(t, w.Get(path, "HX-Request", "true", "HX-Request-Type", "partial"), 200)
	if strings.Contains(part.Body, "<main") || !strings.Contains(part.Text(), "Bo Berg") {
		t.Errorf("the part reads %s", part.Text())
	}
}

func TestInvitingKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	page := status(t, w.Get(path), 200)
	fill := invitation()
	fill.Set("email", "no address")
	again := status(t, page.Send(path+"/invitations", fill), 422)
	if again.ByID("f-email-error") == "" || again.Value("name") != "Bo Berg" || again.Value("_key") != page.Value("_key") {
		t.Errorf("it reads %s", again.Text())
	}
	fine := invitation()
	fine.Set("email", "")
	made := status(t, again.Send(path+"/invitations", fine), 200)
	repeat := status(t, again.Send(path+"/invitations", fine), 200)
	says(t, repeat, "was already made")
	if repeat.ByID("invitation-link") != "" || made.ByID("invitation-link") == "" {
		t.Error("the link is not shown once")
	}
	other := url.Values{"email": {""}, "grants": {"state:read"}}
	other.Set("name", "Cy Dee")
	says(t, status(t, again.Send(path+"/invitations", other), 409), "sent before with other words")
	back := status(t, w.Get(path).Send(path+"/invitations/", nil), http.StatusSeeOther)
	says(t, w.Get(back.Header.Get("Location")), "The invitation is taken back.")
}

func TestWhatMayBeDoneAboutAPerson(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.Administrator()
	bo := joined(t, b, w)
	var id string
	if err := b.DB.GetContext(t.Context(), &id, `SELECT id FROM people WHERE login = 'bo.berg'`); err != nil {
		t.Fatal(err)
	}
	at := path + "/" + id
	does := func(step string, fill url.Values, wants ...string) {
		t.Helper()
		done := status(t, w.Get(at).Send(at+"/"+step, fill), http.StatusSeeOther)
		says(t, w.Get(done.Header.Get("Location")), wants...)
	}
	does("unbind", nil, "Put them in")
	does("bind", url.Values{"seat": {"founder"}}, "holds the seat founder")
	does("grants", url.Values{"grants": {"state:read"}}, "holds from now on")
	does("withhold", nil, "withheld", "Show login and contacts again")
	if text := w.Get(path).Text(); strings.Contains(text, "bo.berg") {
		t.Errorf("who is withheld is listed with a login: %s", text)
	}
	does("withhold", nil, "bo.berg")
	does("suspend", nil, "suspended", "Let them in again")
	if p := bo.Get("/account/sign-ins"); p.Status != http.StatusSeeOther {
		t.Errorf("who is suspended is answered %d", p.Status)
	}
	does("restore", nil, "active")
	none := status(t, w.Get(at).Send(at+"/grants", url.Values{"grants": {"moon:land"}}), 422)
	if none.ByID("f-grants-error") == "" {
		t.Errorf("a grant there is not: %s", none.Text())
	}
	status(t, w.Get(path+"/"+tool.NewKey()), 404)
	var jane string
	if err := b.DB.GetContext(t.Context(), &jane, `SELECT id FROM people WHERE login = $1`, signintest.Login); err != nil {
		t.Fatal(err)
	}
	key := w.Get(at).Value("_key")
	self := status(t, w.Post(path+"/"+jane+"/suspend", "application/x-www-form-urlencoded", "_key="+key), 409)
	says(t, self, "You cannot suspend yourself")
}
