package secrets

import (
	"context"
	"fmt"

	"crewlet/db"
)

const secretNames = `SELECT name FROM secrets ORDER BY name`

// Names lists which names are stored, on the given transaction.
func (s *Secrets) Names(ctx context.Context, tx *db.Tx) ([]string, error) {
	var names []string
	if err := tx.SelectContext(ctx, &names, secretNames); err != nil {
		return nil, fmt.Errorf("list the names of secrets: %w", err)
	}
	return names, nil
}
