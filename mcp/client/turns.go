package client

import (
	"errors"
	"time"
)

// The turns of an instance that are worth a line in the log: it came up, its
// catalogue changed, it fell.

// settle is what a life that came up brings with it.
func (s *supervisor) settle(e event) {
	now := s.pool.clock.Now()
	s.passed()
	s.era, s.up, s.upSince = e.era, true, now
	s.update(func(r *Report) {
		r.Error, r.Skipped = "", e.link.strays.all()
		e.link.introduce(r)
	})
	s.mu.Lock()
	s.link, s.living, s.usedAt = e.link, s.life, now
	s.mu.Unlock()
	if s.downAt.IsZero() {
		s.called.log().Info("mcp_server_started", "attempt", s.report.Attempt)
	} else {
		s.called.log().Info("server_restarted", "attempt", s.report.Attempt, "down_seconds", seconds(now.Sub(s.downAt)))
	}
	s.file(e.cat)
	if s.spec.Lazy {
		s.sleep(e)
	}
}

// renew takes the link of a new session within the same life.
func (s *supervisor) renew(e event) {
	s.update(func(r *Report) { e.link.introduce(r) })
	s.mu.Lock()
	s.link, s.living = e.link, s.life
	s.mu.Unlock()
	s.called.log().Info("server_session_renewed")
	s.file(e.cat)
}

// refile takes a new listing of the same life.
func (s *supervisor) refile(e event) {
	s.update(func(r *Report) { r.Skipped = s.link.strays.all() })
	s.file(e.cat)
}

// file logs what a listing changed, if anything, against the last one.
func (s *supervisor) file(cat *Catalogue) {
	if s.filed != nil && s.filed.Digest != cat.Digest {
		added, removed, changed := cat.Changes(s.filed)
		s.called.log().Info("server_catalogue_changed", "added", added, "removed", removed, "changed", changed)
	}
	s.filed = cat
}

// fall takes note of a start that failed or a death, and arms the next try.
func (s *supervisor) fall(e event) {
	s.stopTimer()
	s.withdraw()
	now := s.pool.clock.Now()
	cause := newRedactor(s.spec.Secrets, s.pool.hidden).line(sentence(e.err))
	asked := s.blame(e.err)
	s.update(func(r *Report) {
		r.Error, r.StderrTail, r.Skipped, r.PID = cause, e.tail, e.skipped, 0
	})
	var up time.Duration
	if s.up {
		up = now.Sub(s.upSince)
		s.called.log().Error("server_exited", "cause", cause, "up_seconds", seconds(up))
		s.downAt = now
	} else {
		s.passed()
		s.era = eraUnknown // it may have become another server
		s.logFailedStart(cause, now)
	}
	if len(e.tail) > 0 {
		s.called.log().Error("server_stderr_tail", "stderr_tail", e.tail)
	}
	if errors.Is(e.err, errHopeless) {
		return // no RetryAt: only another spec, an apply or a restart helps
	}
	s.arm(now, max(asked, s.schedule.after(up, s.pool.dice())))
}

// blame notes what a server over HTTP gave as its reason, and returns how long
// it asks to be left alone.
func (s *supervisor) blame(err error) time.Duration {
	said, ok := errors.AsType[*answered](err)
	if !ok {
		return 0
	}
	if fault := said.fault(); fault != Rejected {
		s.update(func(r *Report) {
			r.Fault = fault
			r.Challenge = newRedactor(s.spec.Secrets, s.pool.hidden).line(said.challenge)
		})
	}
	if said.retryAt.IsZero() {
		return 0
	}
	return said.retryAt.Sub(s.pool.clock.Now())
}

func (s *supervisor) logFailedStart(cause string, now time.Time) {
	if s.downAt.IsZero() {
		s.called.log().Error("mcp_server_failed", "attempt", s.report.Attempt, "error", cause)
		return
	}
	s.called.log().Error("server_restart_failed", "attempt", s.report.Attempt, "error", cause,
		"down_seconds", seconds(now.Sub(s.downAt)))
}

// arm sets the next try.
func (s *supervisor) arm(now time.Time, wait time.Duration) {
	s.update(func(r *Report) { r.RetryAt = now.Add(wait) })
	name := "server_start_retry_scheduled"
	if s.key.Seat != "" {
		name = "mcp_seat_retry_scheduled"
	}
	s.called.log().Info(name, "attempt", s.report.Attempt+1, "retry_in_seconds", seconds(wait))
	s.arming++
	arming := s.arming
	s.disarm = s.pool.clock.AfterFunc(wait, func() { s.mail.post(event{kind: evDue, arming: arming}) })
}

func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }

// sentence makes an error's text one: a capital, a full stop, one line.
func sentence(err error) string {
	if err == nil {
		return ""
	}
	text := oneLine(err.Error())
	if text == "" {
		return ""
	}
	if c := text[0]; c >= 'a' && c <= 'z' {
		text = string(c-'a'+'A') + text[1:]
	}
	if last := text[len(text)-1]; last != '.' && last != '!' && last != '?' {
		text += "."
	}
	return text
}
