package door

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// MaxAnswer is the longest answer of a read in bytes; past it the caller is
// told how to ask for less.
const MaxAnswer = tool.MaxAnswer

// handler runs a tool. Whatever goes wrong is a result: of an error the
// library would make one of its own, with its text.
func (d *Door) handler(e entry) server.ToolHandlerFunc {
	return func(ctx context.Context, asked mcp.CallToolRequest) (out *mcp.CallToolResult, _ error) {
		v := visitOf(ctx)
		defer func() {
			if cause := recover(); cause != nil {
				d.o.Log.ErrorContext(ctx, "panic", "tool", e.tool.Name, "request", v.call.RequestID, "cause", cause, "stack", string(debug.Stack()))
				out = refused(refusal.Of(fmt.Errorf("panic: %v", cause)), "")
			}
		}()
		raw, _ := asked.GetRawArguments().(json.RawMessage)
		return d.call(ctx, e, v.begin(), raw), nil
	}
}

func (d *Door) call(ctx context.Context, e entry, c *tool.Call, raw json.RawMessage) *mcp.CallToolResult {
	t := e.tool
	if t.Writes() {
		raw, c.Key = takeKey(raw)
	}
	if !d.o.Offers(t.Name) {
		return refused(nowhere(t.Name), "")
	}
	if !e.offered {
		return refused(refusal.Of(d.o.Run.NotOffered(ctx, t.Spec, c)), "")
	}
	answer, err := t.Do(ctx, d.o.Run, c, raw)
	if err == nil {
		answer, err = t.Fenced(d.o.Run, c, answer)
	}
	switch {
	case err != nil:
		return refused(d.o.Run.FencedRefusal(c, refusal.Of(err)), c.Key)
	case t.Writes():
		return structured(receipt(answer, c))
	case len(answer) > MaxAnswer:
		if name := narrowing(t); name != "" {
			return refused(refusal.Invalid.Say("This answer is %d bytes long, and %d are handed over at once. %s",
				len(answer), MaxAnswer, less(name)).On(name), "")
		}
	}
	return structured(answer)
}

// nowhere refuses a tool that the company does not have.
func nowhere(name string) *refusal.Refusal {
	return refusal.NotFound.Say("There is no tool %s here: this company does without what it belongs to.", name)
}

// takeKey takes the caller's key off the arguments, or makes one. A key that
// is no text is handed on as it is, for the runner to refuse.
func takeKey(raw json.RawMessage) (json.RawMessage, string) {
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil {
		return raw, tool.NewKey() // refused for what it is
	}
	given, has := args["op_id"]
	delete(args, "op_id")
	rest, err := json.Marshal(args)
	if err != nil || !has {
		return raw, tool.NewKey()
	}
	if string(given) == "null" {
		return rest, tool.NewKey()
	}
	var key string
	if json.Unmarshal(given, &key) != nil || key == "" {
		key = string(given)
	}
	return rest, key
}

// receipt adds to a write's answer how it ended, and the key it landed under.
func receipt(answer json.RawMessage, c *tool.Call) json.RawMessage {
	tail, err := json.Marshal(struct {
		Key      string `json:"op_id"`
		Outcome  string `json:"outcome"`
		Position int64  `json:"position"`
	}{c.Key, c.Landed.Outcome, c.Landed.Position})
	if err != nil {
		return answer
	}
	return within(answer, string(tail[1:len(tail)-1]))
}

// narrowing is the argument that makes a tool's answer shorter.
func narrowing(t tool.Tool) string {
	names := tool.Names(t.Arguments)
	for _, name := range []string{"limit", "offset", "q"} {
		if slices.Contains(names, name) {
			return name
		}
	}
	return ""
}

// less says how an argument makes an answer shorter.
func less(name string) string {
	if name == "offset" {
		return "Read it in parts with offset: 0 first, then what each answer says comes next."
	}
	return "Ask for less of it with " + name + "."
}

// structured is an answer as content for programs, and as the same text.
func structured(answer json.RawMessage) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(string(answer))}, StructuredContent: answer}
}

// refused is a refusal as a result: the envelope every door has. A write's
// says under which key it may be sent again.
func refused(no *refusal.Refusal, key string) *mcp.CallToolResult {
	envelope := no.Envelope()
	if key != "" {
		envelope["op_id"] = key
	}
	if no.Class == refusal.OpIDInvalid {
		says := "A read takes no op_id: it writes nothing, so it may be sent again as it is."
		if key != "" {
			says = "op_id is a UUIDv7 of your own making, such as " + tool.NewKey() + ". Leave it out, and one is made."
		}
		envelope["message"], envelope["fields"] = says, map[string]string{"op_id": says}
	}
	if no.RetryAfter > 0 {
		envelope["retry_after"] = int(math.Ceil(no.RetryAfter.Seconds()))
	}
	text, err := json.Marshal(envelope)
	if err != nil {
		text = []byte(`{"error":"internal_error","message":"The refusal could not be written down."}`)
	}
	out := structured(text)
	out.IsError = true
	return out
}

// Notify sends a notification to whoever sent this request, before its answer.
func (d *Door) Notify(ctx context.Context, method string, params map[string]any) error {
	if v := visitOf(ctx); v != nil {
		v.sent = true
	}
	return d.mcp.SendNotificationToClient(ctx, method, params)
}

// settle is how long an answer waits for notifications on their way: the
// library drops one that is sent just before.
const settle = time.Millisecond

func settled(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, asked mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		out, err := next(ctx, asked)
		if v := visitOf(ctx); v != nil && v.sent {
			time.Sleep(settle)
		}
		return out, err
	}
}
