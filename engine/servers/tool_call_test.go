package servers

import (
	"encoding/json"
	"strings"
	"testing"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// called calls a tool with a text.
func (h *house) called(t *testing.T, name, text string) (Called, *tool.Call, error) {
	t.Helper()
	args, err := json.Marshal(tinyArgs{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	c := admin()
	out, err := tool.Do(t.Context(), h.run, h.servers.Call, c, CallTool{Tool: name, Arguments: args})
	return out, c, err
}

func TestCall(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.store("CANARY", "swordfish-9")
	h.declare(tiny("alpha", "env: {SAYS: \"${CANARY}\"}\ntools: {exclude: [hidden]}\ntool_annotations: {echo: {read_only: false}}",
		"echo", "read_it", "hidden", "fail", "media", "structured") + tiny("off", "enabled: false", "gone"))
	h.in("alpha", Running)

	for name, c := range map[string]struct {
		tool    string
		isError bool
		says    string // the first text
		blocks  int
		claimed int // rows of operations
	}{
		"plain":              {"echo", false, "echo said hi", 1, 1},
		"known read-only":    {"read_it", false, "read_it said hi", 1, 0},
		"its own failure":    {"fail", true, "fail said hi", 1, 1},
		"media":              {"media", false, "media said hi", 5, 1},
		"structured content": {"structured", false, `{"answer":42}`, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			out, call, err := h.called(t, c.tool, "hi")
			if err != nil || out.IsError != c.isError || len(out.Content) != c.blocks || !strings.HasPrefix(out.Content[0].Text, c.says) || out.Server != "alpha" {
				t.Fatalf("answer %+v %v", out, err)
			}
			if strings.Contains(out.Content[0].Text, "swordfish") {
				t.Errorf("a secret shows: %s", out.Content[0].Text)
			}
			if n := h.count(`SELECT count(*) FROM operations WHERE key = $1`, call.Key); n != c.claimed {
				t.Errorf("%d operations, want %d", n, c.claimed)
			}
		})
	}
	out, _, err := h.called(t, "media", "hi")
	if err != nil || out.Content[1].Type != "image" || out.Content[1].Data != "aW1n" || out.Content[1].MIME != "image/png" || out.Content[2].Type != "audio" ||
		out.Content[3].Text != "a note" || out.Content[3].URI != "note://one" || out.Content[4].Type != "resource_link" || out.Content[4].URI != "note://two" {
		t.Errorf("blocks %+v %v", out.Content, err)
	}
}

func TestCallRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "tools: {exclude: [hidden]}\ntimeout: 1", "echo", "hidden", "die", "hang", "read_hang") +
		tiny("off", "enabled: false", "gone") + tiny("held", "env: {T: \"${NOT_THERE}\"}", "nothing"))
	h.in("alpha", Running)
	for name, c := range map[string]struct {
		in    CallTool
		class refusal.Class
		says  string
		may   bool
	}{
		"no such tool":      {CallTool{Tool: "nope"}, refusal.NotFound, "There is no tool nope", false},
		"the engine's own":  {CallTool{Tool: "list_tools"}, refusal.NotFound, "engine's own", false},
		"filtered":          {CallTool{Tool: "hidden"}, refusal.Forbidden, "exclude list", false},
		"no object":         {CallTool{Tool: "echo", Arguments: json.RawMessage(`[1]`)}, refusal.Invalid, "JSON object", false},
		"a seat for shared": {CallTool{Tool: "echo", Seat: "ana"}, refusal.Invalid, "is shared", false},
		"too slow":          {CallTool{Tool: "hang", Arguments: json.RawMessage(`{"text":""}`)}, refusal.Unavailable, "within 1 second", true},
		"too slow, harmless": {
			CallTool{Tool: "read_hang", Arguments: json.RawMessage(`{"text":""}`)}, refusal.Unavailable, "within 1 second", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tool.Do(t.Context(), h.run, h.servers.Call, admin(), c.in)
			no := refusal.Of(err)
			if no == nil || no.Class != c.class || !strings.Contains(no.Says, c.says) || (no.Details["may_have_taken_effect"] == true) != c.may {
				t.Errorf("got %v %v, want %s with %q", err, no, c.class, c.says)
			}
		})
	}
	// Last: the server is down for a moment, and its row says so later still.
	_, _, err := h.called(t, "die", "")
	if no := refusal.Of(err); no == nil || no.Class != refusal.Unavailable || !strings.Contains(no.Says, "exit status 7") || no.Details["may_have_taken_effect"] != true {
		t.Errorf("it dies meanwhile: %v", err)
	}
}

