package servers

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"crewlet/db"
	"crewlet/engine/tool"
)

// Outcomes of a call that reached its server; otherwise the record has the
// class it was refused with.
const (
	callOK     = "ok"
	callFailed = "server_error" // the server's own failure
)

// callRecord is what is kept of one call.
type callRecord struct {
	At         time.Time `json:"at"`
	Actor      string    `json:"actor"`
	ActorName  string    `json:"actor_name"`
	Credential string    `json:"credential"`
	Door       string    `json:"door"`
	Server     string    `json:"server"`
	ServerName string    `json:"server_name"`
	Seat       string    `json:"seat"`
	Tool       string    `json:"tool"`
	OwnName    string    `json:"own_name"`
	Item       string    `json:"item"`
	Node       string    `json:"node"`
	DurationMS int64     `json:"duration_ms"`
	Outcome    string    `json:"outcome"`
	BytesIn    int       `json:"bytes_in"`
	BytesOut   int       `json:"bytes_out"`
	Operation  *string   `json:"operation"`
	Arguments  string    `json:"arguments"` // keyed digest, in hex
	Payload    *string   `json:"payload"`   // id of what was said, where it is kept
	Payloads   []payload `json:"payloads"`  // that itself: one or none
}

// newRecord begins the record of a call. Of the arguments it has a digest that
// nobody without the keyring can guess from.
func (s *Servers) newRecord(c *tool.Call, of offer, in CallTool) callRecord {
	rec := callRecord{
		At: s.o.Clock.Now().UTC(), Actor: c.By.Key(), ActorName: c.By.Name, Credential: c.By.Credential, Door: c.Door,
		Server: of.server, ServerName: of.entry.Name, Seat: of.seat, Tool: of.registered, OwnName: of.own,
		Node: s.o.Node.ID, BytesIn: len(in.Arguments), Payloads: []payload{},
		Arguments: hex.EncodeToString(s.o.Run.Keys.Digest(append([]byte("call\x00"+of.own+"\x00"), in.Arguments...))),
	}
	if c.Claimed() {
		key := c.Key
		rec.Operation = &key
	}
	return rec
}

// One statement writes one record or many.
const insertCalls = `
	INSERT INTO mcp_calls (at, actor, actor_name, credential, door, server, server_name, seat, tool, own_name, item, node,
		duration_ms, outcome, bytes_in, bytes_out, operation, arguments, payload)
	SELECT at, actor, actor_name, credential, door, server, server_name, seat, tool, own_name, item, node,
		duration_ms, outcome, bytes_in, bytes_out, operation, decode(arguments, 'hex'), payload
	FROM json_to_recordset($1::json) AS c(at timestamptz, actor text, actor_name text, credential text, door text,
		server uuid, server_name text, seat text, tool text, own_name text, item text, node text,
		duration_ms bigint, outcome text, bytes_in bigint, bytes_out bigint, operation uuid, arguments text, payload uuid)`

func writeCalls(ctx context.Context, tx *db.Tx, list []callRecord) error {
	text, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("encode the record of calls: %w", err)
	}
	for _, insert := range []string{insertCalls, insertPayloads} {
		if _, err := tx.ExecContext(ctx, insert, string(text)); err != nil {
			return fmt.Errorf("write the record of calls: %w", err)
		}
	}
	return nil
}
