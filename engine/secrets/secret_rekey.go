package secrets

import (
	"context"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// RekeySecrets asks to seal every value under the keyring's first key.
type RekeySecrets struct{}

// Object names all secrets for the record.
func (RekeySecrets) Object() string { return "secret:" }

// Rekeyed says how many values were sealed anew.
type Rekeyed struct {
	Count int `json:"count"`
}

func declareRekeySecrets(s *Secrets) tool.Use[RekeySecrets, Rekeyed] {
	return tool.Declare(tool.Spec{
		Name:   "rekey_secrets",
		Title:  "Seal every secret anew",
		Brief:  "Seal every stored value under the keyring's first key, so that older keys can be taken out. Who stored a value, and when, stays.",
		Access: access.Operator(access.SecretsWrite).Sensitive(),
		Hints:  tool.Hints{Idempotent: true},
	}, s.rekey)
}

const (
	sealedOtherwise = `SELECT name, sealed, key_id FROM secrets WHERE key_id <> $1 ORDER BY name FOR UPDATE`
	sealAnew        = `UPDATE secrets SET sealed = $2, key_id = $3 WHERE name = $1`
)

func (s *Secrets) rekey(ctx context.Context, c *tool.Call, in RekeySecrets) (Rekeyed, error) {
	c.About(in.Object())
	var rows []struct {
		Name   string `db:"name"`
		Sealed []byte `db:"sealed"`
		KeyID  string `db:"key_id"`
	}
	if err := c.Tx.SelectContext(ctx, &rows, sealedOtherwise, s.ring.ids[0]); err != nil {
		return Rekeyed{}, fmt.Errorf("read what is sealed under older keys: %w", err)
	}
	for _, row := range rows {
		plain, err := s.ring.Open(row.Sealed, row.KeyID, row.Name)
		if err != nil {
			return Rekeyed{}, err
		}
		sealed, key, err := s.ring.Seal(plain, row.Name)
		if err != nil {
			return Rekeyed{}, err
		}
		if _, err := c.Tx.ExecContext(ctx, sealAnew, row.Name, sealed, key); err != nil {
			return Rekeyed{}, fmt.Errorf("seal %s anew: %w", row.Name, err)
		}
		c.Changed("secret.rekeyed", "secret:"+row.Name, map[string]changes.Delta{"key": {From: row.KeyID, To: key}})
	}
	if len(rows) == 0 {
		c.Unchanged()
	}
	return Rekeyed{Count: len(rows)}, nil
}
