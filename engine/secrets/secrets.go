// Package secrets keeps one sealed value per name. No screen, tool or command
// shows a value again; they show names, who stored them and when, and where
// they are used.
package secrets

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/lib/pq"

	"crewlet/config/document"
	"crewlet/db"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// MaxValue is the largest value in bytes.
const MaxValue = 64 << 10

// Secret is what may be known of a value: everything but the value.
type Secret struct {
	Name    string         `db:"name" json:"name"`
	Hosts   pq.StringArray `db:"hosts" json:"hosts"` // sent to no other host, when any is named
	Version int            `db:"version" json:"version"`
	SetBy   string         `db:"set_by" json:"set_by"`
	SetAt   time.Time      `db:"set_at" json:"set_at"` // UTC
}

// References answers where the company's declarations use which name: name to
// places such as mcp_servers[2].env.TOKEN. It reads what the call
// sees.
type References func(ctx context.Context, c *tool.Call) (map[string][]string, error)

// Secrets is the area's service.
type Secrets struct {
	List   tool.Use[ListSecrets, SecretList]
	Set    tool.Use[SetSecret, Secret]
	Delete tool.Use[DeleteSecret, Deleted]
	Rekey  tool.Use[RekeySecrets, Rekeyed]

	ring *Keyring
	used References
}

// New makes the service. What is sealed is sealed under ring; used says where
// a name is needed.
func New(ring *Keyring, used References) *Secrets {
	s := &Secrets{ring: ring, used: used}
	s.List = declareListSecrets(s)
	s.Set = declareSetSecret(s)
	s.Delete = declareDeleteSecret(s)
	s.Rekey = declareRekeySecrets(s)
	return s
}

// Tools lists the area's use cases for the catalogue.
func (s *Secrets) Tools() []tool.Tool {
	return []tool.Tool{s.List.Any(), s.Set.Any(), s.Delete.Any(), s.Rekey.Any()}
}

var nameShape = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)

// checkName refuses names that are no variable's, and those that could never
// be referred to.
func checkName(name string) error {
	if !nameShape.MatchString(name) {
		return refusal.Invalid.Say("A secret's name is letters, digits and underscores, at most 128, and does not begin with a digit, such as GITHUB_TOKEN.").On("name")
	}
	if document.Reserved(name) {
		return refusal.Invalid.Say("Names beginning CREWLET_ or PG are the node's own and never resolve in ${}; choose another.").On("name")
	}
	return nil
}

const sealedValues = `SELECT name, sealed, key_id, hosts FROM secrets ORDER BY name`

// Value is an opened secret. It is handed to nothing but what it is for.
type Value struct {
	Plain string
	Hosts []string
}

// Values opens every secret, for resolving references and for redacting.
func (s *Secrets) Values(ctx context.Context, d *db.DB) (map[string]Value, error) {
	var rows []struct {
		Name   string         `db:"name"`
		Sealed []byte         `db:"sealed"`
		KeyID  string         `db:"key_id"`
		Hosts  pq.StringArray `db:"hosts"`
	}
	if err := d.SelectContext(ctx, &rows, sealedValues); err != nil {
		return nil, fmt.Errorf("read the sealed values: %w", err)
	}
	values := make(map[string]Value, len(rows))
	for _, row := range rows {
		plain, err := s.ring.Open(row.Sealed, row.KeyID, row.Name)
		if err != nil {
			return nil, err
		}
		values[row.Name] = Value{Plain: string(plain), Hosts: row.Hosts}
	}
	return values, nil
}

const sealingKeys = `SELECT DISTINCT key_id FROM secrets ORDER BY key_id`

// KeysInUse lists the ids of the keys that stored values are sealed under.
func KeysInUse(ctx context.Context, d *db.DB) ([]string, error) {
	var ids []string
	if err := d.SelectContext(ctx, &ids, sealingKeys); err != nil {
		return nil, fmt.Errorf("read which keys are in use: %w", err)
	}
	return ids, nil
}

// CheckRing refuses a keyring that cannot open what is stored: a node that
// starts with the wrong one would look healthy and fail server by server.
func CheckRing(ring *Keyring, inUse []string) error {
	for _, id := range inUse {
		if !ring.Has(id) {
			return fmt.Errorf("secrets are sealed under key %q, which is not in this node's keyring; give CREWLET_KEYRING the keyring they were sealed with", id)
		}
	}
	return nil
}
