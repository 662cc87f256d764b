package handlers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// act is the door for writes, and its sister for reads: whatever a row asks in
// plain arguments is asked there too, in a world of its own.
const act = "act"

// plainRows are asked in plain arguments alone; other doors have rows of
// theirs.
func plainRows() []row {
	over := func(args string) func(*world) asking {
		return func(w *world) asking {
			return run(strings.Replace(args, "}", `,"if_match":`+w.revision()+`,"summary":"x"}`, 1))
		}
	}
	return append(forbidden([]row{
		{tool: "get_revision", door: command, does: is(run(`{"id":1}`)), refuses: without(run(`{"id":1}`))},
		{tool: "diff_revisions", door: command, does: is(run(`{"to":1}`)), refuses: without(run(`{"to":1}`))},
		{tool: "reload_config", door: command, does: is(run(`{}`)), landed: wrote, object: "company:", refuses: without(run(`{}`))},
	}), []row{
		{tool: "poll_events", door: command, does: is(run(`{"limit":1}`)), refuses: is(byNobody(run(`{}`))), class: refusal.Unauthenticated, unrecorded: true},
		{tool: "wait_events", door: command, does: is(run(`{"after":1,"limit":1,"timeout_ms":1}`)), refuses: is(byNobody(run(`{}`))), class: refusal.Unauthenticated, unrecorded: true},
		{tool: "list_sign_ins", door: runner, does: itself(`{}`), refuses: is(byNobody(run(`{}`))), class: refusal.Unauthenticated, unrecorded: true},
		{tool: "sign_out", door: runner, refuses: is(byNobody(run(`{}`))), class: refusal.Unauthenticated, unrecorded: true}, // afterwards it is nobody's to repeat
		{tool: "end_sign_in", door: runner, does: func(w *world) asking {
			w.signedIn()
			return itself(`{"session":"` + w.session() + `"}`)(w)
		}, landed: wrote, object: "session:", refuses: itself(`{"session":"` + tool.NewKey() + `"}`), class: refusal.NotFound},
		{tool: "put_mcp_server", door: command, does: is(run(`{"name":"plain","entry":{"command":"c","env":{"A":"b"}},"create":true,"summary":"x"}`)),
			landed: declared, object: "server:plain", refuses: is(run(`{"name":"plain","entry":[],"create":true,"summary":"x"}`)), class: refusal.Invalid},
		{tool: "rename_mcp_server", door: command, does: over(`{"name":"plain","to":"plainer"}`), landed: declared, object: "server:",
			refuses: over(`{"name":"plain","to":"web"}`), class: refusal.EntityExists},
		{tool: "remove_mcp_server", door: command, does: over(`{"name":"plainer"}`), landed: declared, object: "server:",
			refuses: over(`{"name":"none"}`), class: refusal.NoSuchEntity},
		{tool: "edit_config", door: command, landed: wrote, object: "company:", class: refusal.Invalid,
			does: func(w *world) asking {
				return run(`{"edits":[{"op":"replace","path":"/mission","value":{"a":["b"]}},{"op":"replace","path":"/mission","value":"plain"}],"if_match":` + w.revision() + `,"summary":"x"}`)
			},
			refuses: is(run(`{"edits":[{"op":"replace","paths":"/mission"}],"summary":"x"}`))},
		{tool: "revert_config", door: command, landed: wrote, object: "company:", does: func(w *world) asking {
			var before int64 // the one edit_config was made over
			w.must(w.DB.GetContext(w.t.Context(), &before, `SELECT max(id) FROM revisions WHERE id < (SELECT revision FROM company_head)`))
			return over(fmt.Sprintf(`{"to":%d}`, before))(w)
		}, refuses: over(`{"to":99999}`), class: refusal.NotFound},
	}...)
}

// itself is a person's own call of what is theirs.
func itself(args string) func(*world) asking {
	return func(w *world) asking {
		a := confirming("")(w)
		a.body = args
		return a
	}
}

// plainReads are the reads nobody asks in plain arguments yet, where they need
// none: whoever holds the grant may look, and nobody else.
func plainReads(tools []tool.Tool, rows []row) []row {
	var more []row
	for _, t := range tools {
		if t.Access.Needs == access.None {
			continue
		}
		asked := slices.ContainsFunc(rows, func(r row) bool { return r.tool == t.Name && r.door != page && r.door != api })
		if !t.Writes() && !asked && len(schema(t.InputSchema()).Required) == 0 {
			more = append(more, row{tool: t.Name, door: command, does: is(run(`{}`)), refuses: without(run(`{}`))})
		}
	}
	return forbidden(more)
}

