package identity_test

import (
	"testing"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
)

func TestAnInvitationMakesOnePersonInTheirSeat(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	made := must(h, h.Identity.InvitePerson, h.jane, bo())
	shown, err := h.Identity.Invited(t.Context(), made.Token)
	if err != nil || shown.Name != "Bo" || shown.Author != "Jane Doe" || shown.Seat != "cto" || !shown.ExpiresAt.Equal(h.Clock.Now().Add(7*24*time.Hour)) {
		t.Fatalf("the link shows %+v, %v", shown, err)
	}
	if n := h.count(`SELECT count(*) FROM operations WHERE answer LIKE '%' || $1 || '%'`, made.Token); n != 0 {
		t.Error("the link's end is kept in the clear")
	}
	in := h.redeem(made.Token, "bo.berg")
	by := h.session(in.Session)
	if by.Handle != "cto" || by.Seat == "" || by.Grants != access.StateRead|access.WorkWrite || by.RecordedAs() != "human" {
		t.Errorf("bo is %+v", by)
	}
	if n := h.count(`SELECT count(*) FROM changes WHERE kind = 'session.started' AND recorded_as = 'human' AND actor_name = 'cto'`); n != 1 {
		t.Errorf("%d sign-ins are recorded of a human", n)
	}
	_, err = do(h, h.Identity.RedeemInvitation, access.Principal{}, joining(made.Token, "bo.second"))
	refuses(t, err, refusal.NotFound, "")
	if n := h.count(`SELECT count(*) FROM people WHERE login = 'bo.second'`); n != 0 {
		t.Error("it made a second person")
	}
}

func TestAnInvitationIsRefused(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	small := h.jane
	small.Grants = access.PeopleManage | access.StateRead
	tired := h.jane
	tired.Fresh = false
	for name, c := range map[string]struct {
		by     access.Principal
		change func(*identity.InvitePerson)
		class  refusal.Class
		field  string
	}{
		"more than one holds": {small, func(in *identity.InvitePerson) { in.Grants = []string{"config:write"} }, refusal.Invalid, "grants"},
		"no grants":           {h.jane, func(in *identity.InvitePerson) { in.Grants = nil }, refusal.Invalid, "grants"},
		"a blank name":        {h.jane, func(in *identity.InvitePerson) { in.Name = " \u200b" }, refusal.Invalid, "name"},
		"an agent's seat":     {h.jane, func(in *identity.InvitePerson) { in.Seat = "backend" }, refusal.Invalid, "seat"},
		"no such seat":        {h.jane, func(in *identity.InvitePerson) { in.Seat = "nope" }, refusal.Invalid, "seat"},
		"no step-up":          {tired, func(*identity.InvitePerson) {}, refusal.Forbidden, ""},
	} {
		t.Run(name, func(t *testing.T) {
			in := identity.InvitePerson{Name: "Bo", Grants: []string{"state:read"}}
			c.change(&in)
			_, err := do(h, h.Identity.InvitePerson, c.by, in)
			refuses(t, err, c.class, c.field)
		})
	}
}

func TestWhoJoinsHasANameThatCanBeSeen(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	made := must(h, h.Identity.InvitePerson, h.jane, bo())
	for _, name := range []string{"  ", "\u200b", "\u2066Bo"} {
		in := joining(made.Token, "bo.berg")
		in.Name = name
		_, err := do(h, h.Identity.RedeemInvitation, access.Principal{}, in)
		refuses(t, err, refusal.Invalid, "name")
	}
	for _, name := range []string{"Bo", "بو", "波", "Zoë‑Ann O’Neil", "🦊"} {
		if _, err := do(h, h.Identity.InvitePerson, h.jane, identity.InvitePerson{Name: name, Grants: []string{"state:read"}}); err != nil {
			t.Errorf("%s is refused: %v", name, err)
		}
	}
	h.redeem(made.Token, "bo.berg")
}

func TestAnInvitationEnds(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	for name, end := range map[string]func(identity.Invited){
		"by time": func(identity.Invited) { h.Clock.Move(7*24*time.Hour + time.Second) },
		"by being undone": func(m identity.Invited) {
			must(h, h.Identity.RevokeInvitation, h.jane, identity.RevokeInvitation{Invitation: m.ID})
		},
	} {
		made := must(h, h.Identity.InvitePerson, h.jane, identity.InvitePerson{Name: "Bo", Grants: []string{"state:read"}})
		end(made)
		_, err := do(h, h.Identity.RedeemInvitation, access.Principal{}, joining(made.Token, "bo.berg"))
		refuses(t, err, refusal.NotFound, "")
		if _, err := h.Identity.Invited(t.Context(), made.Token); !refusal.Is(err, refusal.NotFound) {
			t.Errorf("%s: it still shows %v", name, err)
		}
	}
	if got := must(h, h.Identity.ListPeople, h.jane, identity.ListPeople{}); len(got.Invitations) != 0 {
		t.Errorf("listed are %+v", got.Invitations)
	}
}

func TestASeatTakenMeanwhileDoesNotKeepAnybodyOut(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	made := must(h, h.Identity.InvitePerson, h.jane, bo())
	must(h, h.Identity.BindSeat, h.jane, identity.BindSeat{Seat: "cto", Person: "jane.doe"})
	if by := h.session(h.redeem(made.Token, "bo.berg").Session); by.Seat != "" {
		t.Errorf("bo holds %+v", by)
	}
}
