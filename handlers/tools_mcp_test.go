package handlers

import (
	"encoding/json"
	"maps"
	"net/http"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// assistant is the operators' MCP door: whatever a row asks in plain arguments
// of a tool that is offered there is asked there too, in a world of its own.
const assistant = "mcp"

// byAssistant calls a tool over MCP. The same rights in a browser have no way
// in there; such a row is asked of the runner instead.
func (w *world) byAssistant(r row, a asking, key string) outcome {
	w.t.Helper()
	if a.by != nil {
		return w.byRunner(r, a, key)
	}
	w.use()
	t := w.tool(r.tool)
	var args map[string]any
	w.must(json.Unmarshal([]byte(a.body), &args))
	if t.Writes() {
		args["op_id"] = key
	}
	token := w.token.Value
	if a.bare {
		token = w.weak.Value
	}
	if a.nobody {
		body, headers := rpc{method: "tools/call", params: map[string]any{"name": r.tool, "arguments": args}}.encode(w.t)
		got := w.ask(w.t, http.MethodPost, "/operator/mcp", text(string(body)), headers...)
		class, _ := got.envelope(w.t)["error"].(string)
		return outcome{status: got.status, class: class, body: got.text}
	}
	got := w.callTool(w.t, token, mcpOld, r.tool, args)
	if got.Error {
		return outcome{status: got.class().Say("").Status(), class: string(got.class()), body: string(got.Content)}
	}
	w.asListed(t, got, key)
	return outcome{status: http.StatusOK, body: string(got.Content)}
}

// use has both tokens used once: that they were is written down behind the
// request, and is among what a list of tokens answers.
func (w *world) use() {
	w.t.Helper()
	if w.made["tokens used"] != "" {
		return
	}
	w.made["tokens used"] = "yes"
	for _, one := range []string{w.token.Value, w.weak.Value} {
		w.listed(w.t, one, mcpOld)
	}
	eventually(w.t, "the use of both is written down", func() bool {
		return w.rows(`SELECT count(*) FROM tokens WHERE id IN ($1, $2) AND last_used_at IS NOT NULL`, w.token.ID, w.weak.ID) == 2
	})
}

// asListed holds an answer against what the door lists of the tool, and
// against what the door itself adds.
func (w *world) asListed(t tool.Tool, got called, key string) {
	w.t.Helper()
	if t.Writes() && (got.fields["op_id"] != key || got.fields["outcome"] == "" || got.fields["position"] == nil) {
		w.t.Errorf("%s answers %s", t.Name, got.Content)
	}
	own := maps.Clone(got.fields)
	for _, added := range []string{"op_id", "outcome", "position"} {
		if _, declared := schema(t.OutputSchema()).Properties[added]; declared && t.Writes() {
			w.t.Errorf("%s answers %s of its own, which the door adds", t.Name, added)
		}
		if t.Writes() {
			delete(own, added)
		}
	}
	answer, err := json.Marshal(own)
	w.must(err)
	fits(w.t, t.OutputSchema(), answer)
}

// offered reports whether a row is asked over MCP.
func (w *world) offered(r row) bool {
	return (r.door == command || r.door == runner) && w.tool(r.tool).Audience&tool.Operators != 0
}

// isRefused is a called tool's class.
func (c called) isRefused(class refusal.Class) bool { return c.Error && c.class() == class }
