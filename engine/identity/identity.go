// Package identity knows who somebody is: the first administrator's set-up,
// signing in with a password, the browsers a person is signed in with, and the
// tokens machines carry. It turns a credential into a principal; what a
// principal may do is package access's.
package identity

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"crewlet/config"
	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/org"
	"crewlet/engine/tool"
)

// Identity is the area's service. Close ends what it does behind requests.
type Identity struct {
	MakeSetupLink   tool.Use[MakeSetupLink, SetupLink]
	RedeemSetup     tool.Use[RedeemSetup, SignedIn]
	SignIn          tool.Use[SignIn, SignedIn]
	SignOut         tool.Use[SignOut, Ended]
	ConfirmPassword tool.Use[ConfirmPassword, Confirmed]
	ListSignIns     tool.Use[ListSignIns, SignIns]
	EndSignIn       tool.Use[EndSignIn, Ended]
	MintToken       tool.Use[MintToken, Minted]
	ListTokens      tool.Use[ListTokens, TokenList]
	RevokeToken     tool.Use[RevokeToken, Revoked]

	MintOwnToken   tool.Use[MintOwnToken, Minted]
	ListOwnTokens  tool.Use[ListOwnTokens, OwnTokens]
	RevokeOwnToken tool.Use[RevokeOwnToken, Revoked]

	ListPeople       tool.Use[ListPeople, People]
	InvitePerson     tool.Use[InvitePerson, Invited]
	RevokeInvitation tool.Use[RevokeInvitation, RevokedInvitation]
	RedeemInvitation tool.Use[RedeemInvitation, SignedIn]
	BindSeat         tool.Use[BindSeat, PersonChanged]
	UnbindSeat       tool.Use[UnbindSeat, PersonChanged]
	GrantPerson      tool.Use[GrantPerson, PersonChanged]
	WithholdPerson   tool.Use[WithholdPerson, PersonChanged]
	SuspendPerson    tool.Use[SuspendPerson, PersonChanged]
	RestorePerson    tool.Use[RestorePerson, PersonChanged]

	db     *db.DB
	now    func() time.Time
	log    *slog.Logger
	max    access.Grants
	org    func(context.Context, *tool.Call) (*org.Directory, error)
	node   []nodeToken
	hasher hasher
	waits  waits

	strangers *strangers
	known     known

	seen    chan seen
	end     context.CancelFunc
	writers sync.WaitGroup
}

// Options is what identity needs of the node.
type Options struct {
	DB  *db.DB
	Now func() time.Time
	Log *slog.Logger
	Max access.Grants // the node's ceiling on everybody's grants
	// Org is who there is, and in which seat, as a call sees it.
	Org func(context.Context, *tool.Call) (*org.Directory, error)
	// Node are the tokens of the node's own file: a way in when nobody can
	// sign in.
	Node []config.Token
}

// New makes the service.
func New(o Options) *Identity {
	i := &Identity{
		db: o.DB, now: o.Now, log: o.Log, max: o.Max, org: o.Org, node: nodeTokens(o.Node),
		hasher: newHasher(cost), waits: newWaits(), strangers: newStrangers(), seen: make(chan seen, seenQueue),
	}
	i.MakeSetupLink = declareMakeSetupLink(i)
	i.RedeemSetup = declareRedeemSetup(i)
	i.SignIn = declareSignIn(i)
	i.SignOut = declareSignOut(i)
	i.ConfirmPassword = declareConfirmPassword(i)
	i.ListSignIns = declareListSignIns(i)
	i.EndSignIn = declareEndSignIn(i)
	i.MintToken = declareMintToken(i)
	i.ListTokens = declareListTokens(i)
	i.RevokeToken = declareRevokeToken(i)
	i.MintOwnToken = declareMintOwnToken(i)
	i.ListOwnTokens = declareListOwnTokens(i)
	i.RevokeOwnToken = declareRevokeOwnToken(i)
	i.declarePeople()
	ctx, end := context.WithCancel(context.Background())
	i.end = end
	i.writers.Go(func() { i.writeSeen(ctx) })
	return i
}

func (i *Identity) declarePeople() {
	i.ListPeople = declareListPeople(i)
	i.InvitePerson = declareInvitePerson(i)
	i.RevokeInvitation = declareRevokeInvitation(i)
	i.RedeemInvitation = declareRedeemInvitation(i)
	i.BindSeat = declareBindSeat(i)
	i.UnbindSeat = declareUnbindSeat(i)
	i.GrantPerson = declareGrantPerson(i)
	i.WithholdPerson = declareWithholdPerson(i)
	i.SuspendPerson = declareSuspendPerson(i)
	i.RestorePerson = declareRestorePerson(i)
}

// Tools lists the area's use cases for the catalogue.
func (i *Identity) Tools() []tool.Tool {
	return []tool.Tool{
		i.MakeSetupLink.Any(), i.RedeemSetup.Any(), i.SignIn.Any(), i.SignOut.Any(), i.ConfirmPassword.Any(),
		i.ListSignIns.Any(), i.EndSignIn.Any(), i.MintToken.Any(), i.ListTokens.Any(), i.RevokeToken.Any(),
		i.MintOwnToken.Any(), i.ListOwnTokens.Any(), i.RevokeOwnToken.Any(),
		i.ListPeople.Any(), i.InvitePerson.Any(), i.RevokeInvitation.Any(), i.RedeemInvitation.Any(), i.BindSeat.Any(), i.UnbindSeat.Any(),
		i.GrantPerson.Any(), i.WithholdPerson.Any(), i.SuspendPerson.Any(), i.RestorePerson.Any(),
	}
}

// Close ends what runs behind requests. It is called before the database is
// closed.
func (i *Identity) Close() {
	i.end()
	i.writers.Wait()
}
