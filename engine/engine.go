// Package engine wires every area to the one runner and to each other. What an
// area needs of another arrives here as a function, so that none imports its
// neighbour.
package engine

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"crewlet/config"
	"crewlet/config/document"
	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/company"
	"crewlet/engine/history"
	"crewlet/engine/identity"
	"crewlet/engine/org"
	"crewlet/engine/search"
	"crewlet/engine/secrets"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
	"crewlet/mcp/client"
)

// Options is what the engine is handed. It reads nothing else of the machine.
type Options struct {
	DB     *db.DB
	Ring   *secrets.Keyring
	Now    func() time.Time
	Log    *slog.Logger
	Node   servers.Self
	Max    access.Grants
	Tokens []config.Token // of the node's own file
	// Environ is what ${NAME} falls back to, and what children are given part of.
	Environ []string
	Index   string                                                   // file the keyword index is kept in between starts; "" for not at all
	Spawner *client.Spawner                                          // starts children; nil where none are started
	Landed  func(spec tool.Spec, outcome string, took time.Duration) // for metrics; may be nil
}

// Engine is every area, ready to be called.
type Engine struct {
	Run      *tool.Runner
	Feed     *changes.Feed
	Identity *identity.Identity
	Company  *company.Company
	Org      *org.Org
	Secrets  *secrets.Secrets
	History  *history.History
	Servers  *servers.Servers
	Tracker  *tracker.Tracker
	Index    *search.Index
	Tools    []tool.Tool // every use case there is

	untracked []tool.Tool // those that do not belong to the tracker

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
	e := &Engine{
		db: o.DB, Feed: changes.NewFeed(o.DB, o.Log, position),
		Run: &tool.Runner{DB: o.DB, Now: o.Now, Log: o.Log, Node: o.Node.ID, Max: o.Max, Landed: o.Landed, Keys: keys(o.Ring)},
	}
	e.Run.Heard = e.Feed.Position
	e.History = history.New(history.Options{Run: e.Run, Feed: e.Feed})
	e.Company = company.New(company.Sources{
		Stored:        func(ctx context.Context, tx *db.Tx) ([]string, error) { return e.Secrets.Names(ctx, tx) },
		InEnvironment: func(name string) bool { return !document.Reserved(name) && lookup(o.Environ, name) != "" },
		Holders: func(ctx context.Context, c *tool.Call) (map[string]company.Holder, error) {
			return e.Org.Holders(ctx, c)
		},
		Revised: func(ctx context.Context, c *tool.Call, doc *document.Document) error {
			return errors.Join(e.Org.Revised(ctx, c, doc), e.Tracker.Revised(ctx, c, doc))
		},
	})
	e.Feed.Subscribe(e.Company.Hear)
	e.Org = org.New(e.Company.At)
	e.Feed.Subscribe(e.Org.Hear)
	e.Identity = identity.New(identity.Options{DB: o.DB, Now: o.Now, Log: o.Log, Max: o.Max, Node: o.Tokens, Org: e.Org.At})
	e.Feed.Subscribe(e.Identity.Hear)
	e.Index = newIndex(o.DB, o.Index, o.Log)
	e.Feed.Subscribe(e.Index.Hear)
	e.Tracker = tracker.New(tracker.Options{
		Search:    findItems(e.Index),
		Directory: e.Org.At,
		Document: func(ctx context.Context, c *tool.Call) (*document.Document, error) {
			now, err := e.Company.At(ctx, c)
			if err != nil {
				return nil, err
			}
			return now.Document, nil
		},
	})
	e.Secrets = secrets.New(o.Ring, e.Company.ReferencesIn)
	e.Servers = servers.New(servers.Options{
		DB: o.DB, Run: e.Run, Feed: e.Feed, Company: e.Company, Secrets: e.Secrets, Spawner: o.Spawner, Node: o.Node,
		Environ: o.Environ, Builtin: func() []tool.Tool { return e.Tools }, Offers: e.Offers, Log: o.Log,
	})
	for _, tools := range [][]tool.Tool{e.Identity.Tools(), e.Org.Tools(), e.Company.Tools(), e.Secrets.Tools(), e.History.Tools(), e.Servers.Tools()} {
		e.untracked = append(e.untracked, tools...)
	}
	e.Tools = slices.Concat(e.untracked, e.Tracker.Tools())
	return e, nil
}

// lookup reads an environment in which the last of two equal names counts.
func lookup(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if key, value, _ := strings.Cut(entry, "="); key == name {
			return value
		}
	}
	return ""
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
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	e.stop = stop
	e.Index.Start(ctx)
	e.running.Go(func() {
		if err := e.Feed.Run(following); err != nil {
			e.Run.Log.ErrorContext(following, "change_feed_ended", "error", err)
		}
	})
	e.running.Go(func() { e.tidy(following) })
	return e.Servers.Start(ctx)
}

// tidyEvery is how often a node forgets what is kept no longer.
const tidyEvery = time.Hour

func (e *Engine) tidy(ctx context.Context) {
	tick := time.NewTicker(tidyEvery)
	defer tick.Stop()
	for {
		if err := errors.Join(e.Run.Tidy(ctx), e.Identity.Tidy(ctx), e.cutInboxes(ctx)); err != nil && ctx.Err() == nil {
			e.Run.Log.WarnContext(ctx, "tidy_failed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// cutInboxes takes away what the company keeps in inboxes no longer.
func (e *Engine) cutInboxes(ctx context.Context) error {
	_, doc, _, _, err := e.Company.Current(ctx, e.db)
	if err != nil || doc.InboxDays == 0 { // before its first revision a company says nothing
		return err
	}
	return e.Tracker.Tidy(ctx, e.db, e.Run.Now(), doc.InboxDays)
}

// Close ends all that Start began, and what runs behind requests. Servers that
// do not stop by the end of ctx are killed.
func (e *Engine) Close(ctx context.Context) error {
	err := e.Servers.Close(ctx)
	if e.stop != nil {
		e.stop()
	}
	e.running.Wait()
	e.Index.Close(ctx)
	e.Identity.Close()
	return err
}
