package history

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// Refused, as a wanted outcome, stands for every class a call may be refused
// with.
const Refused = "refused"

// ListAudit is what list_audit is asked.
type ListAudit struct {
	Actor   string `json:"actor,omitempty" validate:"max=200" jsonschema:"who: a login or label, or a principal such as person:<id>"`
	Verb    string `json:"verb,omitempty" validate:"max=100" jsonschema:"the operation, such as set_secret"`
	Object  string `json:"object,omitempty" validate:"max=300" jsonschema:"what it was about, such as secret:GITHUB_TOKEN; with a colon at its end every one of a kind"`
	Outcome string `json:"outcome,omitempty" validate:"max=40" jsonschema:"applied, unchanged, refused, or one class of refusal"`
	Before  int64  `json:"before,omitempty" validate:"min=0" jsonschema:"only rows older than this one: the next of the last answer"`
	Limit   int    `json:"limit,omitempty" validate:"min=0,max=100" jsonschema:"at most so many; 50 when left out"`
}

// Entry is one row of the record: who did what, and what came of it. It holds
// no arguments and no values.
type Entry struct {
	ID         int64     `db:"id" json:"id"`
	At         time.Time `db:"at" json:"at"`       // UTC
	Actor      string    `db:"actor" json:"actor"` // the principal: person:<id>
	ActorName  string    `db:"actor_name" json:"actor_name"`
	Credential string    `db:"credential" json:"credential"`
	Door       string    `db:"door" json:"door"`
	Verb       string    `db:"verb" json:"verb"`
	Object     string    `db:"object" json:"object"`
	Outcome    string    `db:"outcome" json:"outcome"`
	Reason     string    `db:"reason" json:"reason"`
	Position   int64     `db:"position" json:"position,omitempty"` // 0 where nothing was written
	RequestID  string    `db:"request_id" json:"request_id"`
}

// AuditPage is one page of the record, newest first.
type AuditPage struct {
	Entries []Entry `json:"entries"`
	Next    int64   `json:"next,omitempty"` // send it as before; 0 at the end
}

func declareListAudit(h *History) tool.Use[ListAudit, AuditPage] {
	return tool.Declare(tool.Spec{
		Name:     "list_audit",
		Title:    "The record",
		Brief:    "List who did what through which door, and what came of it, refusals included, newest first.",
		Access:   access.Operator(access.AuditRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, h.listAudit)
}

func (h *History) listAudit(ctx context.Context, c *tool.Call, in ListAudit) (AuditPage, error) {
	if in.Limit == 0 {
		in.Limit = 50
	}
	out := AuditPage{Entries: []Entry{}}
	query, args := in.query()
	if err := c.Tx.SelectBuilt(ctx, &out.Entries, query, args...); err != nil {
		return out, fmt.Errorf("list the record: %w", err)
	}
	if len(out.Entries) > in.Limit {
		out.Entries = out.Entries[:in.Limit]
		out.Next = out.Entries[in.Limit-1].ID
	}
	return out, nil
}

const entries = `
	SELECT id, at, actor, actor_name, credential, door, verb, object, outcome, reason, coalesce(position, 0) AS position, request_id
	FROM audit`

// query asks only for what is wanted, so that the planner sees which index
// fits. It reads one row more than the page holds.
func (in ListAudit) query() (string, []any) {
	var where []string
	var args []any
	and := func(condition string, arg any) {
		args = append(args, arg)
		where = append(where, strings.ReplaceAll(condition, "?", "$"+strconv.Itoa(len(args))))
	}
	if in.Actor != "" {
		and("(actor = ? OR actor_name = ?)", in.Actor)
	}
	if in.Verb != "" {
		and("verb = ?", in.Verb)
	}
	if strings.HasSuffix(in.Object, ":") {
		and("starts_with(object, ?)", in.Object)
	} else if in.Object != "" {
		and("object = ?", in.Object)
	}
	switch in.Outcome {
	case "":
	case Refused:
		where = append(where, "outcome NOT IN ('applied', 'unchanged')")
	default:
		and("outcome = ?", in.Outcome)
	}
	if in.Before > 0 {
		and("id < ?", in.Before)
	}
	query := entries
	if len(where) > 0 {
		query += " WHERE " + strings.Join(where, " AND ")
	}
	args = append(args, in.Limit+1)
	return query + " ORDER BY id DESC LIMIT $" + strconv.Itoa(len(args)), args
}