func TestCallOfWhatIsDown(t *testing.T) {
	t.Parallel()
	h := openHouse(t, dbtest.New(t), "node-1", nil)
	h.declare(tiny("alpha", "", "echo"))
	h.in("alpha", Running)
	h.declare("  - name: alpha\n    command: no-such-command-anywhere\n")
	h.in("alpha", Failing)
	_, _, err := h.called(t, "echo", "hi")
	no := refusal.Of(err)
	if no == nil || no.Class != refusal.Unavailable || !strings.Contains(no.Says, "no-such-command") || no.Details["server"] != "alpha" {
		t.Fatalf("got %v", err)
	}
	h.declare(tiny("alpha", "env: {T: \"${NOT_THERE}\"}", "echo"))
	h.until("it is held back", func(o Overview) bool { sv, _ := find(o, "alpha"); return strings.Contains(sv.Reason, "NOT_THERE") })
	if _, _, err := h.called(t, "echo", "hi"); !refusal.Is(err, refusal.Unavailable) || !strings.Contains(refusal.Of(err).Says, "NOT_THERE") {
		t.Errorf("got %v", err)
	}
	h.declare(tiny("alpha", "enabled: false", "echo"))
	h.until("it is off", func(Overview) bool {
		_, _, err := h.called(t, "echo", "hi")
		return refusal.Is(err, refusal.Forbidden)
	})
}

// Every call is recorded, without a word of what was said.
func TestCallsAreRecorded(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "tools: {exclude: [hidden]}", "echo", "read_it", "fail", "hidden"))
	h.in("alpha", Running)
	for _, name := range []string{"echo", "echo", "fail", "hidden", "read_it"} {
		if _, _, err := h.called(t, name, "canary-argument"); err != nil && name != "hidden" {
			t.Fatal(err)
		}
	}
	var list CallList
	h.until("all are written", func(Overview) bool {
		var err error
		list, err = tool.Do(t.Context(), h.run, h.servers.ListCalls, admin(), ListCalls{Server: "alpha"})
		return err == nil && list.Stats.Calls == 5
	})
	ended := map[string]string{}
	for _, c := range list.Calls {
		ended[c.Tool] = c.Outcome
		if c.ActorName != "ana" || c.Server != "alpha" || c.BytesIn == 0 || c.Node != "node-1" || (c.Operation == "") != (c.Tool == "read_it") {
			t.Errorf("call %+v", c)
		}
	}
	if ended["echo"] != "ok" || ended["read_it"] != "ok" || ended["fail"] != "server_error" || ended["hidden"] != "forbidden" {
		t.Errorf("outcomes %v", ended)
	}
	if list.Stats.ErrorRate < 0.39 || list.Stats.ErrorRate > 0.41 {
		t.Errorf("figures %+v", list.Stats)
	}
	page, err := tool.Do(t.Context(), h.run, h.servers.ListCalls, admin(), ListCalls{Tool: "echo", Limit: 1})
	if err != nil || len(page.Calls) != 1 || !page.More || page.Stats.Calls != 2 || page.Stats.ErrorRate != 0 {
		t.Errorf("page %+v %v", page, err)
	}
	rest, err := tool.Do(t.Context(), h.run, h.servers.ListCalls, admin(), ListCalls{Tool: "echo", Before: page.Calls[0].ID})
	if err != nil || len(rest.Calls) != 1 || rest.More {
		t.Errorf("rest %+v %v", rest, err)
	}
	var dump string
	if err := h.db.GetContext(t.Context(), &dump, `SELECT json_agg(c)::text || (SELECT json_agg(a)::text FROM audit AS a) FROM mcp_calls AS c`); err != nil || strings.Contains(dump, "canary-argument") {
		t.Errorf("what was said is kept: %v", err)
	}
}

