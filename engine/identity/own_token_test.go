package identity_test

import (
	"strings"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestAnOwnTokenIsItsOwnerWithWhatBothMay(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	bob := h.join("bo.berg", bo())
	made := must(h, h.Identity.MintOwnToken, bob, identity.MintOwnToken{Label: "claude", Grants: []string{"state:read", "work:write"}})
	if !strings.HasPrefix(made.Value, "crw_pat_") || made.Person != bob.ID {
		t.Fatalf("minted %+v", made)
	}
	by, err := h.Identity.Token(t.Context(), made.Value)
	want := bob
	want.Credential, want.Fresh = "pat:"+made.ID, false
	if err != nil || by != want {
		t.Errorf("it is %+v, %v; want %+v", by, err, want)
	}
	must(h, h.Identity.GrantPerson, h.jane, identity.GrantPerson{Person: bob.ID, Grants: []string{"state:read", "audit:read"}})
	if by, err := h.Identity.Token(t.Context(), made.Value); err != nil || by.Grants != access.StateRead {
		t.Errorf("after its owner lost a grant it may %s, %v", by.Grants, err)
	}
	must(h, h.Identity.UnbindSeat, h.jane, identity.UnbindSeat{Seat: "cto"})
	if by, err := h.Identity.Token(t.Context(), made.Value); err != nil || by.Seat != "" || by.Party() != bob.Key() {
		t.Errorf("after its owner left the seat it is %+v, %v", by, err)
	}
}

func TestMintingOnesOwnIsRefused(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	bob := h.join("bo.berg", bo())
	sensitive := must(h, h.Identity.MintOwnToken, bob, identity.MintOwnToken{Label: "a", Grants: []string{"state:read"}, Sensitive: true})
	token, err := h.Identity.Token(t.Context(), sensitive.Value)
	if err != nil || !token.Fresh {
		t.Fatalf("a sensitive one is %+v, %v", token, err)
	}
	tired := bob
	tired.Fresh = false
	machine := access.Principal{Kind: access.Machine, ID: "x", Credential: "token:x", Grants: access.All, Fresh: true}
	fine := identity.MintOwnToken{Label: "x", Grants: []string{"state:read"}}
	for name, c := range map[string]struct {
		by     access.Principal
		change func(*identity.MintOwnToken)
		class  refusal.Class
		field  string
	}{
		"more than one holds": {bob, func(in *identity.MintOwnToken) { in.Grants = []string{"all"} }, refusal.Invalid, "grants"},
		"no label":            {bob, func(in *identity.MintOwnToken) { in.Label = " " }, refusal.Invalid, "label"},
		"too long":            {bob, func(in *identity.MintOwnToken) { in.Days = 366 }, refusal.Invalid, "days"},
		"no step-up":          {tired, func(*identity.MintOwnToken) {}, refusal.Forbidden, ""},
		"a machine":           {machine, func(*identity.MintOwnToken) {}, refusal.Forbidden, ""},
		"a token":             {token, func(*identity.MintOwnToken) {}, refusal.Forbidden, ""},
	} {
		t.Run(name, func(t *testing.T) {
			in := fine
			c.change(&in)
			_, err := do(h, h.Identity.MintOwnToken, c.by, in)
			refuses(t, err, c.class, c.field)
		})
	}
}

func TestOwnTokensAreEndedByTheirOwner(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	bob := h.join("bo.berg", bo())
	mint := func(by access.Principal) identity.Minted {
		return must(h, h.Identity.MintOwnToken, by, identity.MintOwnToken{Label: "claude", Grants: []string{"state:read"}})
	}
	his, hers := mint(bob), mint(h.jane)
	program := must(h, h.Identity.MintToken, h.jane, identity.MintToken{Label: "ci", Grants: []string{"state:read"}})
	if list := must(h, h.Identity.ListOwnTokens, bob, identity.ListOwnTokens{}); len(list.Tokens) != 1 || list.Tokens[0].ID != his.ID {
		t.Errorf("bo lists %+v", list)
	}
	for name, id := range map[string]string{"another's": hers.ID, "a program's": program.ID} {
		_, err := do(h, h.Identity.RevokeOwnToken, bob, identity.RevokeOwnToken{Token: id})
		if refuses(t, err, refusal.Forbidden, ""); refusal.Of(err).Details["reason"] != "not_self" {
			t.Errorf("%s: %+v", name, refusal.Of(err).Details)
		}
	}
	_, err := do(h, h.Identity.RevokeOwnToken, bob, identity.RevokeOwnToken{Token: tool.NewKey()})
	refuses(t, err, refusal.NotFound, "")
	must(h, h.Identity.RevokeOwnToken, bob, identity.RevokeOwnToken{Token: his.ID})
	_, err = h.Identity.Token(t.Context(), his.Value)
	refuses(t, err, refusal.Unauthenticated, "")
	if n := h.count(`SELECT count(*) FROM changes WHERE kind = 'token.revoked' AND object = $1`, "pat:"+his.ID); n != 1 {
		t.Errorf("%d rows say so under its credential", n)
	}
	// Who manages people sees and ends everybody's.
	if list := must(h, h.Identity.ListTokens, h.jane, identity.ListTokens{}); len(list.Tokens) != 3 {
		t.Errorf("jane lists %+v", list)
	}
	again := mint(bob)
	must(h, h.Identity.RevokeToken, h.jane, identity.RevokeToken{Token: again.ID})
	_, err = h.Identity.Token(t.Context(), again.Value)
	refuses(t, err, refusal.Unauthenticated, "")
}

func TestATokenSeesAndEndsNoSignIns(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	made := must(h, h.Identity.MintOwnToken, h.jane, identity.MintOwnToken{Label: "claude", Grants: []string{"all"}})
	by, err := h.Identity.Token(t.Context(), made.Value)
	h.fine(err)
	_, err = do(h, h.Identity.ListSignIns, by, identity.ListSignIns{})
	refuses(t, err, refusal.Forbidden, "")
	_, err = do(h, h.Identity.EndSignIn, by, identity.EndSignIn{Session: strings.TrimPrefix(h.jane.Credential, "session:")})
	refuses(t, err, refusal.Forbidden, "")
}
