package identity

import (
	"sync"
	"testing"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestSetupMakesTheFirstAdministrator(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if empty, err := b.Vacant(t.Context()); !empty || err != nil {
		t.Errorf("vacant before: %v, %v", empty, err)
	}
	signed, in := b.admin()
	by := signed.Principal
	if by.Kind != access.Person || by.Grants != access.All || !by.Fresh || by.Name != "jane.doe" || signed.Name != "Jane Doe" {
		t.Errorf("signed in as %+v", signed)
	}
	if by.Credential != "session:"+in.Session {
		t.Errorf("credential %s", by.Credential)
	}
	if empty, err := b.Vacant(t.Context()); empty || err != nil {
		t.Errorf("vacant after: %v, %v", empty, err)
	}
	const told = `SELECT count(*) FROM changes WHERE actor = $1 AND credential = $2 AND (kind, object) IN (('person.created', $1), ('session.started', $2))`
	if n := b.rows(told, "person:"+by.ID, by.Credential); n != 2 {
		t.Errorf("%d changes name her, want 2", n)
	}
	const recorded = `SELECT count(*) FROM audit WHERE verb = 'redeem_setup' AND actor = $1 AND actor_name = 'jane.doe' AND object = $1`
	if n := b.rows(recorded, "person:"+by.ID); n != 1 {
		t.Errorf("%d audit rows name her, want 1", n)
	}
}

func TestSetupLinkIsShownOnceAndEnds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	call := &tool.Call{By: access.System(), Key: tool.NewKey(), Door: "command"}
	first, err := tool.Do(t.Context(), b.run, b.MakeSetupLink, call, MakeSetupLink{})
	if err != nil || len(first.Token) != secretChars {
		t.Fatalf("made %+v, %v", first, err)
	}
	again, err := tool.Do(t.Context(), b.run, b.MakeSetupLink, call, MakeSetupLink{})
	if err != nil || again.Token != "" || !call.Landed.Repeated {
		t.Errorf("a repeat answers %+v, %v", again, err)
	}
	if n := b.rows(`SELECT count(*) FROM operations WHERE answer LIKE '%' || $1 || '%'`, first.Token); n != 0 {
		t.Error("the link is kept in the clear")
	}
	newer := must(b, b.MakeSetupLink, access.System(), MakeSetupLink{})
	refuses(t, b.SetupOpen(t.Context(), first.Token), refusal.NotFound, "")
	if err := b.SetupOpen(t.Context(), newer.Token); err != nil {
		t.Errorf("the newer link: %v", err)
	}
	b.pass(setupFor + time.Second)
	refuses(t, b.SetupOpen(t.Context(), newer.Token), refusal.NotFound, "")
	_, err = do(b, b.RedeemSetup, access.Principal{}, jane(newer.Token))
	refuses(t, err, refusal.NotFound, "")
}

func TestSetupClosesForGood(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	link := must(b, b.MakeSetupLink, access.System(), MakeSetupLink{})
	must(b, b.RedeemSetup, access.Principal{}, jane(link.Token))
	_, err := do(b, b.RedeemSetup, access.Principal{}, jane(link.Token))
	refuses(t, err, refusal.Conflict, "")
	_, err = do(b, b.MakeSetupLink, access.System(), MakeSetupLink{})
	refuses(t, err, refusal.Conflict, "")
	refuses(t, b.SetupOpen(t.Context(), link.Token), refusal.Conflict, "")
	if n := b.rows(`SELECT count(*) FROM people`); n != 1 {
		t.Errorf("%d people", n)
	}
}

func TestOfTwoWhoRedeemOneWins(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	link := must(b, b.MakeSetupLink, access.System(), MakeSetupLink{})
	var wg sync.WaitGroup
	failed := make([]error, 2)
	for n, login := range []string{"jane.doe", "john.doe"} {
		wg.Go(func() {
			in := jane(link.Token)
			in.Login, in.Password = login, passphrase+login
			_, failed[n] = do(b, b.RedeemSetup, access.Principal{}, in)
		})
	}
	wg.Wait()
	if (failed[0] == nil) == (failed[1] == nil) {
		t.Fatalf("both ended alike: %v, %v", failed[0], failed[1])
	}
	for _, err := range failed {
		if err != nil {
			refuses(t, err, refusal.Conflict, "")
		}
	}
	if n := b.rows(`SELECT count(*) FROM people`); n != 1 {
		t.Errorf("%d people", n)
	}
}

func TestSetupRefusesAndGivesTheLinkBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	link := must(b, b.MakeSetupLink, access.System(), MakeSetupLink{})
	for name, c := range map[string]struct {
		change func(*RedeemSetup)
		field  string
	}{
		"one segment is a seat's": {func(a *RedeemSetup) { a.Login = "jane" }, "login"},
		"colons are a machine's":  {func(a *RedeemSetup) { a.Login = "ci:release" }, "login"},
		"a blank in the login":    {func(a *RedeemSetup) { a.Login = "jane .doe" }, "login"},
		"a login too long":        {func(a *RedeemSetup) { a.Login = "jane." + string(make([]byte, 60)) }, "login"},
		"no name":                 {func(a *RedeemSetup) { a.Name = "" }, "name"},
		"a blank name":            {func(a *RedeemSetup) { a.Name = "  " }, "name"},
		"a name nobody sees":      {func(a *RedeemSetup) { a.Name = "\u200b\u3164" }, "name"},
		"a name that turns round": {func(a *RedeemSetup) { a.Name = "\u202eenaJ" }, "name"},
		"not an address":          {func(a *RedeemSetup) { a.Email = "jane" }, "email"},
		"a short password":        {func(a *RedeemSetup) { a.Password = "green kettl" }, "password"},
		"NUL in the password":     {func(a *RedeemSetup) { a.Password += "\x00" }, "password"},
		"her own name":            {func(a *RedeemSetup) { a.Password = "JaneDoe2026!!" }, "password"},
	} {
		t.Run(name, func(t *testing.T) {
			in := jane(link.Token)
			c.change(&in)
			_, err := do(b, b.RedeemSetup, access.Principal{}, in)
			refuses(t, err, refusal.Invalid, c.field)
		})
	}
	if n := b.rows(`SELECT count(*) FROM people`); n != 0 {
		t.Errorf("%d people are half written", n)
	}
	must(b, b.RedeemSetup, access.Principal{}, jane(link.Token))
}

func TestOnlyTheEngineMakesSetupLinks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := do(b, b.MakeSetupLink, access.Principal{}, MakeSetupLink{})
	refuses(t, err, refusal.Unauthenticated, "")
	signed, _ := b.admin()
	_, err = do(b, b.MakeSetupLink, signed.Principal, MakeSetupLink{})
	refuses(t, err, refusal.Forbidden, "")
}
