package tool

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"crewlet/db"
	"crewlet/engine/refusal"
)

// kept is how long a call's result can be had again by its key.
const kept = 24 * time.Hour

// patience is how long a repeat waits for the first call to end.
const patience = 10 * time.Second

// outside runs a use case that leaves the database: the claim and "started"
// are committed first, then the call runs with no transaction open, then what
// came of it is recorded under the same key.
func outside[In, Out any](ctx context.Context, r *Runner, u Use[In, Out], c *Call, in In) (Out, error) {
	var out Out
	if u.harmless != nil && u.harmless(ctx, in) {
		c.on(nil)
		c.claimed, c.Landed = false, Receipt{Outcome: "read"}
		return u.run(ctx, c, in)
	}
	op, err := r.operation(u.Spec, c, in)
	if err != nil {
		return out, err
	}
	s, claimed, err := r.begin(ctx, c, op)
	if err != nil {
		return out, err
	}
	if !claimed {
		return repeat[Out](ctx, r, c, op, s)
	}
	c.claimed = true
	out, failed := u.run(ctx, c, in)
	end, err := r.ending(u.Spec, c, op, out, failed)
	if err != nil {
		return out, err
	}
	// The caller may be gone; what happened is recorded all the same.
	if err := r.end(context.WithoutCancel(ctx), u.ends, c, op, end); err != nil {
		r.Log.ErrorContext(ctx, "call_record_lost", "tool", u.Name, "op_id", op.Key, "error", err)
	}
	return out, failed
}

// begin commits the claim, in one trip to the database. A row that is there
// already is this call's own only if an answer was lost on the way to it.
func (r *Runner) begin(ctx context.Context, c *Call, op operation) (s stored, claimed bool, err error) {
	c.on(nil)
	c.Landed = Receipt{}
	again, err := r.DB.InOne(ctx, &claimed, claimAlone, op.Principal, op.Key, op.Tool, op.Arguments, op.Node, c.Now)
	if err == nil {
		return s, true, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return s, false, fmt.Errorf("claim the key: %w", err)
	}
	if err := r.DB.GetContext(ctx, &s, recalled, op.Principal, op.Key); err != nil {
		return s, false, fmt.Errorf("read what the key did: %w", err)
	}
	return s, again && s.Node == op.Node && s.Started.Equal(c.Now) && !s.Finished.Valid, nil
}

// end records how a call ended: in one trip too, unless the log tells of it,
// whose position must rise once.
func (r *Runner) end(ctx context.Context, ends landings, c *Call, op operation, end ending) error {
	if len(c.logged) == 0 {
		receipt, err := landAlone(ctx, r.DB, ends, c, op, end)
		c.Landed, c.recorded = receipt, err == nil
		return err
	}
	err := r.DB.InTx(ctx, func(tx *db.Tx) error {
		c.Tx = tx
		receipt, err := land(ctx, ends, c, op, end)
		c.Landed, c.recorded = receipt, err == nil
		return err
	})
	c.Tx = nil
	return err
}

// ending is what the key keeps: the class, and the result sealed for a day.
func (r *Runner) ending(spec Spec, c *Call, op operation, out any, failed error) (ending, error) {
	end := ending{outcome: c.outcome()}
	var kept any = out
	if failed != nil {
		no := classify(failed)
		end.outcome, kept = string(no.Class), refusal.Refusal{Class: no.Class, Says: no.Says, Fields: no.Fields, Details: no.Details}
		c.logged = nil
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return end, fmt.Errorf("encode the answer of %s: %w", spec.Name, err)
	}
	end.sealed, err = r.Keys.Seal(text, op.Principal+"/"+op.Key)
	return end, err
}

// repeat answers a call whose key is taken: its outcome when it ended, and
// otherwise, after waiting, that nobody knows yet.
func repeat[Out any](ctx context.Context, r *Runner, c *Call, op operation, s stored) (Out, error) {
	var out Out
	if err := s.match(op); err != nil {
		return out, err
	}
	s, err := r.awaited(ctx, op, s)
	if err != nil {
		return out, err
	}
	c.Landed, c.recorded = Receipt{Outcome: s.Outcome.String, Position: s.Position.Int64, Repeated: true}, true
	if s.Outcome.String == abandoned {
		return out, mayHave("This call was under way when its node went away.")
	}
	if s.Sealed == nil || c.Now.Sub(s.Started) > kept {
		return out, refusal.Conflict.Say("This call ended as %q; its result is not kept any more.", s.Outcome.String).With("outcome", s.Outcome.String)
	}
	text, err := r.Keys.Open(s.Sealed, op.Principal+"/"+op.Key)
	if err != nil {
		return out, fmt.Errorf("open the kept result of %s: %w", op.Tool, err)
	}
	if s.Outcome.String == "applied" || s.Outcome.String == "unchanged" {
		return out, json.Unmarshal(text, &out)
	}
	no := &refusal.Refusal{}
	if err := json.Unmarshal(text, no); err != nil {
		return out, fmt.Errorf("read the kept refusal of %s: %w", op.Tool, err)
	}
	return out, no
}

// awaited waits for a call that is under way to end.
func (r *Runner) awaited(ctx context.Context, op operation, s stored) (stored, error) {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for !s.Finished.Valid {
		select {
		case <-ctx.Done():
			return s, ctx.Err()
		case <-deadline.C:
			return s, mayHave("This call was started and has not ended.")
		case <-time.After(100 * time.Millisecond):
		}
		if err := r.DB.GetContext(ctx, &s, recalled, op.Principal, op.Key); err != nil {
			return s, fmt.Errorf("read what the key did: %w", err)
		}
	}
	return s, nil
}

// mayHave refuses a repeat of a call nobody knows the end of.
func mayHave(says string) error {
	return refusal.Unavailable.Say("%s It may have taken effect; look before you send it again with a new key.", says).
		With("may_have_taken_effect", true)
}

// abandoned is the outcome of a call whose node went away.
const abandoned = "abandoned"

const abandon = `
	UPDATE operations SET finished_at = $2, outcome = 'abandoned'
	WHERE node = $1 AND finished_at IS NULL`

// CloseAbandoned ends the calls a node left started when it went away. A node
// calls it for itself when it starts.
func (r *Runner) CloseAbandoned(ctx context.Context, node string) error {
	return r.DB.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.ExecContext(ctx, abandon, node, r.Now().UTC())
		return err
	})
}
