package servers

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

// applied is what the node last made of the declarations.
type applied struct {
	revision int64
	specs    string // their digests
	digests  map[client.Key]string
	reload   int64         // position of the newest reload told of
	owed     *recordReload // one obeyed and not told of yet
	held     []client.Key
	failed   string
	empty    map[string][]string // by server, what was told to be empty
}

// reconcile makes what runs here what the newest revision declares, with the
// secrets as they are now. An apply somebody asked for tries every server that
// is down at once; the one each minute leaves schedules alone.
func (s *Servers) reconcile(ctx context.Context) time.Duration {
	told := s.told.Swap(false)
	err := s.apply(ctx, told)
	if err == nil || ctx.Err() != nil {
		return recheck
	}
	if told {
		s.told.Store(true) // still to be done
	}
	s.o.Log.ErrorContext(ctx, "apply_failed", "node", s.o.Node.ID, "error", err)
	if refusal.Of(err).Class == refusal.Internal {
		s.tellApplied(ctx, s.last.revision, err.Error())
	}
	return retry
}

func (s *Servers) apply(ctx context.Context, told bool) error {
	asked := s.reload.Load() // before the document is read: what came later is another's
	rev, doc, ids, _, err := s.o.Company.Current(ctx, s.o.DB)
	if err != nil {
		return err
	}
	stored, err := s.o.Secrets.Values(ctx, s.o.DB)
	if err != nil {
		return fmt.Errorf("open the secrets: %w", err)
	}
	s.hide(stored) // before anything runs that may print one
	now := &standing{revision: rev.ID, doc: doc, ids: ids}
	s.keep(now)
	known, err := s.listedFrom(ctx, now)
	if err != nil {
		return err
	}
	p := planned(now, s.resolver(stored), s.o.Node.ID, known)
	digest := digests(p.specs)
	if !told && now.revision == s.last.revision && digest == s.last.specs {
		return nil
	}
	s.owe(asked, p)
	s.hold(p)
	s.pool.Apply(p.specs)
	s.last.specs, s.last.digests = digest, byKey(p.specs)
	if err := s.rename(ctx, now); err != nil {
		return err
	}
	s.tellApplied(ctx, now.revision, "")
	return s.tellReload(ctx)
}

func byKey(specs []client.Spec) map[client.Key]string {
	digests := make(map[client.Key]string, len(specs))
	for _, spec := range specs {
		digests[spec.Key] = spec.Digest()
	}
	return digests
}

func digests(specs []client.Spec) string {
	list := make([]string, len(specs))
	for i, spec := range specs {
		list[i] = spec.Digest()
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// hold keeps back what may not start, says so once, and lets go of what was
// kept back before. From here on the pool's word on those held is not passed
// on: that a child is being stopped is not why it is down.
func (s *Servers) hold(p plan) {
	held := make(map[client.Key]string, len(p.held))
	for _, h := range p.held {
		held[h.key] = h.says
	}
	s.mu.Lock()
	s.held, s.sent = held, p.sent
	s.mu.Unlock()
	for _, h := range p.held {
		s.records.add(heldNote(h, s.o.Clock.Now()))
		if !slices.Contains(s.last.held, h.key) {
			s.logHeld(h)
		}
	}
	for _, key := range s.last.held {
		if _, still := held[key]; !still {
			s.records.add(goneNote(key, s.o.Clock.Now())) // a start, if there is one, is told after it
		}
	}
	s.last.held = s.last.held[:0]
	for _, h := range p.held {
		s.last.held = append(s.last.held, h.key)
	}
	s.tellEmpty(p.empty)
}

// tellEmpty logs which values come out empty, once for as long as they do.
func (s *Servers) tellEmpty(empty map[string][]string) {
	for _, server := range slices.Sorted(maps.Keys(empty)) {
		if !slices.Equal(s.last.empty[server], empty[server]) {
			s.o.Log.Warn("empty_env_vars", "server", server, "node", s.o.Node.ID, "variable", empty[server])
		}
	}
	s.last.empty = empty
}

func (s *Servers) logHeld(h heldBack) {
	log := s.o.Log.With("server", h.name, "node", h.key.Node)
	if len(h.variables) == 0 {
		log.Warn("server_restart_held_back", "cause", h.says)
		return
	}
	log.Error("mcp_server_credential_missing", "variable", strings.Join(h.variables, ", "))
	if s.reportOf(h.key).State != "" { // it ran, and is stopped for it
		log.Warn("server_restart_held_back", "cause", h.says)
	}
}

// rename gives tools their names anew where the order of servers or a prefix
// changed, and forgets what servers listed that are gone.
func (s *Servers) rename(ctx context.Context, now *standing) error {
	if now.revision == s.last.revision {
		return nil
	}
	_, err := tool.Do(ctx, s.o.Run, s.nameTools, byEngine(), nameTools{Declared: now.order()})
	return err
}

// tellApplied says where this node stands, when that changed.
func (s *Servers) tellApplied(ctx context.Context, revision int64, failed string) {
	if revision == s.last.revision && failed == s.last.failed {
		return
	}
	in := recordApply{Node: s.o.Node.ID, Revision: revision, Error: cleanText(failed)}
	if _, err := tool.Do(ctx, s.o.Run, s.recordApply, byEngine(), in); err != nil {
		if ctx.Err() == nil {
			s.o.Log.WarnContext(ctx, "apply_not_recorded", "node", s.o.Node.ID, "error", err)
		}
		return
	}
	s.last.revision, s.last.failed = revision, failed
}
