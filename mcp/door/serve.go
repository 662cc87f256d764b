package door

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// visit is one request and what the library's hooks and handlers need of it.
type visit struct {
	call *tool.Call // never run itself; each tool call is a copy
	ends <-chan struct{}
	swap swap // what stands in this answer instead of the library's
	sent bool // notifications went out
}

type visitKey struct{}

func visitOf(ctx context.Context) *visit {
	v, _ := ctx.Value(visitKey{}).(*visit)
	return v
}

// begin is a call of a tool on this visit.
func (v *visit) begin() *tool.Call {
	c := *v.call
	c.Ends = v.ends
	return &c
}

// message is what has to be known of a message before the library reads it.
// It is read by the same rules, so both see the same method.
type message struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id"`
}

// Serve answers one request of somebody known. An error is for the caller's
// plumbing to answer; nothing was sent then.
func (d *Door) Serve(w http.ResponseWriter, r *http.Request) error {
	if err := d.admitted(w, r); err != nil {
		return err
	}
	body, err := read(w, r)
	if err != nil {
		return err
	}
	var m message
	_ = json.Unmarshal(body, &m) // what is no message is the library's to refuse
	if m.Method == string(mcp.MethodNotificationCancelled) {
		// The library would look for the call among everybody's. Who wants a
		// call to end hangs up.
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
	held := r.Method == http.MethodGet || m.Method == string(mcp.MethodSubscriptionsListen)
	life, leave := d.o.Hold(r)
	defer leave()
	ctx := r.Context()
	if held {
		// A credential that ended since the request was let in told nobody yet.
		if err := d.o.Valid(r); err != nil {
			return err
		}
		ctx = life
	}
	v := &visit{call: d.o.Call(r), ends: life.Done()}
	header := r.Header.Clone()
	header.Set(server.HeaderKeySessionID, uuid.NewString()) // nobody's but this request's
	out := newAnswer(w, v, held)
	defer out.end()
	serve := d.http
	if m.Method == string(mcp.MethodToolsList) {
		serve = d.lists
	}
	serve.Handle(out, &server.HTTPRequest{
		Method: r.Method, URL: r.URL, Header: header, Body: body, Context: context.WithValue(ctx, visitKey{}, v),
	})
	return nil
}

// admitted looks at the request without its body.
func (d *Door) admitted(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost && r.Method != http.MethodGet {
		w.Header().Set("Allow", "GET, POST")
		return refusal.WrongMethod.Say("This address takes GET and POST.")
	}
	if origin := r.Header.Get("Origin"); origin != "" && !slices.Contains(d.o.Origins, strings.ToLower(origin)) {
		return refusal.Forbidden.Say("This came from another site's page. MCP is for programs, and pages of this node.").With("reason", "cross_origin")
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); r.Method == http.MethodPost && (err != nil || kind != "application/json") {
		return refusal.WrongMediaType.Say("A message is JSON: send it with Content-Type: application/json.")
	}
	// A browser's cookie is sent along by pages that were not asked; a token
	// never is.
	if r.Header.Get("Authorization") == "" {
		return refusal.Unauthenticated.Say("MCP takes a token, sent as \"Authorization: Bearer …\". Mint one under Settings › Tokens.")
	}
	return nil
}

// read takes the body, and refuses one that is too large by what it says of
// itself or as soon as it is.
func read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Method != http.MethodPost {
		return nil, nil
	}
	if r.ContentLength > MaxBody {
		w.Header().Set("Connection", "close") // nobody reads the rest
		return nil, tooLarge()
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return nil, tooLarge()
	}
	if err != nil {
		return nil, refusal.Malformed.Say("The message could not be read to its end; send it again.").For(err)
	}
	return body, nil
}

func tooLarge() error {
	return refusal.TooLarge.Say("A message is at most %d bytes long. Send less, or in parts.", MaxBody)
}
