package identity

import (
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"crewlet/config"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestMintedTokensOpenTheDoor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s, _ := b.admin()
	call := page(s.Principal)
	in := MintToken{Label: "ci:release", Grants: []string{"config:read", "state:read"}}
	made, err := tool.Do(t.Context(), b.run, b.MintToken, call, in)
	if err != nil || !strings.HasPrefix(made.Value, tokenPrefix) || len(made.Value) != len(tokenPrefix)+secretChars {
		t.Fatalf("minted %+v, %v", made, err)
	}
	if !made.ExpiresAt.Equal(b.now().Add(90 * 24 * time.Hour)) {
		t.Errorf("expires %v", made.ExpiresAt)
	}
	by, err := b.Token(t.Context(), made.Value)
	want := access.Principal{
		Kind: access.Machine, ID: made.ID, Credential: "token:" + made.ID, Name: "ci:release", Grants: access.ConfigRead | access.StateRead,
	}
	if err != nil || by != want {
		t.Errorf("it is %+v, %v", by, err)
	}
	eventually(t, "its use is written", func() bool {
		return b.rows(`SELECT count(*) FROM tokens WHERE last_used_at = $1`, b.now()) == 1
	})
	again, err := tool.Do(t.Context(), b.run, b.MintToken, call, in)
	if err != nil || again.Value != "" || again.ID != made.ID || !call.Landed.Repeated {
		t.Errorf("a repeat answers %+v, %v", again, err)
	}
	if n := b.rows(`SELECT count(*) FROM operations WHERE answer LIKE '%crw_tok_%'`); n != 0 {
		t.Error("the value is kept in the clear")
	}
	list := must(b, b.ListTokens, s.Principal, ListTokens{})
	if len(list.Tokens) != 1 || list.Tokens[0].Label != "ci:release" || list.Tokens[0].CreatedBy != "jane.doe" {
		t.Errorf("listed %+v", list)
	}
}

func TestMintRefuses(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s, _ := b.admin()
	b.max &^= access.SandboxRun
	some := s.Principal
	some.Grants = access.PeopleManage | access.StateRead
	tired := s.Principal
	tired.Fresh = false
	fine := MintToken{Label: "x", Grants: []string{"state:read"}}
	for name, c := range map[string]struct {
		by     access.Principal
		change func(*MintToken)
		class  refusal.Class
		field  string
	}{
		"no label":                {some, func(a *MintToken) { a.Label = "" }, refusal.Invalid, "label"},
		"a label of blanks":       {some, func(a *MintToken) { a.Label = "  " }, refusal.Invalid, "label"},
		"a label nobody sees":     {some, func(a *MintToken) { a.Label = "\u200b" }, refusal.Invalid, "label"},
		"a label of 65":           {some, func(a *MintToken) { a.Label = strings.Repeat("x", 65) }, refusal.Invalid, "label"},
		"no grants":               {some, func(a *MintToken) { a.Grants = nil }, refusal.Invalid, "grants"},
		"no such grant":           {some, func(a *MintToken) { a.Grants = []string{"state:raed"} }, refusal.Invalid, "grants"},
		"more than they hold":     {some, func(a *MintToken) { a.Grants = []string{"config:write"} }, refusal.Invalid, "grants"},
		"over the node's ceiling": {s.Principal, func(a *MintToken) { a.Grants = []string{"all"} }, refusal.Invalid, "grants"},
		"a label, among others":   {some, func(a *MintToken) { a.Label, a.Days = " ", 400 }, refusal.Invalid, "label"},
		"days, among others":      {some, func(a *MintToken) { a.Label, a.Days = " ", 400 }, refusal.Invalid, "days"},
		"negative days":           {some, func(a *MintToken) { a.Days = -1 }, refusal.Invalid, "days"},
		"over a year":             {some, func(a *MintToken) { a.Days = 366 }, refusal.Invalid, "days"},
		"sensitive over 30 days":  {some, func(a *MintToken) { a.Sensitive, a.Days = true, 31 }, refusal.Invalid, "days"},
		"no step-up":              {tired, func(*MintToken) {}, refusal.Forbidden, ""},
		"nobody":                  {access.Principal{}, func(*MintToken) {}, refusal.Unauthenticated, ""},
	} {
		t.Run(name, func(t *testing.T) {
			in := fine
			c.change(&in)
			_, err := do(b, b.MintToken, c.by, in)
			refuses(t, err, c.class, c.field)
		})
	}
	if n := b.rows(`SELECT count(*) FROM tokens`); n != 0 {
		t.Errorf("%d tokens all the same", n)
	}
}

func TestTokensEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s, _ := b.admin()
	lasting := must(b, b.MintToken, s.Principal, MintToken{Label: "a", Grants: []string{"all"}, Days: 1})
	sensitive := must(b, b.MintToken, s.Principal, MintToken{Label: "b", Grants: []string{"all"}, Sensitive: true})
	by, err := b.Token(t.Context(), sensitive.Value)
	if err != nil || !by.Fresh || !sensitive.ExpiresAt.Equal(b.now().Add(30*24*time.Hour)) {
		t.Errorf("sensitive is %+v until %v, %v", by, sensitive.ExpiresAt, err)
	}
	must(b, b.RevokeToken, s.Principal, RevokeToken{Token: sensitive.ID})
	_, err = b.Token(t.Context(), sensitive.Value)
	refuses(t, err, refusal.Unauthenticated, "")
	if n := b.rows(`SELECT count(*) FROM changes WHERE kind = 'token.revoked' AND object = $1`, "token:"+sensitive.ID); n != 1 {
		t.Errorf("%d rows say so", n)
	}
	call := page(s.Principal)
	if _, err = tool.Do(t.Context(), b.run, b.RevokeToken, call, RevokeToken{Token: sensitive.ID}); err != nil || call.Landed.Outcome != "unchanged" {
		t.Errorf("revoking twice: %+v, %v", call.Landed, err)
	}
	_, err = do(b, b.RevokeToken, s.Principal, RevokeToken{Token: tool.NewKey()})
	refuses(t, err, refusal.NotFound, "")
	b.pass(24 * time.Hour)
	_, err = b.Token(t.Context(), lasting.Value)
	refuses(t, err, refusal.Unauthenticated, "")
	if list := must(b, b.ListTokens, s.Principal, ListTokens{}); len(list.Tokens) != 2 {
		t.Errorf("just ended, and listed are %+v", list)
	}
	b.pass(shownFor)
	if list := must(b, b.ListTokens, s.Principal, ListTokens{}); len(list.Tokens) != 0 {
		t.Errorf("ended long ago, and listed are %+v", list)
	}
}

func TestNodeTokensNeedNoDatabase(t *testing.T) {
	t.Parallel()
	b := newBench(t,
		config.Token{ID: "ops:break-glass", SHA256: sha256.Sum256([]byte("of the file")), Grants: config.Grants{All: true}},
		config.Token{ID: "ci:look", SHA256: sha256.Sum256([]byte("a look")), Grants: config.Grants{Names: []string{"state:read"}}})
	b.max &^= access.SandboxRun
	if err := b.db.Close(); err != nil {
		t.Fatal(err)
	}
	by, err := b.Token(t.Context(), "of the file")
	want := access.Principal{
		Kind: access.Machine, ID: "ops:break-glass", Credential: "node:ops:break-glass", Name: "ops:break-glass",
		Grants: access.All &^ access.SandboxRun, Fresh: true,
	}
	if err != nil || by != want {
		t.Errorf("it is %+v, %v", by, err)
	}
	if by, err = b.Token(t.Context(), "a look"); err != nil || by.Grants != access.StateRead {
		t.Errorf("the other is %+v, %v", by, err)
	}
}

func TestNoSuchTokenIsNobody(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, value := range map[string]string{
		"empty": "", "no shape": "hello", "the prefix alone": tokenPrefix, "made up": tokenPrefix + newSecret(),
		"too long": tokenPrefix + newSecret() + "x", "NUL": tokenPrefix + strings.Repeat("\x00", secretChars),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.Token(t.Context(), value)
			refuses(t, err, refusal.Unauthenticated, "")
		})
	}
}
