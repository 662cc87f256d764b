package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/tool"
	"crewlet/handlers/operator"
)

const actHere = "/operator/act/"

func TestActRefusesWhatItCannotTake(t *testing.T) {
	t.Parallel()
	b := open(t)
	token := b.mint(true, "all").Value
	key := func(more ...string) []string {
		return as(token, append([]string{"Content-Type", asJSON, "Idempotency-Key", tool.NewKey()}, more...)...)
	}
	typedForm := key("Content-Type", forms)
	set := `{"args":{"name":"A","value":"v"}}`
	big := strings.Repeat("x", 2<<20)
	part := func(name, more, body string) io.Reader {
		return text("--B\r\nContent-Disposition: form-data; name=\"" + name + "\"" + more + "\r\n\r\n" + body + "\r\n--B--\r\n")
	}
	b.refused(t, map[string]bad{
		"no such tool":             {"POST", actHere + "set_secrets", text(set), key(), 404, "not_found"},
		"the engine's own":         {"POST", actHere + "record_apply", text(`{"args":{}}`), key(), 403, "forbidden"},
		"a sign-in":                {"POST", actHere + "sign_in", text(`{"args":{}}`), key(), 403, "forbidden"},
		"a read":                   {"POST", actHere + "list_secrets", text(`{"args":{}}`), key(), 400, "read_only_tool"},
		"no key":                   {"POST", actHere + "set_secret", text(set), as(token, "Content-Type", asJSON), 400, "op_id_invalid"},
		"a key that is none":       {"POST", actHere + "set_secret", text(set), key("Idempotency-Key", "abc"), 400, "op_id_invalid"},
		"a key of version 4":       {"POST", actHere + "set_secret", text(set), key("Idempotency-Key", "9b2c5f0e-5d0f-4a4e-8a51-1c8a1f6d5f10"), 400, "op_id_invalid"},
		"two keys":                 {"POST", actHere + "set_secret", text("name=A&value=v&_key=" + tool.NewKey()), typedForm, 400, "op_id_invalid"},
		"op_id among arguments":    {"POST", actHere + "set_secret", text(`{"args":{"name":"A","value":"v","op_id":"x"}}`), key(), 400, "op_id_invalid"},
		"op_id beside them":        {"POST", actHere + "set_secret", text(`{"args":{},"op_id":"x"}`), key(), 400, "op_id_invalid"},
		"op_id in a form":          {"POST", actHere + "set_secret", text("name=A&value=v&op_id=x"), typedForm, 400, "op_id_invalid"},
		"arguments without args":   {"POST", actHere + "set_secret", text(`{"name":"A","value":"v"}`), key(), 422, "invalid"},
		"an unknown argument":      {"POST", actHere + "set_secret", text(`{"args":{"name":"A","value":"v","colour":1}}`), key(), 422, "invalid"},
		"an unknown field":         {"POST", actHere + "set_secret", text("name=A&value=v&colour=1"), typedForm, 422, "invalid"},
		"another type":             {"POST", actHere + "set_secret", text(`{"args":{"name":7,"value":"v"}}`), key(), 422, "invalid"},
		"a list":                   {"POST", actHere + "set_secret", text(`{"args":[]}`), key(), 400, "malformed"},
		"cut short":                {"POST", actHere + "set_secret", text(`{"args":{`), key(), 400, "malformed"},
		"two bodies":               {"POST", actHere + "set_secret", text(set + set), key(), 400, "malformed"},
		"no UTF-8":                 {"POST", actHere + "set_secret", text("{\"args\":{\"name\":\"A\",\"value\":\"\xff\"}}"), key(), 400, "malformed"},
		"no UTF-8 in a form":       {"POST", actHere + "set_secret", text("name=A&value=%ff"), typedForm, 400, "malformed"},
		"NUL":                      {"POST", actHere + "set_secret", text(`{"args":{"name":"A","value":"a\u0000"}}`), key(), 422, "invalid"},
		"deep":                     {"POST", actHere + "set_secret", text(`{"args":{"name":` + strings.Repeat("[", 100_000)), key(), 400, "malformed"},
		"more than the most":       {"POST", actHere + "set_secret", text(`{"args":{"name":"A","value":"` + big + `"}}`), key(), 413, "too_large"},
		"a form past the most":     {"POST", actHere + "set_secret", text("name=A&value=" + big), typedForm, 413, "too_large"},
		"parts past the most":      {"POST", actHere + "set_secret", part("value", "", big), key("Content-Type", "multipart/form-data; boundary=B"), 413, "too_large"},
		"a file":                   {"POST", actHere + "set_secret", part("value", "; filename=\"a\"", "v"), key("Content-Type", "multipart/form-data; boundary=B"), 422, "invalid"},
		"another kind":             {"POST", actHere + "set_secret", text(set), key("Content-Type", "text/plain"), 415, "wrong_media_type"},
		"no kind":                  {"POST", actHere + "set_secret", text(set), key("Content-Type", ""), 415, "wrong_media_type"},
		"a query":                  {"POST", actHere + "set_secret?dry_run=true", text(set), key(), 422, "invalid"},
		"no credential":            {"POST", actHere + "set_secret", text(set), []string{"Content-Type", asJSON, "Idempotency-Key", tool.NewKey()}, 401, "unauthenticated"},
		"no right":                 {"POST", actHere + "set_secret", text(set), key("Authorization", "Bearer "+b.mint(true, "state:read").Value), 403, "forbidden"},
		"asked":                    {"GET", actHere + "set_secret", nil, key(), 405, "wrong_method"},
		"a write read":             {"GET", "/api/v1/tools/set_secret", nil, key(), 404, "not_found"},
		"a read of none":           {"GET", "/api/v1/tools/list_secret", nil, key(), 404, "not_found"},
		"a read's unknown":         {"GET", "/api/v1/tools/list_secrets?colour=1", nil, key(), 422, "invalid"},
		"a read's unknown, hidden": {"GET", "/api/v1/tools/list_secrets?_colour=1", nil, key(), 422, "invalid"},
		"a read's number":          {"GET", "/api/v1/tools/list_audit?limit=few", nil, key(), 422, "invalid"},
		"a read's escape":          {"GET", "/api/v1/tools/list_audit?actor=%zz", nil, key(), 400, "malformed"},
		"a read nowhere":           {"GET", "/api/v1/tools/list_audit?min_position=soon", nil, key(), 422, "invalid"},
		"a read before all":        {"GET", "/api/v1/tools/list_audit?min_position=-1", nil, key(), 422, "invalid"},
		"a read far ahead":         {"GET", "/api/v1/tools/list_audit?min_position=9223372036854775807", nil, key(), 503, "unavailable"},
	})
	if b.stored(t, "A") != "" {
		t.Error("a secret was stored")
	}
	if got := b.ask(t, "POST", actHere+"set_secrets", text(set), key()...); !strings.Contains(got.text, `did you mean \"set_secret\"`) {
		t.Errorf("a typo is answered %s", got.text)
	}
}

