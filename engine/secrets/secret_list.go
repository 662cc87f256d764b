package secrets

import (
	"context"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ListSecrets asks for every secret's name and what may be known of it.
type ListSecrets struct{}

// SecretList is every secret there is, by name.
type SecretList struct {
	Secrets []Listed `json:"secrets"`
	// Missing are names something refers to and nobody stored.
	Missing []Missing `json:"missing"`
}

// Listed is a secret with the places that use it.
type Listed struct {
	Secret
	References []string `json:"references"`
}

// Missing is a name that is used and not stored here. The node's environment
// may hold it.
type Missing struct {
	Name       string   `json:"name"`
	References []string `json:"references"`
}

func declareListSecrets(s *Secrets) tool.Use[ListSecrets, SecretList] {
	return tool.Declare(tool.Spec{
		Name:     "list_secrets",
		Title:    "Secrets",
		Brief:    "List the names of stored secrets, who stored them, when, and where each is used. Values are never shown.",
		Access:   access.Operator(access.SecretsRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.list)
}

const listSecrets = `SELECT name, hosts, version, set_by, set_at FROM secrets ORDER BY name`

func (s *Secrets) list(ctx context.Context, c *tool.Call, _ ListSecrets) (SecretList, error) {
	var rows []Secret
	if err := c.Tx.SelectContext(ctx, &rows, listSecrets); err != nil {
		return SecretList{}, fmt.Errorf("list secrets: %w", err)
	}
	used, err := s.used(ctx, c)
	if err != nil {
		return SecretList{}, err
	}
	out := SecretList{Secrets: []Listed{}, Missing: []Missing{}}
	for _, row := range rows {
		out.Secrets = append(out.Secrets, Listed{Secret: row, References: places(used[row.Name])})
		delete(used, row.Name)
	}
	for _, name := range sorted(used) {
		out.Missing = append(out.Missing, Missing{Name: name, References: used[name]})
	}
	return out, nil
}
