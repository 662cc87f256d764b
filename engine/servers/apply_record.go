package servers

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// appliedKind is the row a node leaves when it stands at another revision. A
// node does not reconcile for it.
const appliedKind = "company.applied"

// recordApply is what record_apply is asked: where a node stands.
type recordApply struct {
	Node     string `json:"node" validate:"required"`
	Revision int64  `json:"revision"`
	Error    string `json:"error,omitempty" text:"raw" jsonschema:"why the newest revision could not be applied"`
}

// Object names the node for the record.
func (a recordApply) Object() string { return "node:" + a.Node }

func declareRecordApply(s *Servers) tool.Use[recordApply, recorded] {
	return tool.Declare(tool.Spec{
		Name:   "record_apply",
		Title:  "Record an apply",
		Brief:  "Keep which revision of the company a node has applied.",
		Access: access.EngineOnly(),
		Hints:  tool.Hints{Idempotent: true},
	}, s.applyRecorded)
}

const standsAt = `
	UPDATE nodes SET revision = $2, apply_error = $3
	WHERE id = $1 AND (revision, apply_error) IS DISTINCT FROM ($2, $3)
	RETURNING name`

func (s *Servers) applyRecorded(ctx context.Context, c *tool.Call, in recordApply) (recorded, error) {
	c.About(in.Object())
	var name string
	err := c.Tx.GetContext(ctx, &name, standsAt, in.Node, in.Revision, in.Error)
	if errors.Is(err, sql.ErrNoRows) {
		c.Unchanged()
		return recorded{}, nil
	}
	if err != nil {
		return recorded{}, fmt.Errorf("record what node %s applied: %w", in.Node, err)
	}
	d := map[string]changes.Delta{"node": {To: name}, "revision": {To: in.Revision}}
	if in.Error != "" {
		d["error"] = changes.Delta{To: in.Error}
	}
	c.Changed(appliedKind, in.Object(), d)
	return recorded{}, nil
}
