package identity_test

import (
	"slices"
	"strings"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/company"
	"crewlet/engine/enginetest"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

const acme = `
name: Acme
roles:
  - {name: Founder, handle: founder, kind: human}
  - {name: Chief engineer, handle: cto, kind: human}
  - {name: Backend developer, handle: backend}
`

// house is a company whose administrator is jane.doe.
type house struct {
	*enginetest.Bench
	t    *testing.T
	jane access.Principal
}

const passphrase = "green kettle under stairs"

func openHouse(t *testing.T) *house {
	h := &house{Bench: enginetest.New(t), t: t}
	_, err := tool.Do(t.Context(), h.Run, h.Company.WriteConfig, enginetest.By("ana"),
		company.WriteConfig{Text: acme, Writing: company.Writing{Summary: "test"}})
	h.fine(err)
	link, err := tool.Do(t.Context(), h.Run, h.Identity.MakeSetupLink, h.call(access.System()), identity.MakeSetupLink{})
	h.fine(err)
	in, err := tool.Do(t.Context(), h.Run, h.Identity.RedeemSetup, h.call(access.Principal{}),
		identity.RedeemSetup{Token: link.Token, Login: "jane.doe", Name: "Jane Doe", Password: passphrase})
	h.fine(err)
	h.jane = h.session(in.Session)
	return h
}

func (h *house) fine(err error) {
	h.t.Helper()
	if no := refusal.Of(err); no != nil {
		h.t.Fatal(no, no.Fields, no.Cause)
	}
}

func (h *house) call(by access.Principal) *tool.Call {
	return &tool.Call{By: by, Key: tool.NewKey(), Door: "page", RequestID: "test"}
}

func (h *house) session(id string) access.Principal {
	h.t.Helper()
	s, err := h.Identity.Session(h.t.Context(), id)
	h.fine(err)
	return s.Principal
}

func do[In, Out any](h *house, u tool.Use[In, Out], by access.Principal, in In) (Out, error) {
	return tool.Do(h.t.Context(), h.Run, u, h.call(by), in)
}

func must[In, Out any](h *house, u tool.Use[In, Out], by access.Principal, in In) Out {
	h.t.Helper()
	out, err := do(h, u, by, in)
	h.fine(err)
	return out
}

func refuses(t *testing.T, err error, class refusal.Class, field string) {
	t.Helper()
	if no := refusal.Of(err); no == nil || no.Class != class || field != "" && no.Fields[field] == "" {
		t.Errorf("got %v %+v, want %s on %q", err, no, class, field)
	}
}

func (h *house) count(query string, args ...any) (n int) {
	h.t.Helper()
	h.fine(h.DB.GetContext(h.t.Context(), &n, query, args...))
	return n
}

// join invites somebody and redeems the invitation.
func (h *house) join(login string, in identity.InvitePerson) access.Principal {
	h.t.Helper()
	made := must(h, h.Identity.InvitePerson, h.jane, in)
	return h.session(h.redeem(made.Token, login).Session)
}

func (h *house) redeem(token, login string) identity.SignedIn {
	h.t.Helper()
	return must(h, h.Identity.RedeemInvitation, access.Principal{}, joining(token, login))
}

func joining(token, login string) identity.RedeemInvitation {
	return identity.RedeemInvitation{Token: token, Login: login, Name: "Bo Berg", Password: passphrase}
}

func bo() identity.InvitePerson {
	return identity.InvitePerson{Name: "Bo", Grants: []string{"state:read", "work:write"}, Seat: "cto"}
}

func TestSeatsAreBoundAndUnbound(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	ann := h.join("ann.lee", identity.InvitePerson{Name: "Ann", Grants: []string{"state:read"}})
	got := must(h, h.Identity.BindSeat, h.jane, identity.BindSeat{Seat: "founder", Person: "JANE.DOE"})
	if got.Seat != "founder" || got.Person != h.jane.ID {
		t.Errorf("bound %+v", got)
	}
	for name, c := range map[string]struct {
		in    identity.BindSeat
		class refusal.Class
		field string
	}{
		"an agent's":       {identity.BindSeat{Seat: "backend", Person: "ann.lee"}, refusal.Invalid, "seat"},
		"held":             {identity.BindSeat{Seat: "founder", Person: "ann.lee"}, refusal.Conflict, ""},
		"a second":         {identity.BindSeat{Seat: "cto", Person: "jane.doe"}, refusal.Conflict, ""},
		"a person as seat": {identity.BindSeat{Seat: "ann.lee", Person: "ann.lee"}, refusal.Invalid, "seat"},
		"nobody":           {identity.BindSeat{Seat: "cto", Person: "nobody.here"}, refusal.Invalid, "person"},
		"no such id":       {identity.BindSeat{Seat: "cto", Person: tool.NewKey()}, refusal.NotFound, ""},
		"an empty seat":    {identity.BindSeat{Seat: "cto", Person: "backend"}, refusal.Invalid, "person"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := do(h, h.Identity.BindSeat, h.jane, c.in)
			refuses(t, err, c.class, c.field)
		})
	}
	list := must(h, h.Identity.ListPeople, h.jane, identity.ListPeople{})
	if len(list.People) != 2 || list.People[1].Seat != "founder" || len(list.Free) != 1 || list.Free[0].Handle != "cto" {
		t.Errorf("listed %+v", list)
	}
	must(h, h.Identity.UnbindSeat, h.jane, identity.UnbindSeat{Seat: "founder"})
	must(h, h.Identity.BindSeat, h.jane, identity.BindSeat{Seat: "founder", Person: ann.ID})
	call := h.call(h.jane)
	if _, err := tool.Do(t.Context(), h.Run, h.Identity.BindSeat, call, identity.BindSeat{Seat: "founder", Person: ann.ID}); err != nil || call.Landed.Outcome != "unchanged" {
		t.Errorf("binding twice: %v, %+v", err, call.Landed)
	}
	// Nor does an agent get the seat of a person.
	_, err := tool.Do(t.Context(), h.Run, h.Company.WriteConfig, enginetest.By("ana"), company.WriteConfig{
		Text: strings.Replace(acme, "handle: founder, kind: human", "handle: founder", 1), Writing: company.Writing{IfMatch: 1, Summary: "test"},
	})
	refuses(t, err, refusal.Conflict, "")
	// A seat that goes takes nobody along, and one that comes back finds who held it.
	_, err = tool.Do(t.Context(), h.Run, h.Company.WriteConfig, enginetest.By("ana"),
		company.WriteConfig{Text: "name: Acme\n", Writing: company.Writing{IfMatch: 1, Summary: "test"}})
	h.fine(err)
	if list := must(h, h.Identity.ListPeople, h.jane, identity.ListPeople{}); list.People[0].Seat != "" || len(list.Free) != 0 {
		t.Errorf("without seats, listed are %+v", list)
	}
}

