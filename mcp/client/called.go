package client

import (
	"log/slog"
	"sync/atomic"
)

// called is what people call an instance, in its log and in sentences. Every
// life and link of the instance shares one: a new name restarts nothing and
// counts from then on for what runs already.
type called struct {
	now atomic.Pointer[title]
}

type title struct {
	name string
	log  *slog.Logger // its records bear the name
}

// titled is a spec's, with the log that goes with it.
func (p *Pool) titled(spec Spec) *called {
	c := &called{}
	c.now.Store(&title{spec.Name, p.logFor(spec)})
	return c
}

func (c *called) name() string { return c.now.Load().name }

func (c *called) log() *slog.Logger { return c.now.Load().log }

// rename gives the instance another name, whatever it is doing.
func (s *supervisor) rename(spec Spec) {
	s.spec.Name = spec.Name
	s.called.now.Store(&title{spec.Name, s.pool.logFor(spec)})
	s.update(func(r *Report) { r.Name = spec.Name })
}
