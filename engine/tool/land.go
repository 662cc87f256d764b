package tool

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
)

// ending is what a key keeps of its call.
type ending struct {
	outcome string
	answer  sql.NullString
	sealed  []byte
}

// land is the one last statement of a write: history, record, answer and
// announcement. It raises log_head, whose row lock is held to the end of
// COMMIT, so nothing slow follows it.
func land(ctx context.Context, c *Call, op operation, end ending) (Receipt, error) {
	rows, err := json.Marshal(c.logged)
	if err != nil {
		return Receipt{}, fmt.Errorf("encode the changes of %s: %w", op.Tool, err)
	}
	statement := landed
	if len(c.logged) == 0 {
		statement, rows = quiet, []byte("[]")
	}
	var head struct {
		Position int64  `db:"position"`
		Told     string `db:"told"`
	}
	err = c.Tx.GetContext(ctx, &head, statement,
		len(c.logged), string(rows), op.Principal, op.Key, end.answer, end.outcome, c.Now,
		c.By.Name, c.By.RecordedAs(), c.By.Credential, c.Door, op.Tool, c.object, c.RequestID, c.By.Key(), end.sealed)
	if err != nil {
		return Receipt{}, fmt.Errorf("land %s: %w", op.Tool, err)
	}
	return Receipt{Outcome: end.outcome, Position: head.Position}, nil
}

// What the engine does by itself stands in the log, not in the record of who
// did what: nobody did it.
const (
	landed = `
	WITH head AS (
		UPDATE log_head SET position = position + $1::int WHERE one RETURNING position
	),` + landing + `
	SELECT head.position AS position, pg_notify('changes', head.position::text)::text AS told FROM head`

	quiet = `
	WITH head AS (
		SELECT position FROM log_head
	),` + landing + `
	SELECT head.position AS position, '' AS told FROM head`

	landing = `
	kept AS (
		UPDATE operations SET answer = $5, outcome = $6, finished_at = $7, sealed = $16, position = (SELECT position FROM head)
		WHERE principal = $3 AND key = $4::uuid
	), logged AS (
		INSERT INTO changes (position, at, actor, actor_name, recorded_as, credential, kind, object, deltas, operation)
		SELECT head.position - $1::int + c.ord, $7, $15, $8, $9, $10, c.kind, c.object, c.deltas, $4::uuid
		FROM head, json_to_recordset($2::json) AS c(ord int, kind text, object text, deltas json)
	), audited AS (
		INSERT INTO audit (at, actor, actor_name, credential, door, verb, object, outcome, position, request_id)
		SELECT $7, $15, $8, $10, $11, $12, $13, $6, head.position, $14 FROM head WHERE $9 <> 'system'
	)`
)