func TestSuspensionEndsAllAtOnce(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	bob := h.join("bo.berg", identity.InvitePerson{Name: "Bo", Grants: []string{"state:read", "people:manage"}})
	token := must(h, h.Identity.MintOwnToken, bob, identity.MintOwnToken{Label: "claude", Grants: []string{"state:read"}})
	open := must(h, h.Identity.InvitePerson, bob, identity.InvitePerson{Name: "Cy", Grants: []string{"state:read"}})
	got := must(h, h.Identity.SuspendPerson, h.jane, identity.SuspendPerson{Person: bob.ID})
	if got.Stage != "suspended" {
		t.Errorf("got %+v", got)
	}
	_, err := h.Identity.Session(t.Context(), strings.TrimPrefix(bob.Credential, "session:"))
	refuses(t, err, refusal.Unauthenticated, "")
	_, err = h.Identity.Token(t.Context(), token.Value)
	refuses(t, err, refusal.Unauthenticated, "")
	_, err = h.Identity.Invited(t.Context(), open.Token)
	refuses(t, err, refusal.NotFound, "")
	_, err = do(h, h.Identity.SignIn, access.Principal{}, identity.SignIn{Login: "bo.berg", Password: passphrase})
	refuses(t, err, refusal.Unauthenticated, "")
	if n := h.count(`SELECT count(*) FROM changes WHERE kind = 'person.suspended' AND object = $1`, bob.Key()); n != 1 {
		t.Errorf("%d rows say so", n)
	}
	must(h, h.Identity.RestorePerson, h.jane, identity.RestorePerson{Person: "bo.berg"})
	_, err = h.Identity.Session(t.Context(), strings.TrimPrefix(bob.Credential, "session:"))
	refuses(t, err, refusal.Unauthenticated, "")
	if _, err := h.Identity.Token(t.Context(), token.Value); err != nil {
		t.Errorf("a token of somebody restored: %v", err)
	}
}

