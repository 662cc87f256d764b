package tool

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"crewlet/db"
	"crewlet/engine/refusal"
)

// write runs a use case in one transaction under its key. A COMMIT whose
// answer was lost is settled: the first transaction is ended or found landed,
// and only when it can never land does the call run once more.
func write[In, Out any](ctx context.Context, r *Runner, u Use[In, Out], c *Call, in In) (Out, error) {
	var out Out
	op, err := r.operation(u.Spec, c, in)
	if err != nil {
		return out, err
	}
	if u.ahead != nil {
		if in, err = u.ahead(ctx, c, in); err != nil {
			return out, err
		}
	}
	for again := true; ; again = false {
		err := r.DB.InTx(ctx, func(tx *db.Tx) error {
			var err error
			out, err = attempt(ctx, u, c.begin(tx), op, in)
			return err
		})
		c.Tx = nil
		lost, ok := errors.AsType[*db.Unsettled](err)
		if !ok {
			return out, err
		}
		stored, landed, err := r.settle(ctx, op, lost)
		switch {
		case err != nil:
			return out, u.unknown(c, op, out, err)
		case landed:
			return recall[Out](c, op, stored)
		case !again:
			return out, u.unknown(c, op, out, lost)
		}
	}
}

func (c *Call) begin(tx *db.Tx) *Call {
	c.on(tx)
	c.Landed = Receipt{}
	return c
}

// attempt is everything between BEGIN and COMMIT.
func attempt[In, Out any](ctx context.Context, u Use[In, Out], c *Call, op operation, in In) (Out, error) {
	var out Out
	stored, claimed, err := op.claim(ctx, c.Tx, c.Now)
	if err != nil {
		return out, err
	}
	if !claimed {
		return recall[Out](c, op, stored)
	}
	if err := u.allow(ctx, c, in); err != nil {
		return out, err
	}
	if out, err = u.run(ctx, c, in); err != nil {
		return out, err
	}
	answer, err := encode(u.Spec, out)
	if err != nil {
		return out, fmt.Errorf("encode the answer of %s: %w", u.Name, err)
	}
	c.Landed, err = land(ctx, u.ends, c, op, ending{outcome: c.outcome(), answer: sql.NullString{String: answer, Valid: true}})
	return out, err
}

// recall answers what the key answered the first time.
func recall[Out any](c *Call, op operation, s stored) (Out, error) {
	var out Out
	if err := s.match(op); err != nil {
		return out, err
	}
	if err := json.Unmarshal([]byte(s.Answer.String), &out); err != nil {
		return out, fmt.Errorf("read the kept answer of %s: %w", op.Tool, err)
	}
	c.Landed = Receipt{Outcome: s.Outcome.String, Position: s.Position.Int64, Repeated: true}
	return out, nil
}

// unknown is the refusal of a call nobody knows the end of. out is what it
// answers should it have landed, of which only a name that was reserved for it
// is told.
func (u Use[In, Out]) unknown(c *Call, op operation, out Out, cause error) error {
	says := "The database did not confirm this in time, so it may or may not have happened. " + sendAgain(c.Door)
	name := ""
	if u.reserved != nil {
		name = u.reserved(out)
	}
	if name == "" {
		return refusal.UnknownOutcome.Say("%s", says).With("outcome", "unknown").With("op_id", op.Key).For(cause)
	}
	return refusal.UnknownOutcome.Say("%s Should it be there already, it is %s.", says, name).
		With("outcome", "unknown").With("op_id", op.Key).With("if_landed", name).For(cause)
}

// sendAgain is how a call is made once more through a door.
func sendAgain(door string) string {
	switch door {
	case "mcp":
		return "Send the very same call again with this op_id: it lands once."
	case "page":
		return "Send the same form again: it lands once."
	default:
		return "Send the very same request again with the same key: it lands once."
	}
}
