package servers

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx/types"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// GetCall is what get_tool_call is asked.
type GetCall struct {
	ID int64 `json:"id" validate:"required,min=1" jsonschema:"the call's, as list_tool_calls has it"`
}

// CallRead is one call with what was said in it, where the company keeps that
// (audit.payloads). Sealed values are redacted.
type CallRead struct {
	CallRow
	Arguments *string `json:"arguments"`                // JSON; null where it is not kept, or was too large
	Result    *string `json:"result" said:"mcp:server"` // JSON as the server gave it, or a sentence; null as above
}

func declareGetCall(s *Servers) tool.Use[GetCall, CallRead] {
	return tool.Declare(tool.Spec{
		Name:     "get_tool_call",
		Title:    "A call of a tool",
		Brief:    "Read one call of an MCP server's tool with its arguments and its result, where the company keeps them.",
		Access:   access.Operator(access.AuditRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.getCall)
}

const getCall = `
	SELECT row_to_json(c) FROM (
		SELECT ` + callColumns + `,
			(SELECT p.arguments FROM mcp_payloads AS p WHERE p.id = payload) AS arguments,
			(SELECT p.result FROM mcp_payloads AS p WHERE p.id = payload) AS result
		FROM mcp_calls WHERE id = $1) AS c`

func (s *Servers) getCall(ctx context.Context, c *tool.Call, in GetCall) (CallRead, error) {
	c.About(fmt.Sprintf("call:%d", in.ID))
	var rows []types.JSONText
	if err := c.Tx.SelectContext(ctx, &rows, getCall, in.ID); err != nil {
		return CallRead{}, fmt.Errorf("read the call: %w", err)
	}
	if len(rows) == 0 {
		return CallRead{}, refusal.NotFound.Say("There is no call %d, or it is not kept any more.", in.ID)
	}
	var out CallRead
	err := part{rows[0], &out}.read()
	return out, err
}
