package tool

import (
	"context"
	"errors"
	"strings"

	"crewlet/db"
	"crewlet/engine/refusal"
)

const audited = `
	INSERT INTO audit (at, actor, actor_name, credential, door, verb, object, outcome, reason, request_id)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

// refused classifies an error, and records the refusal in a transaction of
// its own: the one that was refused is rolled back. Reads leave a row only
// when they were forbidden; nobody leaves none, for there is no one to name.
func (r *Runner) refused(ctx context.Context, spec Spec, c *Call, object string, err error) error {
	no := classify(err)
	if no.Cause != nil {
		r.Log.ErrorContext(ctx, "call_refused", "tool", spec.Name, "class", no.Class, "request", c.RequestID, "error", no.Cause)
	}
	if c.recorded || !records(spec, no) {
		return no
	}
	if c.object != "" {
		object = c.object
	}
	object = recordable(object)
	now := r.Now().UTC()
	reason, _ := no.Details["reason"].(string)
	err = r.DB.InTx(context.WithoutCancel(ctx), func(tx *db.Tx) error {
		_, err := tx.ExecContext(ctx, audited, now, c.By.Key(), c.By.Name, c.By.Credential, c.Door,
			spec.Name, object, string(no.Class), reason, c.RequestID)
		return err
	})
	if err != nil {
		r.Log.ErrorContext(ctx, "audit_row_lost", "tool", spec.Name, "class", no.Class, "request", c.RequestID, "error", err)
	}
	return no
}

// Refuse records a refusal of a door's own: of a call that never came to its
// arguments.
func (r *Runner) Refuse(ctx context.Context, spec Spec, c *Call, err error) error {
	return r.refused(ctx, spec, c, "", err)
}

// NotOffered refuses a call of a tool that a door does not have, and records
// it as any other refusal.
func (r *Runner) NotOffered(ctx context.Context, spec Spec, c *Call) error {
	return r.refused(ctx, spec, c, "", refusal.Forbidden.Say("%s is not offered here. It is done on the dashboard, or by the node itself.", spec.Name).
		With("reason", "no_scope"))
}

// longestObject is how much of an object's name the record keeps, in bytes: a
// refused call may have named anything.
const longestObject = 200

// recordable makes a name that was sent fit to be kept.
func recordable(object string) string {
	if len(object) > longestObject {
		object = object[:longestObject]
	}
	return strings.ToValidUTF8(strings.ReplaceAll(object, "\x00", ""), "")
}

func records(spec Spec, no *refusal.Refusal) bool {
	if no.Class == refusal.Unauthenticated && spec.Access.Rule != "open" {
		return false
	}
	return spec.Mode != Read || no.Class == refusal.Forbidden
}

// classify marks what waiting clears; all else unmarked is the node's own.
func classify(err error) *refusal.Refusal {
	if no, ok := errors.AsType[*refusal.Refusal](err); ok {
		return no
	}
	if errors.Is(err, context.Canceled) {
		return refusal.Unavailable.Say("The call was given up before it ended; nothing was written.").For(err)
	}
	if db.Unavailable(err) || errors.Is(err, context.DeadlineExceeded) {
		return refusal.Unavailable.Say("The database cannot be reached just now. Nothing was written; try again in a moment.").After(2e9).For(err)
	}
	return refusal.Of(err)
}
