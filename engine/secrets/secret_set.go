package secrets

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// SetSecret is what set_secret is asked.
type SetSecret struct {
	Name  string   `json:"name" validate:"required" jsonschema:"such as GITHUB_TOKEN; letters, digits and underscores"`
	Value string   `json:"value" validate:"required" text:"raw" jsonschema:"the value to seal, at most 64 KiB; it is never shown again"`
	Hosts []string `json:"hosts,omitempty" validate:"max=20,dive,max=253" jsonschema:"host names the value may be sent to; left out, a new secret may go to any and an old one keeps its list; * alone lifts it"`
	New   bool     `json:"new,omitempty" jsonschema:"refuse when the name is taken, instead of storing over it"`
}

// Object names the secret for the record.
func (a SetSecret) Object() string { return "secret:" + a.Name }

// Rules are those of names, values and hosts.
func (a SetSecret) Rules() map[string]string {
	wrong := map[string]string{}
	if err := checkName(a.Name); err != nil {
		wrong["name"] = refusal.Of(err).Says
	}
	if len(a.Value) > MaxValue {
		wrong["value"] = fmt.Sprintf("A value is at most 64 KiB; this one is %d bytes.", len(a.Value))
	}
	if _, _, err := hostList(a.Hosts); err != nil {
		wrong["hosts"] = refusal.Of(err).Says
	}
	return wrong
}

func declareSetSecret(s *Secrets) tool.Use[SetSecret, Secret] {
	return tool.Declare(tool.Spec{
		Name:   "set_secret",
		Title:  "Store a secret",
		Brief:  "Seal a value under a name. Servers that use it are started again with the new value.",
		Access: access.Operator(access.SecretsWrite).Sensitive(),
	}, s.set)
}

const setSecret = `
	INSERT INTO secrets (name, sealed, key_id, hosts, set_by, set_at)
	VALUES ($1, $2, $3, $4, $5, $6)
	ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, key_id = excluded.key_id,
		hosts = CASE WHEN $7 OR cardinality(excluded.hosts) > 0 THEN excluded.hosts ELSE secrets.hosts END,
		set_by = excluded.set_by, set_at = excluded.set_at, version = secrets.version + 1
		WHERE NOT $8
	RETURNING name, hosts, version, set_by, set_at`

func (s *Secrets) set(ctx context.Context, c *tool.Call, in SetSecret) (Secret, error) {
	c.About(in.Object())
	hosts, lift, err := hostList(in.Hosts)
	if err != nil {
		return Secret{}, err
	}
	sealed, key, err := s.ring.Seal([]byte(in.Value), in.Name)
	if err != nil {
		return Secret{}, err
	}
	var out Secret
	err = c.Tx.GetContext(ctx, &out, setSecret, in.Name, sealed, key, pq.StringArray(hosts), c.By.Name, c.Now, lift, in.New)
	if errors.Is(err, sql.ErrNoRows) {
		return Secret{}, refusal.Exists.Say("There is a secret %s already. Choose another name.", in.Name).On("name")
	}
	if err != nil {
		return Secret{}, fmt.Errorf("store secret %s: %w", in.Name, err)
	}
	c.Changed("secret.set", in.Object(), map[string]changes.Delta{"version": {To: out.Version}, "hosts": {To: []string(out.Hosts)}})
	return out, nil
}

// hostList checks host names. No name at all leaves an old list alone: a new
// value is not sent to more places than the last one was unless somebody says
// so, with * alone.
func hostList(sent []string) (hosts []string, lift bool, err error) {
	if len(sent) == 1 && sent[0] == "*" {
		return []string{}, true, nil
	}
	hosts = append([]string{}, sent...) // an empty list, never null
	slices.Sort(hosts)
	hosts = slices.Compact(hosts)
	for _, host := range hosts {
		if host == "" || strings.ContainsAny(host, "/:@ *") {
			return nil, false, refusal.Invalid.Say("A host is a bare name, such as api.example.com, without scheme, port or path; * alone stands for any.").On("hosts")
		}
	}
	return hosts, false, nil
}
