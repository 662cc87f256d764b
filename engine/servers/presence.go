package servers

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"crewlet/db"
)

// Node is one node of the company.
type Node struct {
	ID         string    `json:"id" db:"id"`
	Name       string    `json:"name" db:"name"`
	URL        string    `json:"url" db:"url"`
	Version    string    `json:"version" db:"version"`
	StartedAt  time.Time `json:"started_at" db:"started_at"` // UTC
	SeenAt     time.Time `json:"seen_at" db:"seen_at"`       // UTC
	Live       bool      `json:"live" db:"live"`             // heard of within three beats
	Revision   int64     `json:"revision" db:"revision"`     // the newest it has applied
	ApplyError string    `json:"apply_error" db:"apply_error"`
}

// Ages are judged on the database's clock: nodes' own may differ.
const (
	nodeColumns = `id, name, url, version, started_at, seen_at, seen_at > now() - interval '45 seconds' AS live, revision, apply_error`

	listNodes = `SELECT ` + nodeColumns + ` FROM nodes ORDER BY name, id`

	forgetStates = `DELETE FROM server_states WHERE node = $1`

	present = `
		INSERT INTO nodes (id, name, url, version, run, started_at, seen_at)
		VALUES ($1, $2, $3, $4, $6, clock_timestamp(), clock_timestamp())
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url, version = excluded.version, seen_at = excluded.seen_at,
			started_at = CASE WHEN $5 THEN excluded.started_at ELSE nodes.started_at END
		WHERE nodes.run = excluded.run
		RETURNING xmax = 0 AS fresh`

	// A node that has been silent for a day is not coming back under this id.
	forgetNodes = `DELETE FROM nodes WHERE seen_at < now() - interval '1 day'`

	departed = `DELETE FROM nodes WHERE id = $1 AND run = $2`
)

// Nodes lists the company's nodes and what each has applied. A node that
// serves knows them from its last beat and from the log, and asks nothing.
func (s *Servers) Nodes(ctx context.Context) ([]Node, error) {
	if known := s.peers.list(); known != nil {
		return known, nil
	}
	nodes := []Node{}
	if err := s.o.DB.SelectContext(ctx, &nodes, listNodes); err != nil {
		return nil, fmt.Errorf("list the nodes: %w", err)
	}
	return nodes, nil
}

// join writes the node down. What an earlier start of it said of its servers
// is no longer true.
func (s *Servers) join(ctx context.Context) error {
	return s.o.DB.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.ExecContext(ctx, forgetStates, s.o.Node.ID); err != nil {
			return fmt.Errorf("forget this node's old states: %w", err)
		}
		_, err := s.appear(ctx, tx, true)
		return err
	})
}

// beat says that the node lives. Presence is no change of the company, so it
// is written outside the runner. A node that others had given up tells anew
// how its servers stand.
func (s *Servers) beat(ctx context.Context) time.Duration {
	var fresh bool
	heard := s.peers.mark()
	nodes := []Node{}
	err := s.o.DB.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if fresh, err = s.appear(ctx, tx, false); err != nil {
			return err
		}
		if _, err = tx.ExecContext(ctx, forgetNodes); err != nil {
			return err
		}
		nodes = nodes[:0]
		return tx.SelectContext(ctx, &nodes, listNodes)
	})
	if errors.Is(err, ErrTaken) {
		s.oust(ctx)
		return beat
	}
	if err != nil {
		if ctx.Err() == nil {
			s.o.Log.WarnContext(ctx, "node_presence_not_written", "node", s.o.Node.ID, "error", err)
		}
		return beat
	}
	if s.peers.see(nodes, heard) {
		s.announce()
	}
	if fresh {
		for _, r := range s.pool.Reports() {
			s.hear(r)
		}
		s.told.Store(true)
		s.rouse()
	}
	return beat
}

// presenceAside is the word between nodes for what Presence tells.
const presenceAside = "presence"

// Presence takes what is called when something is another that the log does
// not tell of: a node fell silent, left or came back, or an instance on any
// node that fails as before has another next try. It is called from several
// goroutines and must not wait.
func (s *Servers) Presence(tell func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onPresence = tell
}

// overhear passes on what another node, or this one, told aside; "" is what may
// have been missed.
func (s *Servers) overhear(word string) {
	if word == presenceAside || word == "" {
		s.announce()
	}
}

func (s *Servers) announce() {
	s.mu.Lock()
	tell := s.onPresence
	s.mu.Unlock()
	if tell != nil {
		tell()
	}
}

func (s *Servers) appear(ctx context.Context, tx *db.Tx, starting bool) (fresh bool, err error) {
	n := s.o.Node
	err = tx.GetContext(ctx, &fresh, present, n.ID, n.Name, n.URL, n.Version, starting, n.Run)
	if errors.Is(err, sql.ErrNoRows) {
		return false, ErrTaken
	}
	if err != nil {
		return false, fmt.Errorf("write this node's presence: %w", err)
	}
	return fresh, nil
}

// Ousted is closed when another start has made this node its own, as one may
// that saw nothing of this one for a long while. Two must not go on as one node.
func (s *Servers) Ousted() <-chan struct{} { return s.ousted }

// oust is called by the goroutine of the beat alone.
func (s *Servers) oust(ctx context.Context) {
	select {
	case <-s.ousted:
	default:
		s.o.Log.ErrorContext(ctx, "node_ousted", "node", s.o.Node.ID)
		close(s.ousted)
	}
}
