package servers

import (
	"context"
	"fmt"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"crewlet/config/document"
	"crewlet/db"
	"crewlet/engine/refusal"
	"crewlet/mcp/client"
)

// offer is a registered tool as far as a call of it needs.
type offer struct {
	registered string
	server     string // its id
	seat       string
	own        string // the server's own name for it
	utility    bool
	readOnly   bool // known to change nothing, overrides counted in
	withheld   string
	payloads   bool // the company keeps what is said
	entry      *document.Server
}

// offers is what may be called, by registered name. It is kept in memory, so
// that a call costs no query, and dropped when the log tells of a change.
type offers struct {
	mu     sync.Mutex
	drops  int
	byName map[string]offer                // nil: to be read
	inputs map[string]*jsonschema.Resolved // of those called so far; nil for one that is not held against its schema
}

func (o *offers) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drops++
	o.byName, o.inputs = nil, nil
}

func (o *offers) get() (map[string]offer, int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byName, o.drops
}

// put keeps what was read since no drop came in between.
func (o *offers) put(byName map[string]offer, drops int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.drops == drops {
		o.byName = byName
	}
}

// offer finds a registered tool and decides whether it may be called: the
// filters that make the list are asked again here.
func (s *Servers) offer(ctx context.Context, name string) (offer, error) {
	known, drops := s.offers.get()
	if known == nil {
		err := s.o.DB.Snapshot(ctx, func(tx *db.Tx) error {
			f, err := s.read(ctx, tx, false)
			if err == nil {
				known = f.offers()
			}
			return err
		})
		if err != nil {
			return offer{}, fmt.Errorf("read what is offered: %w", err)
		}
		if s.pool != nil { // else nobody tells of changes
			s.offers.put(known, drops)
		}
	}
	of, ok := known[name]
	switch {
	case ok && of.withheld == "":
		return of, nil
	case ok:
		return of, refusal.Forbidden.Say("%s is not offered: %s", name, of.withheld).With("reason", "not_offered")
	case s.reserved()[name]:
		return offer{}, refusal.NotFound.Say("%s is the engine's own tool, not a server's; call it by its own door.", name)
	default:
		return offer{}, refusal.NotFound.Say("There is no tool %s. Look into the catalogue for the names there are.", name)
	}
}

func (f *facts) offers() map[string]offer {
	all := make(map[string]offer, len(f.tools))
	for _, t := range f.tools {
		entry := f.entry(t.Server)
		if entry == nil {
			continue // its server is gone
		}
		row := f.row(t, entry)
		of := offer{
			registered: t.Registered, server: t.Server, seat: t.Seat, own: t.Name, utility: t.Utility,
			readOnly: known(row.Annotations), withheld: row.Withheld, entry: entry, payloads: f.doc.Audit.Payloads,
		}
		if !entry.Enabled {
			of.withheld = "its server is switched off in the configuration (enabled: false)."
		}
		all[t.Registered] = of
	}
	return all
}

// known reports whether a tool is known to change nothing. Unknown is never
// taken for that, and what calls itself destructive is not believed.
func known(a client.Annotations) bool {
	return a.ReadOnly != nil && *a.ReadOnly && (a.Destructive == nil || !*a.Destructive)
}
