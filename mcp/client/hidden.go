package client

import (
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
)

// Hidden are values that are never shown, whichever server prints them. They
// may change at any time and restart nothing: what is redacted from then on is
// redacted by those that stand. Of nil nothing is hidden.
type Hidden struct {
	mu     sync.Mutex
	values []string // sorted, each once
	now    atomic.Pointer[forms]
}

// Set takes the values that count from now on.
func (h *Hidden) Set(values []string) {
	values = slices.Clone(values)
	slices.Sort(values)
	values = slices.Compact(values)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now.Load() != nil && slices.Equal(values, h.values) {
		return // making the forms of many values takes milliseconds
	}
	h.values = values
	h.now.Store(newForms(values))
}

// JSON redacts a JSON text as a server's answers are. Text without any of the
// values is returned as it is.
func (h *Hidden) JSON(text json.RawMessage) json.RawMessage {
	if f := h.forms(); f != nil {
		return known{f}.raw(text)
	}
	return text
}

func (h *Hidden) forms() *forms { return h.now.Load() }
