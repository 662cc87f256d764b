package identity

import (
	"context"
	"testing"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestSignInRefusesAlike(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.admin()
	b.write(`
		INSERT INTO people (id, login, name, password, grants, stage, created_at)
		SELECT '0190f3a2-7c4e-7d5a-9b1e-3f0c2a1d4e5f', 'old.hand', name, password, grants, 'suspended', created_at FROM people`)
	for name, in := range map[string]SignIn{
		"wrong password":  {Login: "jane.doe", Password: "not the password"},
		"nobody":          {Login: "john.doe", Password: passphrase},
		"suspended":       {Login: "old.hand", Password: passphrase},
		"no login at all": {Login: "'; DROP TABLE people", Password: passphrase},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := do(b, b.SignIn, access.Principal{}, in)
			refuses(t, err, refusal.Unauthenticated, "")
			if says := refusal.Of(err).Says; says != "Login or password is wrong." {
				t.Errorf("says %q", says)
			}
			const recorded = `SELECT count(*) FROM audit WHERE verb = 'sign_in' AND outcome = 'unauthenticated' AND object = $1`
			if n := b.rows(recorded, in.Object()); n != 1 {
				t.Errorf("%d audit rows for %s", n, in.Object())
			}
		})
	}
	if n := b.rows(`SELECT count(*) FROM browser_sessions`); n != 1 {
		t.Errorf("%d sessions, want only the first", n)
	}
}

func TestSignInTakesThePasswordHoweverItIsTyped(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	link := must(b, b.MakeSetupLink, access.System(), MakeSetupLink{})
	setup := jane(link.Token)
	setup.Password = "caf\u00e9 under\u00a0stairs"
	must(b, b.RedeemSetup, access.Principal{}, setup)
	in := must(b, b.SignIn, access.Principal{}, SignIn{Login: " JANE.doe ", Password: "cafe\u0301 under stairs", Browser: From("127.0.0.1", "Firefox\x7f")})
	list := must(b, b.ListSignIns, b.signed(in.Session).Principal, ListSignIns{})
	if len(list.SignIns) != 2 || list.SignIns[0].Agent+list.SignIns[1].Agent != "Firefox" {
		t.Errorf("sign-ins %+v", list)
	}
	for _, s := range list.SignIns {
		if s.Here != (s.ID == in.Session) {
			t.Errorf("%+v thinks it is here", s)
		}
	}
}

func TestPasswordsAreTakenOnThePageAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.admin()
	call := page(access.Principal{})
	call.Door = "api"
	_, err := tool.Do(t.Context(), b.run, b.SignIn, call, SignIn{Login: "jane.doe", Password: passphrase})
	refuses(t, err, refusal.Forbidden, "")
}

func TestARepeatOfASignInIsTheSameSession(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.admin()
	call, in := page(access.Principal{}), SignIn{Login: "jane.doe", Password: passphrase}
	first, err := tool.Do(t.Context(), b.run, b.SignIn, call, in)
	if err != nil {
		t.Fatal(err)
	}
	twice := &tool.Call{Key: call.Key, Door: "page"}
	second, err := tool.Do(t.Context(), b.run, b.SignIn, twice, in)
	if err != nil || second != first || !twice.Landed.Repeated {
		t.Errorf("got %+v, %v, want %+v again", second, err, first)
	}
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]func(*bench, Signed){
		"signed out":       func(b *bench, s Signed) { must(b, b.SignOut, s.Principal, SignOut{}) },
		"ended in a list":  func(b *bench, s Signed) { must(b, b.EndSignIn, s.Principal, EndSignIn{Session: s.Session}) },
		"idle for 14 days": func(b *bench, _ Signed) { b.pass(idleFor) },
		"60 days old": func(b *bench, s Signed) {
			b.write(`UPDATE browser_sessions SET created_at = created_at - interval '1440 hours' WHERE id = $1`, s.Session)
		},
		"suspended": func(b *bench, _ Signed) { b.write(`UPDATE people SET stage = 'suspended'`) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			s, _ := b.admin()
			c(b, s)
			_, err := b.Session(t.Context(), s.Session)
			refuses(t, err, refusal.Unauthenticated, "")
		})
	}
}

