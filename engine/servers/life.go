package servers

import (
	"context"
	"fmt"
	"strings"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

const (
	// beat is how often a node says that it lives.
	beat = 15 * time.Second
	// recheck is how often a node reconciles although nothing was announced.
	recheck = time.Minute
	// retry is how soon an apply that failed is tried again.
	retry = 10 * time.Second
)

// Start makes this node one of the company's and begins to run what the
// document declares. It waits for no server.
func (s *Servers) Start(ctx context.Context) error {
	if err := s.join(ctx); err != nil {
		return fmt.Errorf("join the company's nodes: %w", err)
	}
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.records = newRecorder(s.o.Clock, s.o.Log, s.record)
	s.pool = client.NewPool(client.Options{
		Spawner: s.o.Spawner, Clock: s.o.Clock, Log: s.o.Log, Version: s.o.Node.Version, OnReport: s.hear, Hidden: &s.hidden,
	})
	s.told.Store(true)
	_, unsub := s.o.Feed.Subscribe(s.listen)
	deaf := s.o.Feed.Asides(s.overhear)
	s.unsub = func() { unsub(); deaf() }
	s.tended.Go(func() { s.records.run(ctx) })
	s.tended.Go(func() { s.every(ctx, s.wake, s.reconcile) })
	s.tended.Go(func() { s.every(ctx, nil, s.beat) })
	s.tended.Go(func() { s.every(ctx, nil, s.forgetCalls) })
	s.tended.Go(func() { s.writeBehind(ctx) })
	return nil
}

// Close stops every server and leaves the company's nodes. No process and no
// goroutine of the area is left when it returns. What stops now is not told
// server by server: the node goes, with all it ran.
func (s *Servers) Close(ctx context.Context) error {
	if s.pool == nil {
		return nil
	}
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.unsub()
	s.stop()
	s.tended.Wait()
	s.pool.Close(ctx)
	return Leave(ctx, s.o.DB, s.o.Node)
}

// listen wakes the node for changes of what it runs.
func (s *Servers) listen(rows []changes.Change) {
	for _, row := range rows {
		area, _, _ := strings.Cut(row.Kind, ".")
		if area == "company" && row.Kind != appliedKind || area == "catalogue" {
			s.offers.drop()
		}
		switch {
		case row.Kind == appliedKind:
			s.peers.hear(row)
		case row.Kind == restartKind:
			s.obey(strings.TrimPrefix(row.Object, "server:"))
		case area == "company" || area == "secret":
			if row.Kind == askedKind {
				s.reload.Store(row.Position)
			}
			s.told.Store(true)
			s.rouse()
		}
	}
}

func (s *Servers) rouse() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// every does something now, each time it is woken, and again after the time it
// answers.
func (s *Servers) every(ctx context.Context, wake <-chan struct{}, do func(context.Context) time.Duration) {
	for ctx.Err() == nil {
		wait := do(ctx)
		due := make(chan struct{}, 1)
		disarm := s.o.Clock.AfterFunc(wait, func() { due <- struct{}{} })
		select {
		case <-ctx.Done():
		case <-wake:
		case <-due:
		}
		disarm()
	}
}

// hear queues what the pool reports; the instance never waits for the
// database.
func (s *Servers) hear(r client.Report) {
	s.mu.Lock()
	_, held := s.held[r.Key]
	mute := s.closing || held
	r.Error = s.blamed(r)
	s.mu.Unlock()
	if !mute {
		s.records.add(noteOf(r))
	}
}

// blamed adds to the error of a server that refuses its credential what may be
// wrong with it; the next try still tells of the last. The lock is held.
func (s *Servers) blamed(r client.Report) string {
	switch {
	case r.Error == "":
		delete(s.refused, r.Key)
	case r.Fault == client.Unauthorized:
		s.refused[r.Key] = r.Error
	}
	if r.Error != "" && s.refused[r.Key] == r.Error {
		return r.Error + " " + s.sent[r.Key]
	}
	return r.Error
}

// whyHeldBack says what keeps an instance from starting here; empty when
// nothing does.
func (s *Servers) whyHeldBack(key client.Key) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held[key]
}

// byEngine begins a call of the engine's own.
func byEngine() *tool.Call { return &tool.Call{By: access.System(), Door: "engine"} }