// byAct sends plain arguments over HTTP: a read's in the query, a write's as
// JSON, and once more, where the key is known, as a form.
func (w *world) byAct(r row, a asking, key string) outcome {
	w.t.Helper()
	t := w.tool(r.tool)
	a.method, a.path = http.MethodPost, "/operator/act/"+t.Name
	body, kind := `{"args":`+a.body+`}`, asJSON
	if !t.Writes() {
		a.method, a.path, body = http.MethodGet, "/api/v1/tools/"+t.Name+"?"+fields(w.t, t, a.body).Encode(), ""
	} else if w.made["key "+key] != "" {
		body, kind = fields(w.t, t, a.body).Encode(), forms
	}
	w.made["key "+key] = "sent"
	w.took(a)
	headers := []string{"Content-Type", kind, "Idempotency-Key", key}
	var got reply
	switch {
	case a.by != nil:
		p := w.browser.In(w.t).Do(a.method, a.path, body, headers...)
		got = reply{status: p.Status, header: p.Header, text: p.Body}
	case a.nobody:
		got = w.ask(w.t, a.method, a.path, text(body), headers...)
	case a.bare:
		got = w.ask(w.t, a.method, a.path, text(body), as(w.weak.Value, headers...)...)
	default:
		got = w.ask(w.t, a.method, a.path, text(body), as(w.token.Value, headers...)...)
	}
	o := outcome{status: got.status, body: got.text}
	if got.status >= 400 {
		o.class, _ = got.envelope(w.t)["error"].(string)
		return o
	}
	w.asDescribed(t, a.body, got.text, key)
	return o
}

// asDescribed holds what was sent and answered against the tool's schemas.
func (w *world) asDescribed(t tool.Tool, args, answer, key string) {
	w.t.Helper()
	var got struct {
		Tool    string          `json:"tool"`
		Outcome string          `json:"outcome"`
		Key     string          `json:"op_id"`
		Receipt json.RawMessage `json:"receipt"`
	}
	w.must(json.Unmarshal([]byte(answer), &got))
	if got.Tool != t.Name || t.Writes() && (got.Key != key || got.Outcome == "") {
		w.t.Errorf("%s answers %s", t.Name, answer)
	}
	fits(w.t, t.InputSchema(), []byte(args))
	fits(w.t, t.OutputSchema(), got.Receipt)
}

func fits(t *testing.T, described json.RawMessage, text []byte) {
	t.Helper()
	resolved, err := schema(described).Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", described, err)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if err := resolved.Validate(value); err != nil {
		t.Errorf("%s is not as described: %v", text, err)
	}
}

func schema(text json.RawMessage) *jsonschema.Schema {
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		panic(err)
	}
	return &s
}

func (w *world) tool(name string) tool.Tool {
	w.t.Helper()
	i := slices.IndexFunc(w.Tools, func(t tool.Tool) bool { return t.Name == name })
	if i < 0 {
		w.t.Fatalf("there is no tool %s", name)
	}
	return w.Tools[i]
}

// fields writes plain arguments as a form does.
func fields(t *testing.T, of tool.Tool, args string) url.Values {
	t.Helper()
	var given any
	if err := json.Unmarshal([]byte(args), &given); err != nil {
		t.Fatal(err)
	}
	form := url.Values{}
	spread(form, "", given, of.Arguments)
	return form
}

func spread(form url.Values, at string, value any, kind reflect.Type) {
	for kind != nil && kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	switch v := value.(type) {
	case map[string]any:
		if kind != nil && kind.Kind() != reflect.Struct && kind.Kind() != reflect.Map {
			form.Add(at, string(text))
			return
		}
		for name, one := range v {
			spread(form, strings.TrimPrefix(at+"."+name, "."), one, under(kind, name))
		}
	case []any:
		for i, one := range v {
			spread(form, fmt.Sprintf("%s[%d]", at, i), one, kind.Elem())
		}
	case string:
		if kind == reflect.TypeFor[any]() || kind == reflect.TypeFor[json.RawMessage]() {
			v = string(text)
		}
		form.Add(at, v)
	default:
		form.Add(at, string(text))
	}
}

func under(kind reflect.Type, name string) reflect.Type {
	if kind.Kind() == reflect.Map {
		return kind.Elem()
	}
	for _, f := range reflect.VisibleFields(kind) {
		if declared, _, _ := strings.Cut(f.Tag.Get("json"), ","); declared == name {
			return f.Type
		}
	}
	return nil
}

// everyToolWasActed fails for a tool that no row took through act, where it has
// a place there; and for one that is let in although it has none.
func (w *world) everyToolWasActed(t *testing.T, reached map[string]bool) {
	t.Helper()
	for _, one := range w.Tools {
		headers := as(w.token.Value, "Content-Type", asJSON, "Idempotency-Key", tool.NewKey())
		acted := w.ask(t, "POST", "/operator/act/"+one.Name, text(`{}`), headers...)
		switch shut := one.Access.Rule == access.RuleEngine || one.Access.Rule == access.RuleOpen; {
		case shut && (acted.status != 403 || reached[one.Name+" by "+act]):
			t.Errorf("%s is answered %d %s at act", one.Name, acted.status, acted.text)
		case !shut && !reached[one.Name+" by "+act]:
			t.Errorf("%s has no row that asks it in plain arguments", one.Name)
		case !one.Writes() && (acted.status != 400 || acted.envelope(t)["error"] != "read_only_tool"):
			t.Errorf("%s is a read, and is answered %d %s at act", one.Name, acted.status, acted.text)
		case one.Writes() && !shut:
			if read := w.ask(t, "GET", "/api/v1/tools/"+one.Name, nil, as(w.token.Value)...); read.status != 404 {
				t.Errorf("%s is a write, and is answered %d as a read", one.Name, read.status)
			}
		}
	}
}