// One key is one call: of one principal, one tool and its arguments.
func TestAKeyIsBoundToItsCall(t *testing.T) {
	t.Parallel()
	b := open(t)
	mine, theirs, key := b.mint(true, "all").Value, b.mint(true, "all").Value, tool.NewKey()
	send := func(token, key, name, body string) reply {
		return b.ask(t, "POST", actHere+name, text(`{"args":`+body+`}`), as(token, "Content-Type", asJSON, "Idempotency-Key", key)...)
	}
	before := b.counts()
	replies := make([]reply, 8)
	var all sync.WaitGroup
	for i := range replies {
		all.Go(func() { replies[i] = send(mine, key, "set_secret", `{"name":"A","value":"v"}`) })
	}
	all.Wait()
	for _, got := range replies {
		if got.status != 200 || got.text != replies[0].text {
			t.Errorf("sent at once, one is answered %d %s, another %s", got.status, got.text, replies[0].text)
		}
	}
	if left := b.counts().since(before); left != (counts{Operations: 1, Changes: 1, Audit: 1}) {
		t.Errorf("eight at once left %+v", left)
	}
	before = b.counts()
	for name, got := range map[string]reply{
		"other arguments": send(mine, key, "set_secret", `{"name":"A","value":"w"}`),
		"another tool":    send(mine, key, "delete_secret", `{"name":"A"}`),
	} {
		if env := got.envelope(t); got.status != 409 || env["error"] != "conflict" || env["op_id"] != key {
			t.Errorf("%s under a used key: %d %s", name, got.status, got.text)
		}
	}
	if left := b.counts().since(before); left != (counts{Audit: 2}) {
		t.Errorf("what was refused left %+v", left)
	}
	if got := send(theirs, key, "set_secret", `{"name":"B","value":"v"}`); got.status != 200 || strings.Contains(got.text, `"A"`) {
		t.Errorf("another's key is answered %d %s", got.status, got.text)
	}
	if left := b.counts().since(before); left.Operations != 1 {
		t.Errorf("another's key made %d operations", left.Operations)
	}
}