func TestNoSuchSessionIsNobody(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, id := range map[string]string{"empty": "", "no id": "x' OR 1=1", "made up": tool.NewKey()} {
		t.Run(name, func(t *testing.T) {
			_, err := b.Session(t.Context(), id)
			refuses(t, err, refusal.Unauthenticated, "")
		})
	}
}

func TestWhatCouldNotBeCheckedIsNotNobody(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s, _ := b.admin()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.Session(gone, s.Session)
	refuses(t, err, refusal.Unavailable, "")
	_, err = b.Token(gone, tokenPrefix+newSecret())
	refuses(t, err, refusal.Unavailable, "")
	refuses(t, b.SetupOpen(gone, newSecret()), refusal.Unavailable, "")
}

func TestEndedSessionsAreToldByName(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s, _ := b.admin()
	must(b, b.SignOut, s.Principal, SignOut{})
	if n := b.rows(`SELECT count(*) FROM changes WHERE kind = 'session.ended' AND object = $1`, s.Principal.Credential); n != 1 {
		t.Errorf("%d rows say so", n)
	}
	call := page(s.Principal)
	if _, err := tool.Do(t.Context(), b.run, b.SignOut, call, SignOut{}); err != nil || call.Landed.Outcome != "unchanged" {
		t.Errorf("signing out twice: %+v, %v", call.Landed, err)
	}
}

func TestOnlyTheOwnerEndsASignIn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s, _ := b.admin()
	other := s.Principal
	other.ID = "0190f3a2-7c4e-7d5a-9b1e-3f0c2a1d4e5f"
	_, err := do(b, b.EndSignIn, other, EndSignIn{Session: s.Session})
	refuses(t, err, refusal.Forbidden, "")
	_, err = do(b, b.EndSignIn, s.Principal, EndSignIn{Session: other.ID})
	refuses(t, err, refusal.NotFound, "")
	_, err = do(b, b.EndSignIn, s.Principal, EndSignIn{Session: "one"})
	refuses(t, err, refusal.Invalid, "session")
	machine := access.Principal{Kind: access.Machine, ID: s.Principal.ID, Credential: "token:x", Grants: access.All, Fresh: true}
	_, err = do(b, b.SignOut, machine, SignOut{})
	refuses(t, err, refusal.Forbidden, "")
	_, err = do(b, b.ListSignIns, machine, ListSignIns{})
	refuses(t, err, refusal.Forbidden, "")
}

func TestConfirmingOpensSensitiveActsForAnHour(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first, in := b.admin()
	b.pass(freshFor)
	if b.signed(in.Session).Principal.Fresh {
		t.Fatal("still fresh after an hour")
	}
	_, err := do(b, b.ConfirmPassword, first.Principal, ConfirmPassword{Password: "not the password"})
	refuses(t, err, refusal.Invalid, "password")
	out := must(b, b.ConfirmPassword, first.Principal, ConfirmPassword{Password: passphrase})
	if s := b.signed(in.Session); !s.Principal.Fresh || !out.Until.Equal(b.now().Add(freshFor)) {
		t.Errorf("after confirming: %+v, until %v", s, out.Until)
	}
	if n := b.rows(`SELECT count(*) FROM changes WHERE kind = 'session.confirmed' AND object = $1`, "session:"+in.Session); n != 1 {
		t.Errorf("%d rows say so", n)
	}
	must(b, b.SignOut, first.Principal, SignOut{})
	_, err = do(b, b.ConfirmPassword, first.Principal, ConfirmPassword{Password: passphrase})
	refuses(t, err, refusal.Unauthenticated, "")
}

func TestSeenIsWrittenAtMostOnceAMinute(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, in := b.admin()
	const seenAt = `SELECT count(*) FROM browser_sessions WHERE id = $1 AND seen_at = $2`
	b.pass(seenEvery - time.Second)
	b.signed(in.Session)
	if len(b.seen) != 0 || b.rows(seenAt, in.Session, b.now()) != 0 {
		t.Error("written within the minute")
	}
	b.pass(time.Second)
	b.signed(in.Session)
	eventually(t, "the use is written", func() bool { return b.rows(seenAt, in.Session, b.now()) == 1 })
}
