package secrets

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// DeleteSecret is what delete_secret is asked.
type DeleteSecret struct {
	Name   string `json:"name" validate:"required" jsonschema:"the secret's name"`
	Anyway bool   `json:"anyway,omitempty" jsonschema:"delete although something still refers to it"`
}

// Object names the secret for the record.
func (a DeleteSecret) Object() string { return "secret:" + a.Name }

// Deleted says which secret is gone and what referred to it.
type Deleted struct {
	Name       string   `json:"name"`
	References []string `json:"references"`
}

func declareDeleteSecret(s *Secrets) tool.Use[DeleteSecret, Deleted] {
	return tool.Declare(tool.Spec{
		Name:   "delete_secret",
		Title:  "Delete a secret",
		Brief:  "Delete a stored value. Refused while something refers to it, listing the places, unless anyway is true.",
		Access: access.Operator(access.SecretsWrite).Sensitive(),
		Hints:  tool.Hints{Destructive: true},
	}, s.delete)
}

const deleteSecret = `DELETE FROM secrets WHERE name = $1 RETURNING name`

func (s *Secrets) delete(ctx context.Context, c *tool.Call, in DeleteSecret) (Deleted, error) {
	c.About(in.Object())
	used, err := s.used(ctx, c)
	if err != nil {
		return Deleted{}, err
	}
	var name string
	err = c.Tx.GetContext(ctx, &name, deleteSecret, in.Name)
	if errors.Is(err, sql.ErrNoRows) {
		return Deleted{}, refusal.NotFound.Say("There is no secret of this name.")
	}
	if err != nil {
		return Deleted{}, fmt.Errorf("delete secret %s: %w", in.Name, err)
	}
	// Refused after the row is known to be there: the rollback keeps it.
	if refs := used[in.Name]; len(refs) > 0 && !in.Anyway {
		return Deleted{}, refusal.StillReferenced.Say("%s is still used at %s. Delete it anyway only if those may stop working.", in.Name, strings.Join(refs, ", ")).
			With("references", refs)
	}
	c.Changed("secret.deleted", in.Object(), nil)
	return Deleted{Name: in.Name, References: places(used[in.Name])}, nil
}

func places(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func sorted(used map[string][]string) []string { return slices.Sorted(maps.Keys(used)) }
