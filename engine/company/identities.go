package company

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/google/uuid"

	"crewlet/config/document"
	"crewlet/db"
)

// Identities are the ids behind the names of one revision.
type Identities struct {
	Servers map[string]string `json:"servers"` // name to id
	Seats   map[string]string `json:"seats"`   // handle to id
}

// Scan reads the column.
func (i *Identities) Scan(value any) error {
	text, ok := value.([]byte)
	if !ok {
		return errors.New("identities are JSON")
	}
	return json.Unmarshal(text, i)
}

// Value writes the column.
func (i Identities) Value() (driver.Value, error) {
	text, err := json.Marshal(i)
	return string(text), err
}

// kept is a table of identities: the same rules hold for servers and seats.
type kept struct {
	retire, declare string
}

const (
	retireServers  = `UPDATE mcp_servers SET declared = false, revision = $1 WHERE declared`
	declareServers = `
		INSERT INTO mcp_servers (id, name, declared, revision)
		SELECT n.value::uuid, n.key, true, $1 FROM json_each_text($2::json) AS n
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, declared = true, revision = excluded.revision`

	retireSeats  = `UPDATE seats SET declared = false, revision = $1 WHERE declared`
	declareSeats = `
		INSERT INTO seats (id, handle, declared, revision)
		SELECT n.value::uuid, n.key, true, $1 FROM json_each_text($2::json) AS n
		ON CONFLICT (id) DO UPDATE SET handle = excluded.handle, declared = true, revision = excluded.revision`
)

// identify finds the id of every name a document declares, and keeps them.
// Those in fixed are decided: a rename's, or those of the revision gone back
// to. A name that was removed and is declared anew is a new server or seat:
// pins, approvals and consents were given to the old one, and nothing says that
// the new one is the same program.
func identify(ctx context.Context, tx *db.Tx, doc *document.Document, rev int64, before, fixed Identities) (Identities, error) {
	var names, handles []string
	for i := range doc.MCPServers {
		names = append(names, doc.MCPServers[i].Name)
	}
	for _, seat := range doc.Seats() {
		handles = append(handles, seat.Role.Handle)
	}
	s, err := kept{retireServers, declareServers}.assign(ctx, tx, rev, names, before.Servers, fixed.Servers)
	if err != nil {
		return Identities{}, fmt.Errorf("identify the servers: %w", err)
	}
	h, err := kept{retireSeats, declareSeats}.assign(ctx, tx, rev, handles, before.Seats, fixed.Seats)
	if err != nil {
		return Identities{}, fmt.Errorf("identify the seats: %w", err)
	}
	return Identities{Servers: s, Seats: h}, nil
}

// assign gives each name its id: the one decided, the one it has, or a new one.
func (k kept) assign(ctx context.Context, tx *db.Tx, rev int64, names []string, before, fixed map[string]string) (map[string]string, error) {
	ids, taken := map[string]string{}, map[string]bool{}
	take := func(from map[string]string) {
		for _, name := range names {
			if id := from[name]; id != "" && ids[name] == "" && !taken[id] {
				ids[name], taken[id] = id, true
			}
		}
	}
	take(fixed)
	take(before)
	if maps.Equal(ids, before) && len(ids) == len(names) {
		return ids, nil
	}
	for _, name := range names {
		if ids[name] == "" {
			ids[name] = uuid.Must(uuid.NewV7()).String()
		}
	}
	return ids, k.keep(ctx, tx, rev, ids)
}

// keep writes the names down. All are taken back first, so that two names may
// change places.
func (k kept) keep(ctx context.Context, tx *db.Tx, rev int64, ids map[string]string) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, k.retire, rev); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, k.declare, rev, string(list))
	return err
}
