package tool

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
)

// Keys is what the runner needs of the keyring: a digest of arguments nobody
// can guess from, and sealing for results that are kept a day.
type Keys struct {
	Digest func(data []byte) []byte
	Seal   func(plain []byte, about string) ([]byte, error)
	Open   func(sealed []byte, about string) ([]byte, error)
}

// Runner runs every use case from every door.
type Runner struct {
	DB   *db.DB
	Now  func() time.Time
	Keys Keys
	Log  *slog.Logger
	Node string
	Max  access.Grants // the node's ceiling on everybody's grants, at decision time
	// Heard is the newest position of the log this node was told of; without it
	// no read is a glance.
	Heard  func() int64
	Landed func(spec Spec, outcome string, took time.Duration)
}

// Do runs a use case. The order is the same for all: the row decided without
// the database, the arguments' own rules, the transaction with its claim, the
// object rule, the run, the one last statement, COMMIT.
func Do[In, Out any](ctx context.Context, r *Runner, u Use[In, Out], c *Call, in In) (Out, error) {
	start := time.Now()
	var out Out
	c.Now = r.Now().UTC().Truncate(time.Microsecond) // as the database keeps it
	c.By.Grants &= r.ceiling(c.By)
	err := access.May(u.Access, c.By)
	if err == nil {
		in, err = Check(in)
	}
	if err == nil && u.Mode == Read && u.ahead != nil {
		in, err = u.ahead(ctx, c, in)
	}
	if err == nil {
		if u.Mode != Outside {
			limited, cancel := context.WithTimeout(ctx, answerWithin)
			defer cancel()
			ctx = limited
		}
		switch u.Mode {
		case Read:
			out, err = read(ctx, r, u, c, in)
		case Write:
			out, err = write(ctx, r, u, c, in)
		case Outside:
			out, err = outside(ctx, r, u, c, in)
		}
	}
	if err != nil {
		err = r.refused(ctx, u.Spec, c, objectOf(in), err)
	}
	r.tell(u.Spec, c, err, time.Since(start))
	return out, err
}

// answerWithin bounds a read or a write: a database that is frozen is said to
// be away, and nobody hangs.
const answerWithin = 20 * time.Second

func (r *Runner) ceiling(by access.Principal) access.Grants {
	if by.Kind == access.Engine {
		return access.All
	}
	return r.Max
}

func (r *Runner) tell(spec Spec, c *Call, err error, took time.Duration) {
	if r.Landed == nil {
		return
	}
	outcome := c.Landed.Outcome
	if err != nil {
		outcome = string(refusal.Of(err).Class)
	}
	r.Landed(spec, outcome, took)
}

func objectOf(in any) string {
	if a, ok := in.(Addressed); ok {
		return a.Object()
	}
	return ""
}

// readable is how long a read waits for the position it was asked for.
const readable = 2 * time.Second

func read[In, Out any](ctx context.Context, r *Runner, u Use[In, Out], c *Call, in In) (Out, error) {
	out, seen := glance(ctx, r, u, c, in)
	if seen {
		return out, nil
	}
	deadline := time.Now().Add(readable)
	for {
		var asOf int64
		err := r.DB.SnapshotFrom(ctx, changes.Position, &asOf, func(tx *db.Tx) error {
			c.on(tx)
			c.Landed = Receipt{Outcome: "read", Position: asOf}
			if asOf < c.MinAsOf {
				return nil
			}
			err := r.still(ctx, u.Spec, c)
			if err == nil {
				err = u.allow(ctx, c, in)
			}
			if err == nil {
				out, err = u.run(ctx, c, in)
			}
			return err
		})
		c.Tx = nil
		if err != nil || c.Landed.Position >= c.MinAsOf {
			return out, err
		}
		if time.Now().After(deadline) {
			return out, refusal.Unavailable.Say("What you ask for is not readable here yet. Try again in a moment.").After(time.Second)
		}
		select {
		case <-ctx.Done():
			return out, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// still decides the row again where the caller turns out to be another, or to
// have other rights, than was known.
func (r *Runner) still(ctx context.Context, spec Spec, c *Call) error {
	if c.Still == nil {
		return nil
	}
	by, err := c.Still(ctx, c)
	by.Grants &= r.ceiling(by)
	if err != nil || by == c.By {
		return err
	}
	c.By = by
	return access.May(spec.Access, by)
}

// allow asks the row's object rule, of facts loaded on this transaction.
func (u Use[In, Out]) allow(ctx context.Context, c *Call, in In) error {
	if u.facts == nil {
		return nil
	}
	facts, err := u.facts(ctx, c, in)
	if err != nil {
		return err
	}
	return access.Owns(u.Access, facts, c.By)
}

// encode is the answer as it is kept and repeated.
func encode[Out any](spec Spec, out Out) (string, error) {
	var kept any = out
	if spec.Once {
		kept = any(out).(Once[Out]).WithoutValue()
	}
	text, err := json.Marshal(kept)
	return string(text), err
}
