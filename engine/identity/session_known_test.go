package identity

import (
	"context"
	"testing"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// known reads a session as a page does, and then what the page shows.
func (b *bench) known(session string) (byHeart bool, err error) {
	b.t.Helper()
	s, byHeart, err := b.Known(b.t.Context(), session)
	if err != nil {
		return byHeart, err
	}
	call := page(s.Principal)
	if byHeart {
		call.Still = func(ctx context.Context, c *tool.Call) (access.Principal, error) { return b.Still(ctx, c, session) }
	}
	_, err = tool.Do(b.t.Context(), b.run, b.ListTokens, call, ListTokens{})
	return byHeart, err
}

// heard is how far in the log identity was told.
func (b *bench) heard() int64 { return b.Identity.known.heard }

// told hands the log to identity, as the feed does.
func (b *bench) told() {
	b.t.Helper()
	rows, err := changes.After(b.t.Context(), b.db, b.heard(), 1000)
	if err != nil {
		b.t.Fatal(err)
	}
	b.Hear(rows)
}

func TestAKnownSessionHoldsWhereTheReadStands(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		happens func(b *bench, s Signed)
		byHeart bool
		class   refusal.Class
	}{
		"nothing happened":         {func(*bench, Signed) {}, true, ""},
		"it was used a minute ago": {func(b *bench, _ Signed) { b.pass(heldFor) }, false, ""},
		"nobody saw its row go": {func(b *bench, s Signed) {
			b.write(`DELETE FROM browser_sessions WHERE id = $1`, s.Session)
		}, true, ""},
		"its row went over a minute ago": {func(b *bench, s Signed) {
			b.write(`DELETE FROM browser_sessions WHERE id = $1`, s.Session)
			b.pass(heldFor)
		}, false, refusal.Unauthenticated},
		"ended, not heard yet": {func(b *bench, s Signed) {
			must(b, b.SignOut, s.Principal, SignOut{})
		}, true, refusal.Unauthenticated},
		"ended, heard": {func(b *bench, s Signed) {
			must(b, b.SignOut, s.Principal, SignOut{})
			b.told()
		}, false, refusal.Unauthenticated},
		"fewer rights, not heard yet": {func(b *bench, s Signed) {
			b.write(`UPDATE people SET grants = '{state:read}'`)
			must(b, b.MintToken, s.Principal, MintToken{Label: "ci", Grants: []string{"state:read"}, Days: 1})
		}, true, refusal.Forbidden},
		"fewer rights, heard": {func(b *bench, s Signed) {
			b.write(`UPDATE people SET grants = '{state:read}'`)
			must(b, b.MintToken, s.Principal, MintToken{Label: "ci", Grants: []string{"state:read"}, Days: 1})
			b.Hear([]changes.Change{{Position: b.heard() + 1, Kind: "person.granted"}})
		}, false, refusal.Forbidden},
		"something else, not heard yet": {func(b *bench, s Signed) {
			must(b, b.MintToken, s.Principal, MintToken{Label: "ci", Grants: []string{"state:read"}, Days: 1})
		}, true, ""},
		"something else, heard": {func(b *bench, s Signed) {
			must(b, b.MintToken, s.Principal, MintToken{Label: "ci", Grants: []string{"state:read"}, Days: 1})
			b.told()
			b.write(`DELETE FROM browser_sessions WHERE id = $1`, s.Session) // it would be seen if the session were read
		}, true, ""},
		"idle for 14 days": {func(b *bench, _ Signed) { b.pass(idleFor) }, false, refusal.Unauthenticated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			_, in := b.admin()
			b.told()
			c.happens(b, b.signed(in.Session))
			byHeart, err := b.known(in.Session)
			if byHeart != c.byHeart || c.class == "" && err != nil || c.class != "" && !refusal.Is(err, c.class) {
				t.Errorf("by heart %v, %v; want %v, %q", byHeart, err, c.byHeart, c.class)
			}
		})
	}
}

func TestWhetherThePasswordIsFreshIsKnownByTheClock(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, in := b.admin()
	b.told()
	b.pass(freshFor - time.Second)
	b.signed(in.Session)
	b.pass(time.Second)
	s, byHeart, err := b.Known(t.Context(), in.Session)
	if err != nil || !byHeart || s.Principal.Fresh {
		t.Errorf("by heart %v, fresh %v, %v", byHeart, s.Principal.Fresh, err)
	}
}

func TestKnownSessionsAreBounded(t *testing.T) {
	t.Parallel()
	var k known
	for range 2*knownMost + 1 {
		k.keep(tool.NewKey(), sessionRow{}, time.Time{})
	}
	if len(k.rows) > knownMost {
		t.Errorf("%d are held", len(k.rows))
	}
}
