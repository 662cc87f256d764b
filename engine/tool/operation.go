package tool

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
)

// operation is one key of one principal, bound to a tool and its arguments.
type operation struct {
	Principal, Key, Tool, Node string
	Arguments                  []byte // keyed digest
}

// stored is what a key already did.
type stored struct {
	Tool      string         `db:"tool"`
	Arguments []byte         `db:"arguments"`
	Node      string         `db:"node"`
	Finished  sql.NullTime   `db:"finished_at"`
	Started   time.Time      `db:"started_at"`
	Outcome   sql.NullString `db:"outcome"`
	Answer    sql.NullString `db:"answer"`
	Sealed    []byte         `db:"sealed"`
	Position  sql.NullInt64  `db:"position"`
}

// operation checks the key and binds it. The engine's own calls may come
// without one.
func (r *Runner) operation(spec Spec, c *Call, in any) (operation, error) {
	if c.Key == "" && c.By.Kind == access.Engine {
		c.Key = NewKey()
	}
	id, err := Keyed(c.Key)
	if err != nil {
		return operation{}, err
	}
	if err := aged(id, c.Now); err != nil {
		return operation{}, err
	}
	canonical, err := json.Marshal(in)
	if err != nil {
		return operation{}, fmt.Errorf("encode the arguments of %s: %w", spec.Name, err)
	}
	return operation{
		Principal: c.By.Key(), Key: id.String(), Tool: spec.Name, Node: r.Node,
		Arguments: r.Keys.Digest(append([]byte(spec.Name+"\x00"), canonical...)),
	}, nil
}

// Keyed reads a key, or refuses what is none.
func Keyed(key string) (uuid.UUID, error) {
	id, err := uuid.Parse(key)
	if err != nil || id.Version() != 7 || len(key) != 36 {
		return id, refusal.OpIDInvalid.Say("A write carries a key of its own: a UUIDv7, in the header Idempotency-Key or the form field _key.")
	}
	return id, nil
}

// NewKey makes a key for a form or a call: a UUIDv7.
func NewKey() string { return uuid.Must(uuid.NewV7()).String() }

const (
	taking = `
	INSERT INTO operations (principal, key, tool, arguments, node, started_at)
	VALUES ($1, $2, $3, $4, $5, $6)
	ON CONFLICT (principal, key) DO NOTHING`

	claim = taking + `
	RETURNING pg_backend_pid() AS pid, pg_current_xact_id()::text AS xid`

	// claimAlone is a transaction of its own, and lands once however often it is sent.
	claimAlone = taking + `
	RETURNING true`
)

const recalled = `
	SELECT tool, arguments, node, started_at, finished_at, outcome, answer, sealed, position
	FROM operations WHERE principal = $1 AND key = $2`

// claim takes the key for this transaction, or finds what it already did. Two
// at once wait for each other here.
func (op operation) claim(ctx context.Context, tx *db.Tx, now time.Time) (stored, bool, error) {
	var who struct {
		PID int    `db:"pid"`
		XID string `db:"xid"`
	}
	err := tx.GetContext(ctx, &who, claim, op.Principal, op.Key, op.Tool, op.Arguments, op.Node, now)
	if err == nil {
		tx.Stand(who.PID, who.XID)
		return stored{}, true, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return stored{}, false, fmt.Errorf("claim the key: %w", err)
	}
	s, err := op.find(ctx, tx)
	return s, false, err
}

func (op operation) find(ctx context.Context, tx *db.Tx) (stored, error) {
	var s stored
	if err := tx.GetContext(ctx, &s, recalled, op.Principal, op.Key); err != nil {
		return s, fmt.Errorf("read what the key did: %w", err)
	}
	return s, nil
}

// match refuses a key that was used for something else.
func (s stored) match(op operation) error {
	if s.Tool != op.Tool || !bytes.Equal(s.Arguments, op.Arguments) {
		return refusal.Conflict.Say("This key was already used for another call. Nothing was written; send this one with a new key.").With("op_id", op.Key)
	}
	return nil
}

// settle asks a fresh connection what became of a transaction whose COMMIT
// was not answered. When the key can be claimed, the first one never lands.
func (r *Runner) settle(ctx context.Context, op operation, lost *db.Unsettled) (s stored, landed bool, err error) {
	err = r.DB.Settle(ctx, lost, func(tx *db.Tx) error {
		var claimed bool
		var err error
		s, claimed, err = op.claim(ctx, tx, r.Now().UTC())
		landed = !claimed
		return err
	})
	return s, landed, err
}
