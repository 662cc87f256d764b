package servers

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
)

// keptPayload is the most, in bytes, that is kept of a call's arguments, and of
// its result: a record is no archive.
const keptPayload = 1 << 20

// payload is what was said in one call, where the company keeps it.
type payload struct {
	ID        string    `json:"id"`
	At        time.Time `json:"at"`
	Arguments *string   `json:"arguments"`
	Result    *string   `json:"result"`
}

// The same rows as insertCalls, of which some hold a payload.
const insertPayloads = `
	INSERT INTO mcp_payloads (id, at, arguments, result)
	SELECT p.id, p.at, p.arguments, p.result
	FROM json_to_recordset($1::json) AS c(payloads json),
		json_to_recordset(c.payloads) AS p(id uuid, at timestamptz, arguments text, result text)`

// keepPayload adds what was said to the record of a call. Sealed values are
// redacted from both; from a result they are already.
func (s *Servers) keepPayload(rec *callRecord, args json.RawMessage, result string) {
	said := payload{ID: uuid.Must(uuid.NewV7()).String(), At: rec.At, Result: keepable(result)}
	if len(args) == 0 {
		args = json.RawMessage(`{}`)
	}
	if json.Valid(args) {
		said.Arguments = keepable(string(s.hidden.JSON(args)))
	}
	rec.Payload, rec.Payloads = &said.ID, []payload{said}
}

// keepable is a text as it is kept; nil for one that is too large.
func keepable(text string) *string {
	if len(text) > keptPayload {
		return nil
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	return &text
}