// To htmx a write is an event; what shows the change draws itself anew. What
// is shown once is answered whole.
func TestHtmxHearsThatACallLanded(t *testing.T) {
	t.Parallel()
	b := open(t)
	w := b.administrator()
	send := func(name, fill string) (status int, body string, event map[string]map[string]any) {
		key := tool.NewKey()
		p := w.Post(actHere+name, forms, fill+"&_key="+key, "HX-Request", "true")
		if err := json.Unmarshal([]byte(p.Header.Get("HX-Trigger")), &event); err != nil || event["crewlet:landed"]["op_id"] != key {
			t.Errorf("%s tells %q", name, p.Header.Get("HX-Trigger"))
		}
		return p.Status, p.Body, event
	}
	status, body, event := send("set_secret", "name=A&value=v")
	if status != 204 || body != "" || event["crewlet:landed"]["outcome"] != "applied" || event["crewlet:landed"]["tool"] != "set_secret" {
		t.Errorf("answered %d %q, told %v", status, body, event)
	}
	status, body, event = send("mint_token", "label=ci&grants=state:read&grants=audit:read")
	if status != 200 || !strings.Contains(body, `"value":"crw_tok_`) || strings.Contains(fmt.Sprint(event), "crw_tok_") {
		t.Errorf("answered %d %q, told %v", status, body, event)
	}
	if p := w.Post(actHere+"set_secret", forms, "name=B&value=v&_key="+tool.NewKey(), "Sec-Fetch-Site", "cross-site"); p.Status != 403 {
		t.Errorf("another site's form is answered %d", p.Status)
	}
}

type failing struct {
	Class string `json:"class"`
}

// said is an answer that may be another program's failure.
type said struct {
	Words string `json:"words"`
}

func (s said) Failure() tool.Failure {
	if s.Words == "" {
		return tool.Failure{}
	}
	return tool.Failure{Source: "mcp:alpha", Said: s.Words}
}

// failures are tools that end as their arguments say.
func failures(run *tool.Runner) *operator.Handlers {
	fail := tool.Declare(tool.Spec{Name: "fail", Brief: "Fail.", Access: access.Self()}, func(_ context.Context, _ *tool.Call, in failing) (said, error) {
		return said{}, failed(in.Class)
	})
	look := tool.Declare(tool.Spec{Name: "look", Brief: "Fail.", Access: access.Self(), Mode: tool.Read}, func(_ context.Context, _ *tool.Call, in failing) (said, error) {
		return said{}, failed(in.Class)
	})
	call := tool.Declare(tool.Spec{Name: "call", Brief: "Call.", Access: access.Self(), Mode: tool.Outside}, func(_ context.Context, _ *tool.Call, in failing) (said, error) {
		return said{Words: in.Class}, nil
	})
	return operator.New(run, []tool.Tool{fail.Any(), look.Any(), call.Any()})
}

func failed(class string) error {
	switch class {
	case "panic":
		panic(cause)
	case "unclassified":
		return fmt.Errorf("read it: %w", errors.New(cause))
	default:
		return withDetails(class)
	}
}

// A server's failure is told as the server's, in its own words, each time.
func TestAServersFailureIsItsOwn(t *testing.T) {
	t.Parallel()
	b, log := open(t), &record{}
	b.url = b.fail(log)
	token, key := b.mint(true, "all").Value, tool.NewKey()
	for range 2 {
		got := b.ask(t, "POST", actHere+"call", text(`{"args":{"class":"no such repository"}}`), as(token, "Content-Type", asJSON, "Idempotency-Key", key)...)
		env := got.envelope(t)
		if got.status != 500 || env["error"] != "internal_error" || env["source"] != "mcp:alpha" || env["server_said"] != "no such repository" || env["op_id"] != key {
			t.Errorf("answered %d %s", got.status, got.text)
		}
	}
	got := b.ask(t, "POST", actHere+"call", nil, as(token, "Idempotency-Key", tool.NewKey())...)
	if got.status != 200 {
		t.Errorf("without arguments it is answered %d %s", got.status, got.text)
	}
	if strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("our log takes it for ours: %s", log)
	}
}
