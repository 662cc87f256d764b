package servers

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"crewlet/engine/changes"
)

// peers is what this node knows of all nodes: their rows as they were at its
// last beat, and since then what the log says each applied.
type peers struct {
	mu    sync.Mutex
	nodes []Node // nil before the first beat
	heard int    // rows of the log taken in
}

// list is a copy; nil when nothing is known yet.
func (p *peers) list() []Node {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.nodes)
}

// mark is handed back to see, by whoever reads the nodes.
func (p *peers) mark() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.heard
}

// see takes rows that were read after mark, and reports whether other nodes
// live than before. When the log told something meanwhile, the rows may be
// older than that: what was heard then stands.
func (p *peers) see(nodes []Node, mark int) (moved bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.heard != mark {
		for i := range nodes {
			if at := p.find(nodes[i].ID); at >= 0 {
				nodes[i].Revision, nodes[i].ApplyError = p.nodes[at].Revision, p.nodes[at].ApplyError
			}
		}
	}
	moved = p.nodes != nil && !slices.Equal(living(p.nodes), living(nodes))
	p.nodes = nodes
	return moved
}

// living are the ids of the nodes that live, in order.
func living(nodes []Node) []string {
	var ids []string
	for _, n := range nodes {
		if n.Live {
			ids = append(ids, n.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// hear takes in where a node stands now.
func (p *peers) hear(row changes.Change) {
	var d struct {
		Node     struct{ To string } `json:"node"`
		Revision struct{ To int64 }  `json:"revision"`
		Error    struct{ To string } `json:"error"`
	}
	if json.Unmarshal(row.Deltas, &d) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard++
	if p.nodes == nil {
		return
	}
	id := strings.TrimPrefix(row.Object, "node:")
	at := p.find(id)
	if at < 0 { // it joined since the last beat
		p.nodes = append(p.nodes, Node{ID: id, Name: d.Node.To, StartedAt: row.At, SeenAt: row.At})
		at = len(p.nodes) - 1
	}
	p.nodes[at].Live, p.nodes[at].Revision, p.nodes[at].ApplyError = true, d.Revision.To, d.Error.To
}

func (p *peers) find(id string) int {
	return slices.IndexFunc(p.nodes, func(n Node) bool { return n.ID == id })
}
