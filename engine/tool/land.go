package tool

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"crewlet/db"
)

// ending is what a key keeps of its call.
type ending struct {
	outcome string
	answer  sql.NullString
	sealed  []byte
}

// landings are the last statements of one use case: of a call the log is told
// of, and of one it is not. Both end a call that has not ended, and only that.
type landings struct {
	told, quiet string
	records     bool // the area keeps rows of its own; see Use.Recording
}

// landingsOf takes the area's own statements in, which read their rows from $1.
func landingsOf(recording ...string) landings {
	own := func(rows string) string {
		var all strings.Builder
		for i, insert := range recording {
			fmt.Fprintf(&all, ", own%d AS (%s WHERE EXISTS (SELECT FROM kept))", i, strings.ReplaceAll(insert, "$1", rows))
		}
		return all.String()
	}
	return landings{told: fmt.Sprintf(landed, own("$17")), quiet: fmt.Sprintf(quiet, own("$15")), records: len(recording) > 0}
}

// landedAt is what the last statement answers.
type landedAt struct {
	Position int64  `db:"position"`
	Told     string `db:"told"`
}

// land is the one last statement of a write: history, record, answer and
// announcement. It raises log_head, whose row lock is held to the end of
// COMMIT, so nothing slow follows it.
func land(ctx context.Context, ends landings, c *Call, op operation, end ending) (Receipt, error) {
	statement, args, err := landing(ends, c, op, end)
	if err != nil {
		return Receipt{}, err
	}
	var out landedAt
	if err := c.Tx.GetContext(ctx, &out, statement, args...); err != nil {
		return Receipt{}, fmt.Errorf("land %s: %w", op.Tool, err)
	}
	return Receipt{Outcome: end.outcome, Position: out.Position}, nil
}

// landAlone is land where the log is told nothing: the statement is the whole
// transaction, and a second run of it does nothing.
func landAlone(ctx context.Context, d *db.DB, ends landings, c *Call, op operation, end ending) (Receipt, error) {
	statement, args, err := landing(ends, c, op, end)
	if err != nil {
		return Receipt{}, err
	}
	var out landedAt
	if _, err := d.InOne(ctx, &out, statement, args...); err != nil {
		return Receipt{}, fmt.Errorf("land %s: %w", op.Tool, err)
	}
	return Receipt{Outcome: end.outcome, Position: out.Position}, nil
}

// landing is the statement that ends a call, with its arguments.
func landing(ends landings, c *Call, op operation, end ending) (statement string, args []any, err error) {
	args = []any{
		op.Principal, op.Key, end.answer, end.outcome, c.Now, c.By.Name, c.By.RecordedAs(), c.By.Credential,
		c.Door, op.Tool, c.object, c.RequestID, c.By.Key(), end.sealed,
	}
	statement = ends.quiet
	if len(c.logged) > 0 {
		rows, err := json.Marshal(c.logged)
		if err != nil {
			return "", nil, fmt.Errorf("encode the changes of %s: %w", op.Tool, err)
		}
		statement, args = ends.told, append(args, len(c.logged), string(rows))
	}
	if ends.records {
		rows, err := json.Marshal(c.records)
		if err != nil {
			return "", nil, fmt.Errorf("encode what %s records: %w", op.Tool, err)
		}
		args = append(args, string(rows))
	}
	return statement, args, nil
}

// What the engine does by itself stands in the log, not in the record of who
// did what: nobody did it. A call that was given up for lost may end after all.
const (
	landed = `
	WITH head AS (
		UPDATE log_head SET position = position + $15::int WHERE one RETURNING position
	),` + keeping + `, logged AS (
		INSERT INTO changes (position, at, actor, actor_name, recorded_as, credential, kind, object, deltas, operation)
		SELECT head.position - $15::int + c.ord, $5, $13, $6, $7, $8, c.kind, c.object, c.deltas, $2::uuid
		FROM head, json_to_recordset($16::json) AS c(ord int, kind text, object text, deltas json)
	)%s
	SELECT head.position AS position, pg_notify('changes', head.position::text)::text AS told FROM head`

	quiet = `
	WITH head AS (
		SELECT position FROM log_head
	),` + keeping + `%s
	SELECT position FROM head`

	keeping = `
	kept AS (
		UPDATE operations SET answer = $3, outcome = $4, finished_at = $5, sealed = $14, position = (SELECT position FROM head)
		WHERE principal = $1 AND key = $2::uuid AND (finished_at IS NULL OR outcome = 'abandoned')
		RETURNING true
	), audited AS (
		INSERT INTO audit (at, actor, actor_name, credential, door, verb, object, outcome, position, request_id)
		SELECT $5, $13, $6, $8, $9, $10, $11, $4, head.position, $12 FROM head, kept WHERE $7 <> 'system'
	)`
)
