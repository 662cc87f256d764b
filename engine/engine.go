// Package engine wires every area to the one runner and to each other. What an
// area needs of another arrives here as a function, so that none imports its
// neighbour.
package engine

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"crewlet/config"
	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/company"
	"crewlet/engine/history"
	"crewlet/engine/identity"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
)

// Options is what the engine is handed. It reads nothing else of the machine.
type Options struct {
	DB     *db.DB
	Ring   *secrets.Keyring
	Now    func() time.Time
	Log    *slog.Logger
	Node   string // id of this node
	Max    access.Grants
	Tokens []config.Token // of the node's own file
	Getenv func(string) string
	Landed func(spec tool.Spec, outcome string, took time.Duration) // for metrics; may be nil
}

// Engine is every area, ready to be called.
type Engine struct {
	Run      *tool.Runner
	Feed     *changes.Feed
	Identity *identity.Identity
	Company  *company.Company
	Secrets  *secrets.Secrets
	History  *history.History
	Tools    []tool.Tool // every use case there is

	db      *db.DB
	stop    context.CancelFunc
	running sync.WaitGroup
}

// New wires the engine. Nothing runs yet; see Start.
func New(ctx context.Context, o Options) (*Engine, error) {
	position, err := changes.Head(ctx, o.DB)
	if err != nil {
		return nil, err
	}
	people, err := identity.New(identity.Options{DB: o.DB, Now: o.Now, Log: o.Log, Max: o.Max, Node: o.Tokens})
	if err != nil {
		return nil, err
	}
	e := &Engine{
		db: o.DB, Feed: changes.NewFeed(o.DB, o.Log, position), Identity: people, History: history.New(),
		Run: &tool.Runner{DB: o.DB, Now: o.Now, Log: o.Log, Node: o.Node, Max: o.Max, Landed: o.Landed, Keys: keys(o.Ring)},
	}
	e.Company = company.New(company.Sources{
		Stored:        func(ctx context.Context, tx *db.Tx) ([]string, error) { return e.Secrets.Names(ctx, tx) },
		InEnvironment: func(name string) bool { return !secrets.Reserved(name) && o.Getenv(name) != "" },
	})
	e.Secrets = secrets.New(o.Ring, e.Company.ReferencesIn)
	for _, tools := range [][]tool.Tool{e.Identity.Tools(), e.Company.Tools(), e.Secrets.Tools(), e.History.Tools()} {
		e.Tools = append(e.Tools, tools...)
	}
	return e, nil
}

func keys(ring *secrets.Keyring) tool.Keys {
	return tool.Keys{
		Digest: func(data []byte) []byte { return ring.Digest("operations", data) },
		Seal:   ring.SealTagged,
		Open:   ring.OpenTagged,
	}
}

// Start begins what a serving node does by itself: following the log, keeping
// servers as the company declares them. Commands do not call it.
func (e *Engine) Start(ctx context.Context) error {
	if err := e.Run.CloseAbandoned(ctx, e.Run.Node); err != nil {
		return err
	}
	ctx, e.stop = context.WithCancel(context.WithoutCancel(ctx))
	e.running.Go(func() {
		if err := e.Feed.Run(ctx); err != nil {
			e.Run.Log.ErrorContext(ctx, "change_feed_ended", "error", err)
		}
	})
	return nil
}

// Close ends all that Start began, and what runs behind requests.
func (e *Engine) Close() {
	if e.stop != nil {
		e.stop()
	}
	e.running.Wait()
	e.Identity.Close()
}
