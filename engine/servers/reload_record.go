package servers

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

const (
	// askedKind is the row by which somebody asks every node to apply the
	// document again; obeyedKind is what a node then did.
	askedKind  = "company.reloaded"
	obeyedKind = "server.reloaded"
)

// Obeyed is what one node did when it was asked to reload, by servers' names.
type Obeyed struct {
	Started   []string `json:"started"`   // new here
	Restarted []string `json:"restarted"` // what they are started with is another
	Tried     []string `json:"tried"`     // were down; tried at once
	Stayed    []string `json:"stayed"`    // left alone
	Stopped   []string `json:"stopped"`   // wanted no more
	Held      []string `json:"held"`      // something they need does not resolve
}

// Reload is how far a node is with a reload.
type Reload struct {
	Node   string `json:"node"` // as people read it
	Done   bool   `json:"done"`
	Silent bool   `json:"silent"` // not heard of; it reloads when it comes back
	Obeyed
}

// recordReload is what record_reload is asked.
type recordReload struct {
	Node   string `json:"node" validate:"required"`
	Reload int64  `json:"reload" validate:"required" jsonschema:"position of the newest reload it obeyed"`
	Obeyed
}

// Object names the node for the record.
func (a recordReload) Object() string { return "node:" + a.Node }

func declareRecordReload(s *Servers) tool.Use[recordReload, recorded] {
	return tool.Declare(tool.Spec{
		Name:   "record_reload",
		Title:  "Record a reload",
		Brief:  "Tell what a node did when it was asked to apply the document again.",
		Access: access.EngineOnly(),
	}, s.reloadRecorded)
}

func (s *Servers) reloadRecorded(_ context.Context, c *tool.Call, in recordReload) (recorded, error) {
	c.Changed(obeyedKind, in.Object(), map[string]changes.Delta{"reload": {To: in.Reload}, "did": {To: in.Obeyed}})
	return recorded{}, nil
}

// owe notes what a reload comes to, before it is obeyed: afterwards what ran is
// forgotten.
func (s *Servers) owe(reload int64, p plan) {
	if reload <= s.last.reload || s.last.owed != nil && s.last.owed.Reload == reload {
		return
	}
	reports := map[client.Key]client.Report{}
	for _, r := range s.pool.Reports() {
		reports[r.Key] = r
	}
	did := none()
	gone := maps.Clone(s.last.digests)
	for _, spec := range p.specs {
		list := did.of(spec, s.last.digests, reports[spec.Key])
		*list = append(*list, spec.Name)
		delete(gone, spec.Key)
	}
	for _, h := range p.held {
		did.Held = append(did.Held, h.name)
		delete(gone, h.key)
	}
	for key := range gone {
		did.Stopped = append(did.Stopped, reports[key].Name)
	}
	slices.Sort(did.Stopped)
	s.last.owed = &recordReload{Node: s.o.Node.ID, Reload: reload, Obeyed: did}
}

func none() Obeyed {
	return Obeyed{Started: []string{}, Restarted: []string{}, Tried: []string{}, Stayed: []string{}, Stopped: []string{}, Held: []string{}}
}

// of is the list an instance that is wanted belongs to.
func (o *Obeyed) of(spec client.Spec, before map[client.Key]string, now client.Report) *[]string {
	was, known := before[spec.Key]
	switch {
	case !known:
		return &o.Started
	case was != spec.Digest():
		return &o.Restarted
	case now.State == client.Failed || now.Error != "":
		return &o.Tried
	default:
		return &o.Stayed
	}
}

// tellReload tells what a reload came to here, once.
func (s *Servers) tellReload(ctx context.Context) error {
	owed := s.last.owed
	if owed == nil {
		return nil
	}
	if _, err := tool.Do(ctx, s.o.Run, s.recordReload, byEngine(), *owed); err != nil {
		return fmt.Errorf("tell what the reload came to: %w", err)
	}
	s.last.reload, s.last.owed = owed.Reload, nil
	return nil
}

// keptRows is how much of the log after a reload is looked through.
const keptRows = 10_000

const obeyedRows = `
	SELECT object, deltas FROM changes
	WHERE position > $1 AND position <= $1 + $2 AND kind = '` + obeyedKind + `' AND (deltas -> 'reload' ->> 'to')::bigint >= $1
	ORDER BY position`

// reloads are what each node did when it was asked, at this position.
func (f *facts) reloads(ctx context.Context, tx *db.Tx, position int64) ([]Reload, error) {
	var rows []struct {
		Object string `db:"object"`
		Deltas []byte `db:"deltas"`
	}
	if err := tx.SelectContext(ctx, &rows, obeyedRows, position, keptRows); err != nil {
		return nil, fmt.Errorf("read what a reload came to: %w", err)
	}
	list := make([]Reload, 0, len(f.nodes))
	for _, n := range f.nodes {
		one := Reload{Node: n.Name, Silent: !n.Live, Obeyed: none()}
		for _, row := range rows {
			var d struct {
				Did struct{ To Obeyed } `json:"did"`
			}
			if row.Object != "node:"+n.ID || json.Unmarshal(row.Deltas, &d) != nil {
				continue
			}
			one.Done, one.Obeyed = true, d.Did.To
			break // a later one is another's
		}
		list = append(list, one)
	}
	return list, nil
}
