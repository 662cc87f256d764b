package servers

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ListTools asks for the whole catalogue.
type ListTools struct{}

// ToolList is every tool there is, in the order every list has.
type ToolList struct {
	Tools []Tool `json:"tools"` // shared by all who asked: not to be written to
	// Since is the position of the log the list was read at; it stands while
	// nothing moves the catalogue, so equal positions are equal lists.
	Since int64 `json:"-"`
}

func declareListTools(s *Servers) tool.Use[ListTools, ToolList] {
	return tool.Declare(tool.Spec{
		Name:     "list_tools",
		Title:    "Tools",
		Brief:    "List every tool of the company with its source, hints, arguments and who is offered it.",
		Access:   access.Operator(access.StateRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.listTools)
}

// keptTools is the list that was read last. Thousands of tools cost tens of
// milliseconds to read, and they hardly ever change.
type keptTools struct {
	mu   sync.Mutex
	list ToolList
	upTo int64 // nothing moved the catalogue until this position
}

// fits answers the kept list, and up to where it is known to stand; false for
// a moment before that.
func (k *keptTools) fits(asOf int64) (list ToolList, upTo int64, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.list, k.upTo, k.list.Tools != nil && k.upTo <= asOf
}

// keep takes a list that stands at a position, unless a newer one is there.
func (k *keptTools) keep(list ToolList, asOf int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if asOf >= k.upTo {
		k.list, k.upTo = list, asOf
	}
}

// What moves the catalogue is in the log, so its own transaction tells whether
// a list still stands.
const catalogueMoved = `
	SELECT EXISTS (SELECT FROM changes WHERE position > $1
		AND (kind LIKE 'catalogue.%' OR kind LIKE 'company.%' AND kind <> '` + appliedKind + `'))`

func (s *Servers) listTools(ctx context.Context, c *tool.Call, _ ListTools) (ToolList, error) {
	asOf := c.Landed.Position
	if list, upTo, ok := s.listed.fits(asOf); ok {
		moved, err := movedSince(ctx, c.Tx, upTo)
		if err != nil {
			return ToolList{}, err
		}
		if !moved {
			s.listed.keep(list, asOf)
			return list, nil
		}
	}
	f, err := s.read(ctx, c.Tx, true)
	if err != nil {
		return ToolList{}, err
	}
	list := ToolList{Tools: f.catalogue(s.offered()), Since: asOf}
	s.listed.keep(list, asOf)
	return list, nil
}

func movedSince(ctx context.Context, tx *db.Tx, position int64) (bool, error) {
	var moved bool
	if err := tx.GetContext(ctx, &moved, catalogueMoved, position); err != nil {
		return false, fmt.Errorf("look whether the catalogue moved: %w", err)
	}
	return moved, nil
}

// offered are the builtins the company has now.
func (s *Servers) offered() []Tool {
	list := s.builtins()
	if s.o.Offers == nil {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(t Tool) bool { return !s.o.Offers(t.Name) })
}
