// Package org is the company's people and seats: who holds which seat, who
// leads whom, and whom a word means. It reads the company document through the
// areas below it, and answers with directories: snapshots that never change.
package org

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"crewlet/engine/changes"
	"crewlet/engine/company"
	"crewlet/engine/tool"
)

// Org is the area's service.
type Org struct {
	GetPerson tool.Use[GetPerson, PersonRead]

	company func(context.Context, *tool.Call) (*company.Standing, error)

	mu    sync.Mutex
	held  *Directory // the newest that was made
	known window     // where in the log it is known to hold
}

// New makes the service. standing is the company document as a call sees it.
func New(standing func(context.Context, *tool.Call) (*company.Standing, error)) *Org {
	o := &Org{company: standing}
	o.GetPerson = declareGetPerson(o)
	return o
}

// Tools lists the area's use cases for the catalogue.
func (o *Org) Tools() []tool.Tool { return []tool.Tool{o.GetPerson.Any()} }

// window is the stretch of the log over which a directory is known to be what
// a snapshot inside it would read.
type window struct {
	held     *Directory
	from, to int64 // positions, both inside
}

// Hear takes rows of the change feed, in order.
func (o *Org) Hear(rows []changes.Change) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, row := range rows {
		if o.known.held == nil || row.Position != o.known.to+1 {
			continue // known already, or a stretch nobody looked at
		}
		if moves(row.Kind) {
			return
		}
		o.known.to = row.Position
	}
}

// moves reports whether a change is of people, of seats or of the document.
func moves(kind string) bool {
	area, _, _ := strings.Cut(kind, ".")
	return area == "person" || area == "seat" || area == "company"
}

// At is the directory as a call's transaction sees it. A read in whose stretch
// of the log nothing moved asks nothing of the database.
func (o *Org) At(ctx context.Context, c *tool.Call) (*Directory, error) {
	asOf := c.Landed.Position // a read's; a write has none yet, and asks
	o.mu.Lock()
	known := o.known
	o.mu.Unlock()
	if asOf > 0 && known.held != nil && known.from <= asOf && asOf <= known.to {
		return known.held, nil
	}
	now, err := o.now(ctx, c)
	if err != nil || asOf == 0 {
		return now, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known.held == nil || asOf > o.known.to {
		o.known = window{held: now, from: asOf, to: asOf}
	}
	return now, nil
}

// What a transaction wrote itself may yet be rolled back, and is not held for
// others.
const peopleHead = `
	SELECT version, xmin::text::bigint IS NOT DISTINCT FROM pg_current_xact_id_if_assigned()::text::bigint % 4294967296 AS mine
	FROM people_head`

// now reads the directory, unless the one that is held is the same.
func (o *Org) now(ctx context.Context, c *tool.Call) (*Directory, error) {
	standing, err := o.company(ctx, c)
	if err != nil {
		return nil, err
	}
	var head struct {
		Version int64 `db:"version"`
		Mine    bool  `db:"mine"`
	}
	if err := c.Tx.GetContext(ctx, &head, peopleHead); err != nil {
		return nil, fmt.Errorf("read whether people moved: %w", err)
	}
	o.mu.Lock()
	held := o.held
	o.mu.Unlock()
	if held != nil && held.revision == standing.ID && held.version == head.Version {
		return held, nil
	}
	made, err := load(ctx, c.Tx, standing)
	if err != nil || head.Mine {
		return made, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.held == nil || made.revision >= o.held.revision && made.version >= o.held.version {
		o.held = made
	}
	return made, nil
}
