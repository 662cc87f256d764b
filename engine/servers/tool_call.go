package servers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

// CallTool is what call_tool is asked: one call of a server's tool, by the
// name it is registered under.
type CallTool struct {
	Tool      string          `json:"tool" validate:"required,max=64" jsonschema:"the tool's registered name"`
	Arguments json.RawMessage `json:"arguments,omitempty" jsonschema:"a JSON object, as the tool's input schema has it"`
	Seat      string          `json:"seat,omitempty" validate:"max=64" jsonschema:"for a server of one child per seat: whose"`
}

// Object names the tool for the record.
func (a CallTool) Object() string { return "tool:" + a.Tool }

// Called is what a tool answered, whole, with secrets redacted.
type Called struct {
	Tool    string  `json:"tool"`     // as it is registered
	Server  string  `json:"server"`   // its name
	IsError bool    `json:"is_error"` // the server's own failure, in its words
	Content []Block `json:"content"`
	// Structured is the result's structured content, byte for byte.
	Structured json.RawMessage `json:"structured,omitempty"`
	TookMS     int64           `json:"took_ms"`
	// ServerAsked says that the server asked for input and was declined.
	ServerAsked bool `json:"server_asked,omitempty"`
}

// Block is one content block of a result.
type Block struct {
	Type string `json:"type"` // text, image, audio, resource, resource_link, or another as sent
	Text string `json:"text,omitempty"`
	Data string `json:"data,omitempty"` // base64, of images, audio and resources of bytes
	MIME string `json:"mime,omitempty"`
	URI  string `json:"uri,omitempty"`
	Name string `json:"name,omitempty"` // of a link
	// Title is a link's, for people.
	Title string `json:"title,omitempty"`
	// More is a JSON object of the block's other fields, as they came:
	// annotations, _meta, icons; those of a resource under its name.
	More json.RawMessage `json:"more,omitempty"`
}

func declareCall(s *Servers) tool.Use[CallTool, Called] {
	return tool.Declare(tool.Spec{
		Name:   "call_tool",
		Title:  "Try a tool",
		Brief:  "Call one tool of an MCP server and show its result whole.",
		Access: access.Operator(access.FleetOperate).Sensitive(),
		Mode:   tool.Outside,
		Hints:  tool.Hints{Destructive: true, OpenWorld: true},
		// Where the tool's own row says.
		Delivers: "mcp",
	}, s.call).Harmless(s.harmless).Recording(insertCalls, insertPayloads)
}

// call runs one call: offered, then run. Approvals and budgets have their
// place between the two.
func (s *Servers) call(ctx context.Context, c *tool.Call, in CallTool) (Called, error) {
	c.About(in.Object())
	of, err := s.offer(ctx, in.Tool)
	if of.entry == nil {
		return Called{}, err
	}
	rec := s.newRecord(c, of, in)
	var out Called
	var raw json.RawMessage
	if err == nil {
		out, raw, err = s.ask(ctx, of, in)
	}
	rec.BytesOut = len(raw)
	rec.DurationMS = s.o.Clock.Now().Sub(rec.At).Milliseconds()
	rec.Outcome = outcomeOf(out, err)
	if of.payloads {
		s.keepPayload(&rec, in.Arguments, said(out, raw, err))
	}
	s.recordCall(c, rec)
	return out, err
}

func outcomeOf(out Called, err error) string {
	switch {
	case err != nil:
		return string(refusal.Of(err).Class)
	case out.IsError:
		return callFailed
	default:
		return callOK
	}
}

// said is what is kept of a result: the whole as its server gave it, or the
// sentence that stands in its place.
func said(out Called, raw json.RawMessage, err error) string {
	switch {
	case err != nil:
		return refusal.Of(err).Says
	case len(raw) == 0 && len(out.Content) > 0:
		return out.Content[0].Text
	}
	return string(raw)
}

// recordCall writes the record with what ends the call, or behind it.
func (s *Servers) recordCall(c *tool.Call, rec callRecord) {
	if !c.Claimed() {
		s.behind.add(rec)
		return
	}
	c.Record(rec)
}

// harmless reports whether a call is known to change nothing.
func (s *Servers) harmless(ctx context.Context, in CallTool) bool {
	of, err := s.offer(ctx, in.Tool)
	return err == nil && of.readOnly && s.pool != nil
}

// ask sends the call and reads what came of it; raw is the result as its server
// gave it.
func (s *Servers) ask(ctx context.Context, of offer, in CallTool) (out Called, raw json.RawMessage, err error) {
	switch says := unstarted(of.entry); {
	case says != "":
		return out, nil, refusal.NotRunning.Say("%s does not run. %s", of.entry.Name, says)
	case in.Seat != "" && of.entry.Shared:
		return out, nil, refusal.Invalid.Say("%s is shared: leave the seat out.", of.entry.Name).On("seat")
	case s.pool == nil:
		return out, nil, notServing()
	}
	if err := s.fits(ctx, of, in.Arguments); err != nil {
		return out, nil, err
	}
	key := client.Key{Server: of.server, Seat: of.seat, Node: s.o.Node.ID}
	began := s.o.Clock.Now()
	r, err := s.send(ctx, key, of, in.Arguments)
	if err == nil {
		return calledOf(of, r), r.Raw, nil
	}
	no, ok := errors.AsType[*client.CallError](err)
	if !ok {
		return out, nil, fmt.Errorf("call %s of %s: %w", of.own, of.entry.Name, err)
	}
	if no.Fault == client.Rejected {
		return saidOf(of, no.Says, s.o.Clock.Now().Sub(began)), nil, nil
	}
	return out, nil, s.uncalled(key, of, no)
}

func (s *Servers) send(ctx context.Context, key client.Key, of offer, args json.RawMessage) (*client.Result, error) {
	if of.utility {
		return s.sendUtility(ctx, key, of.own, args)
	}
	return s.pool.Call(ctx, key, of.own, args)
}

// uncalled is a call without a result, as its caller is told.
func (s *Servers) uncalled(key client.Key, of offer, e *client.CallError) error {
	if e.Fault == client.Malformed && !e.Reached {
		return refusal.Invalid.Say("%s", e.Says).On("arguments")
	}
	no := refusal.Unavailable.Say("%s", e.Says).With("server", of.entry.Name).With("tool", of.registered).For(e.Cause)
	if e.Fault == client.NoServer {
		if says := s.whyHeldBack(key); says != "" {
			no.Says = of.entry.Name + " does not run. " + says
		} else {
			no.Says = of.entry.Name + " does not run on this node yet."
		}
	}
	if !e.RetryAt.IsZero() {
		no = no.With("retry_at", e.RetryAt.UTC()).After(max(0, e.RetryAt.Sub(s.o.Clock.Now())))
	}
	if e.Reached && !of.readOnly {
		no.Says += " It may have taken effect; look before you send it again."
		no = no.With("may_have_taken_effect", true)
	}
	return no
}
