package servers

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"crewlet/config/document"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

const (
	// perKey bounds what waits for one instance.
	perKey = 8
	// again is the pause before a record that could not be written is tried again.
	again = time.Second
)

// note is one thing to be recorded of an instance.
type note struct {
	key       client.Key
	state     recordServerState
	catalogue *client.Catalogue
	tells     client.Report // instructions and the like, for the catalogue
}

// recorder writes what instances report, one after the other, on a goroutine
// of its own, so that no instance waits for the database.
type recorder struct {
	clock client.Clock
	log   *slog.Logger
	write func(context.Context, note) error

	mu     sync.Mutex
	queue  []note
	signal chan struct{}
}

func newRecorder(clock client.Clock, log *slog.Logger, write func(context.Context, note) error) *recorder {
	return &recorder{clock: clock, log: log, write: write, signal: make(chan struct{}, 1)}
}

// add queues a note. The newest state of an instance takes the place of one
// that says the same state still waits, and of the last one where too many
// wait; a catalogue is handed on to what takes its place.
func (r *recorder) add(n note) {
	r.mu.Lock()
	r.put(n)
	r.mu.Unlock()
	select {
	case r.signal <- struct{}{}:
	default:
	}
}

func (r *recorder) put(n note) {
	last, waiting := -1, 0
	for i := range r.queue {
		if r.queue[i].key == n.key {
			last, waiting = i, waiting+1
		}
	}
	if last < 0 || waiting < perKey && r.queue[last].state.State != n.state.State {
		r.queue = append(r.queue, n)
		return
	}
	if n.catalogue == nil {
		n.catalogue, n.tells = r.queue[last].catalogue, r.queue[last].tells
	}
	r.queue[last] = n
}

func (r *recorder) take() (note, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.queue) == 0 {
		return note{}, false
	}
	n := r.queue[0]
	r.queue = r.queue[1:]
	return n, true
}

// run writes until ctx ends. A database that is away is waited for.
func (r *recorder) run(ctx context.Context) {
	for ctx.Err() == nil {
		n, ok := r.take()
		if !ok {
			select {
			case <-ctx.Done():
			case <-r.signal:
			}
			continue
		}
		for !r.written(ctx, n) && ctx.Err() == nil {
			r.pause(ctx)
		}
	}
}

// written reports whether a note is done with: kept, or refused for good.
func (r *recorder) written(ctx context.Context, n note) bool {
	err := r.write(ctx, n)
	if err == nil {
		return true
	}
	if ctx.Err() == nil {
		r.log.WarnContext(ctx, "server_state_not_recorded", "server", n.state.Name, "error", err)
	}
	return refusal.Is(err, refusal.Invalid)
}

func (r *recorder) pause(ctx context.Context) {
	due := make(chan struct{}, 1)
	disarm := r.clock.AfterFunc(again, func() { due <- struct{}{} })
	defer disarm()
	select {
	case <-ctx.Done():
	case <-due:
	}
}

// record writes one note: the listing first, so that whoever is told that a
// server runs finds its tools.
func (s *Servers) record(ctx context.Context, n note) error {
	d := s.kept()
	if d != nil {
		if entry := d.entry(n.key.Server); entry != nil {
			n.state.Transport = entry.Transport()
		}
	}
	if n.catalogue != nil && n.state.State != stopped {
		in := catalogueOf(n)
		if d != nil {
			in.Declared = d.order()
		}
		out, err := tool.Do(ctx, s.o.Run, s.fileCatalogue, byEngine(), in)
		if err != nil {
			return err
		}
		s.discovered(ctx, in, out)
	}
	_, err := tool.Do(ctx, s.o.Run, s.recordState, byEngine(), n.state)
	return err
}

// discovered logs what a listing brought, with the override keys it does not
// answer.
func (s *Servers) discovered(ctx context.Context, in fileCatalogue, out filed) {
	if len(out.Added)+len(out.Removed)+len(out.Changed) == 0 {
		return
	}
	log := s.o.Log.With("server", in.Name, "node", s.o.Node.ID, "tools", in.own())
	if d := s.kept(); d != nil {
		if entry := d.entry(in.Server); entry != nil {
			log = log.With("unlisted_annotations", unanswered(entry, in))
		}
	}
	log.InfoContext(ctx, "tools_discovered", "added", out.Added, "removed", out.Removed, "changed", out.Changed)
}

func unanswered(entry *document.Server, in fileCatalogue) []string {
	list := []string{}
	for key := range entry.ToolAnnotations {
		if !slices.ContainsFunc(in.Tools, func(t listedTool) bool { return !t.Utility && t.Name == key }) {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

func noteOf(r client.Report) note {
	n := note{key: r.Key, catalogue: r.Catalogue, tells: r, state: recordServerState{
		Server: r.Key.Server, Seat: r.Key.Seat, Node: r.Key.Node, Name: r.Name,
		State: string(r.State), Phase: string(r.Phase), Error: cleanText(r.Error), Attempt: r.Attempt,
		Since: r.Since.UTC(), StderrTail: cleanText(strings.Join(r.StderrTail, "\n")), Era: r.Era, PID: r.PID,
	}}
	for _, p := range r.Phases {
		n.state.Phases = append(n.state.Phases, Phase{string(p.Phase), p.Took.Milliseconds()})
	}
	n.state.Skipped, n.state.SkippedLines = r.Skipped.Count, cleanText(strings.Join(r.Skipped.First, "\n"))
	if !r.RetryAt.IsZero() {
		at := r.RetryAt.UTC()
		n.state.RetryAt = &at
	}
	return n
}

func heldNote(h heldBack, now time.Time) note {
	return note{key: h.key, state: recordServerState{
		Server: h.key.Server, Seat: h.key.Seat, Node: h.key.Node, Name: h.name,
		State: heldState, Error: h.says, Variables: slices.Clone(h.variables), Since: now.UTC(),
	}}
}

func goneNote(key client.Key, now time.Time) note {
	return note{key: key, state: recordServerState{
		Server: key.Server, Seat: key.Seat, Node: key.Node, State: stopped, Since: now.UTC(),
	}}
}

// cleanText makes foreign text storable: no NUL, nothing that is not UTF-8.
func cleanText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}
