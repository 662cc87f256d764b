package client

import (
	"context"
	"errors"
	"fmt"
)

// Check proves an instance by listing its tools now. What it lists is also
// reported. Without a listing the error is a *[CallError].
func (p *Pool) Check(ctx context.Context, key Key) (*Catalogue, error) {
	s := p.find(key)
	if s == nil {
		return nil, &CallError{Fault: NoServer, Server: key.Server, Says: "No such server is running here.", Cause: errNoInstance}
	}
	s.mu.Lock()
	living, report := s.living, s.report
	s.mu.Unlock()
	if living == nil {
		return nil, s.down(report, "")
	}
	lost := func() error {
		return &CallError{Fault: Lost, Server: report.Name, Says: fmt.Sprintf("%s went down during the check.", report.Name)}
	}
	answer := make(chan checked, 1)
	select {
	case living.checks <- answer:
	case <-living.done:
		return nil, lost()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case a := <-answer:
		if a.err != nil {
			says := fmt.Sprintf("%s could not be checked: %s", report.Name, newRedactor(living.spec.Secrets, p.hidden).line(sentence(a.err)))
			fault := Malformed
			if unwelcome(a.err) != nil {
				fault = Unauthorized
			}
			return nil, &CallError{Fault: fault, Server: report.Name, Says: says}
		}
		return a.cat, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Try starts a spec once, outside the pool, lists its tools and stops it
// again. The report says Running with a catalogue, or Failed with the reason;
// nothing of the child is left either way.
func (p *Pool) Try(ctx context.Context, spec Spec) Report {
	hurry := make(chan struct{})
	unhook := context.AfterFunc(ctx, func() { close(hurry) })
	defer unhook()
	r := Report{Key: spec.Key, Name: spec.Name, Print: spec.Print, State: Failed, Attempt: 1, Since: p.clock.Now()}
	v := &life{
		spec: spec, version: p.version, spawner: p.spawner, clock: p.clock, called: p.titled(spec),
		tell: func(event) {}, ctx: ctx, hurry: hurry, elicit: p.elicit, hidden: p.hidden,
	}
	l, cat, err := v.start()
	if err == nil {
		l.introduce(&r)
		r.State, r.Catalogue = Running, cat
		l.close(p.clock, hurry)
	}
	if l != nil {
		r.StderrTail, r.Skipped = l.stderr.last(), l.strays.all()
	}
	if said, ok := errors.AsType[*answered](err); ok && said.fault() != Rejected {
		r.Fault, r.Challenge = said.fault(), newRedactor(spec.Secrets, p.hidden).line(said.challenge)
	}
	r.Error, r.PID = newRedactor(spec.Secrets, p.hidden).line(sentence(err)), 0
	return r
}