func TestSomebodyAlwaysManagesPeople(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	machine := access.Principal{Kind: access.Machine, ID: "ops", Credential: "node:ops", Name: "ops:x", Grants: access.All, Fresh: true}
	_, err := do(h, h.Identity.SuspendPerson, h.jane, identity.SuspendPerson{Person: "jane.doe"})
	refuses(t, err, refusal.Conflict, "")
	_, err = do(h, h.Identity.SuspendPerson, machine, identity.SuspendPerson{Person: "jane.doe"})
	refuses(t, err, refusal.Conflict, "")
	_, err = do(h, h.Identity.GrantPerson, machine, identity.GrantPerson{Person: "jane.doe", Grants: []string{"state:read"}})
	refuses(t, err, refusal.Conflict, "")
	if by := h.session(strings.TrimPrefix(h.jane.Credential, "session:")); by.Grants != access.All {
		t.Errorf("jane may %s", by.Grants)
	}
}

func TestNobodyGivesWhatTheyDoNotHold(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	bob := h.join("bo.berg", identity.InvitePerson{Name: "Bo", Grants: []string{"state:read", "people:manage"}})
	h.join("cy.dee", identity.InvitePerson{Name: "Cy", Grants: []string{"config:write", "audit:read"}})
	_, err := do(h, h.Identity.GrantPerson, bob, identity.GrantPerson{Person: "cy.dee", Grants: []string{"config:write", "secrets:write"}})
	refuses(t, err, refusal.Invalid, "grants")
	got := must(h, h.Identity.GrantPerson, bob, identity.GrantPerson{Person: "cy.dee", Grants: []string{"config:write", "state:read"}})
	if !slices.Equal(got.Grants, []string{"state:read", "config:write"}) {
		t.Errorf("cy may %v", got.Grants)
	}
	must(h, h.Identity.SuspendPerson, bob, identity.SuspendPerson{Person: "cy.dee"})
	_, err = do(h, h.Identity.RestorePerson, bob, identity.RestorePerson{Person: "cy.dee"})
	refuses(t, err, refusal.Invalid, "person")
	if got := must(h, h.Identity.GrantPerson, bob, identity.GrantPerson{Person: "cy.dee"}); len(got.Grants) != 0 {
		t.Errorf("all taken away, cy may %v", got.Grants)
	}
}

func TestWhoIsWithheldIsFoundByNameAlone(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	h.join("secret.login", identity.InvitePerson{Name: "Bo", Grants: []string{"state:read"}})
	must(h, h.Identity.WithholdPerson, h.jane, identity.WithholdPerson{Person: "secret.login"})
	list := must(h, h.Identity.ListPeople, h.jane, identity.ListPeople{})
	if list.People[0].Name != "Bo Berg" || list.People[0].Login != "" || !list.People[0].Withheld {
		t.Errorf("listed %+v", list.People[0])
	}
	must(h, h.Identity.SignIn, access.Principal{}, identity.SignIn{Login: "secret.login", Password: passphrase})
	const told = `SELECT count(*) FROM changes WHERE kind = 'session.started' AND deltas::text LIKE '%secret.login%'`
	if n := h.count(told); n != 1 { // of joining, before
		t.Errorf("%d sign-ins tell the login", n)
	}
	_, err := do(h, h.Identity.WithholdPerson, h.jane, identity.WithholdPerson{Person: "secret.login", Show: true})
	refuses(t, err, refusal.Invalid, "person")
	must(h, h.Identity.WithholdPerson, h.jane, identity.WithholdPerson{Person: "bo berg", Show: true})
	must(h, h.Identity.WithholdPerson, h.jane, identity.WithholdPerson{Person: "secret.login", Show: true})
}