func TestOldCallsAreForgotten(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo"))
	h.in("alpha", Running)
	if _, _, err := h.called(t, "echo", "hi"); err != nil {
		t.Fatal(err)
	}
	age := func(by string) {
		err := h.db.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.ExecContext(t.Context(), `UPDATE mcp_calls SET at = at - $1::interval`, by)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	age("89 days")
	h.servers.forgetCalls(t.Context())
	if n := h.count(`SELECT count(*) FROM mcp_calls`); n != 1 {
		t.Errorf("%d calls are left after 89 days", n)
	}
	age("2 days")
	h.servers.forgetCalls(t.Context())
	if n := h.count(`SELECT count(*) FROM mcp_calls`); n != 0 {
		t.Errorf("%d calls are left after 91 days", n)
	}
}

func TestUtilityTools(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "tool_prefix: a_", "echo", "list_prompts", "+resources", "+prompts") + tiny("beta", "tools: {prompts: false}", "echo", "+resources", "+prompts") +
		tiny("gamma", "tools: {include: [nothing]}", "hidden", "+resources"))
	for _, name := range []string{"alpha", "beta", "gamma"} {
		h.in(name, Running)
	}
	out := h.now()
	for source, want := range map[string]string{
		"mcp:alpha": "a_echo a_list_prompts mcp__alpha__get_prompt mcp__alpha__list_prompts mcp__alpha__list_resources mcp__alpha__read_resource",
		"mcp:beta":  "echo mcp__beta__list_resources mcp__beta__read_resource",
		"mcp:gamma": "hidden",
	} {
		if got := toolNames(out, source); got != want {
			t.Errorf("%s has %q, want %q", source, got, want)
		}
	}
	for name, c := range map[string]struct{ tool, args, says string }{
		"resources":  {"mcp__alpha__list_resources", ``, "note://one"},
		"a resource": {"mcp__alpha__read_resource", `{"uri":"note://one"}`, "a note"},
		"prompts":    {"mcp__alpha__list_prompts", `{}`, "greet"},
		"a prompt":   {"mcp__alpha__get_prompt", `{"name":"greet","arguments":{"who":"ana"}}`, "Hello ana"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := tool.Do(t.Context(), h.run, h.servers.Call, admin(), CallTool{Tool: c.tool, Arguments: json.RawMessage(c.args)})
			if err != nil || len(out.Content) != 1 || !strings.Contains(out.Content[0].Text, c.says) {
				t.Errorf("answer %+v %v", out, err)
			}
		})
	}
	for name, in := range map[string]CallTool{
		"no uri":       {Tool: "mcp__alpha__read_resource"},
		"no name":      {Tool: "mcp__alpha__get_prompt", Arguments: json.RawMessage(`{}`)},
		"not a prompt": {Tool: "mcp__alpha__get_prompt", Arguments: json.RawMessage(`{"name":1}`)},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := tool.Do(t.Context(), h.run, h.servers.Call, admin(), in); !refusal.Is(err, refusal.Invalid) {
				t.Errorf("got %v, want invalid", err)
			}
		})
	}
}

func TestLazyStartsOnTheFirstCall(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "start: lazy\nidle_stop: 1", "echo"))
	sv := h.in("alpha", NotStarted)
	h.until("it rests", func(o Overview) bool {
		now, _ := find(o, "alpha")
		return now.Tools == 1 && strings.Contains(now.Reason, "first call")
	})
	if out, _, err := h.called(t, "echo", "hi"); err != nil || out.Content[0].Text != "echo said hi" {
		t.Fatalf("answer %+v %v", out, err)
	}
	h.until("it rests after its call", func(Overview) bool { return strings.HasSuffix(h.kinds(sv.ID), "server.started server.resting") })
	h.until("it is proved although it rests", func(Overview) bool {
		out, err := tool.Do(t.Context(), h.run, h.servers.Check, admin(), CheckServer{Name: "alpha"})
		return err == nil && out.OK && out.Tools == 1
	})
}

// What is written behind calls is not lost to a database that is away for a
// moment, and what is over the bound is counted.
func TestBehindLog(t *testing.T) {
	t.Parallel()
	b := newBehindLog()
	for i := range waiting + 3 {
		b.add(callRecord{DurationMS: int64(i)})
	}
	list, dropped := b.take()
	if len(list) != waiting || dropped != 3 || list[0].DurationMS != 0 {
		t.Errorf("%d wait, %d dropped", len(list), dropped)
	}
	b.add(callRecord{})
	b.back(list)
	if list, dropped := b.take(); len(list) != waiting || dropped != 1 {
		t.Errorf("%d wait, %d dropped", len(list), dropped)
	}
}
