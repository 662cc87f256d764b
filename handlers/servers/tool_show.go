package servers

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"crewlet/engine/refusal"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	"crewlet/views/ui"

	view "crewlet/views/servers"
)

// Tool draws a tool's page, or the part of it that keeps itself current.
func (h *Handlers) Tool(w http.ResponseWriter, r *http.Request) error {
	page, _, err := h.tool(r)
	if err != nil {
		return err
	}
	if web.Partial(r) && r.URL.Query().Get("part") == "tool" {
		return web.Render(w, r, http.StatusOK, view.ToolPart(page.Tool))
	}
	if err := h.said(r, &page); err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.ToolPage(page))
}

// said adds what was said in the call that the address asks for: ?said=<id>.
func (h *Handlers) said(r *http.Request, page *view.ToolShown) error {
	asked := r.URL.Query().Get("said")
	if asked == "" {
		return nil
	}
	id, err := strconv.ParseInt(asked, 10, 64)
	if err != nil {
		return refusal.NotFound.Say("There is no call %s.", asked)
	}
	out, err := tool.Do(r.Context(), h.Run, h.Servers.GetCall, web.Call(r), servers.GetCall{ID: id})
	if err != nil {
		return err
	}
	page.Said = &view.Said{At: out.At, By: out.ActorName, Outcome: ended(out.Outcome), Kept: out.Kept}
	page.Said.Arguments, page.Said.Result = readable(out.Arguments), readable(out.Result)
	return nil
}

// readable is what was kept, if anything was.
func readable(kept *string) string {
	if kept == nil {
		return ""
	}
	return laidOut(json.RawMessage(*kept))
}

// tool gathers the page.
func (h *Handlers) tool(r *http.Request) (view.ToolShown, servers.ToolRead, error) {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Servers.GetTool, call, servers.GetTool{Name: r.PathValue("name")})
	if err != nil {
		return view.ToolShown{}, out, err
	}
	page := view.ToolShown{Shell: web.Shell(r, out.Name, "tools", call.Landed.Position), Tool: toolDetail(&out, call, web.May(h.Servers.GetCall.Access, call.By))}
	page.Shell.Crumbs = crumbs("")
	if out.Server != "" {
		page.Shell.Crumbs = crumbs(out.Server)
	}
	if out.Server != "" && web.May(h.Servers.Call.Access, call.By) {
		page.Try = &view.Try{
			Name: out.Name, Key: tool.NewKey(), Hint: out.Hint(), Harmless: out.Harmless() && !out.PerSeat, Arguments: fieldsOf(out.InputSchema), Withheld: seen(out.Withheld), Fields: map[string]string{},
			PerSeat: out.PerSeat,
		}
		if out.PerSeat {
			page.Try.NotYet = seen(out.Reason)
		}
	}
	return page, out, nil
}

func toolDetail(out *servers.ToolRead, call *tool.Call, maySee bool) view.ToolDetail {
	row := toolRow(&out.Tool)
	d := view.ToolDetail{
		Tool: row, Own: seen(out.Own), Server: out.Server, State: ui.BadgeView{Label: string(out.State), State: colour(out.State)},
		Reason: seen(out.Reason), Offered: strings.Join(out.Offered, " and "), Hints: hintRows(&out.Tool),
		Input: indented(out.InputSchema), Output: indented(out.OutputSchema), Stats: stats(out.Stats), AsOf: call.Landed.Position, Now: call.Now,
	}
	for _, c := range out.Calls {
		row := view.CallRow{At: c.At, By: c.ActorName, Took: took(c.DurationMS), Outcome: ended(c.Outcome), Size: size(c.BytesOut)}
		if c.Kept && maySee {
			row.Said = c.ID
		}
		d.Calls = append(d.Calls, row)
	}
	return d
}

// hintRows are the four hints with where each comes from.
func hintRows(t *servers.Tool) []view.HintRow {
	from := func(name string, value *bool) string {
		switch {
		case value == nil:
			return "its server does not say"
		case slices.Contains(t.Overridden, name):
			return "set by the company"
		case t.Source == servers.Builtin:
			return "built in"
		}
		return "as its server says"
	}
	a := t.Annotations
	rows := []view.HintRow{}
	for _, h := range []struct {
		label, name string
		value       *bool
	}{
		{"Only reads", "readOnlyHint", a.ReadOnly}, {"Destroys", "destructiveHint", a.Destructive},
		{"The same twice", "idempotentHint", a.Idempotent}, {"Reaches outside", "openWorldHint", a.OpenWorld},
	} {
		rows = append(rows, view.HintRow{Label: h.label, Value: threeValued(h.value), From: from(h.name, h.value)})
	}
	return rows
}

// ended is how a call ended, as a badge.
func ended(outcome string) ui.BadgeView {
	switch outcome {
	case "ok":
		return ui.BadgeView{Label: "Answered", State: ui.Good}
	case "server_error":
		return ui.BadgeView{Label: "Failed there", State: ui.Warn}
	}
	return ui.BadgeView{Label: strings.ReplaceAll(outcome, "_", " "), State: ui.Bad}
}

// Call calls the tool with what the form says, and draws the result whole.
func (h *Handlers) Call(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[struct {
		Sure bool   `json:"sure"`
		Seat string `json:"seat"`
	}](r)
	if err != nil {
		return err
	}
	page, known, err := h.tool(r)
	if err != nil {
		return err
	}
	if page.Try == nil {
		return refusal.NotFound.Say("%s is no tool of a server.", known.Name)
	}
	page.Try.Arguments = typedArguments(page.Try.Arguments, r.PostForm)
	page.Try.Sure, page.Try.Seat = in.Sure, in.Seat
	out, err := h.called(r, call, page.Try, in.Seat)
	no := refusal.Of(err)
	switch {
	case err == nil:
		page.Try.Result = result(out)
		after, _, err := h.tool(r) // this call is among those it lists
		if err != nil {
			return err
		}
		page.Tool = after.Tool
		return web.Render(w, r, http.StatusOK, view.ToolPage(page))
	case !no.Redraws():
		return err
	}
	page.Try.Says, page.Try.Fields = seen(no.Says), fieldsBeside(page.Try.Arguments, no.Fields)
	page.Try.NotYet = "" // it is what is said now, if it is why
	if call.Claimed() {
		return web.Render(w, r, no.Status(), view.ToolPage(page)) // what is sent next is another call
	}
	if no.Fields["sure"] != "" || no.Class == refusal.Invalid || page.Try.PerSeat && no.Class == refusal.NotRunning {
		page.Try.Key = call.Key // nothing ran under it
	}
	return web.Render(w, r, no.Status(), view.ToolPage(page))
}

func (h *Handlers) called(r *http.Request, call *tool.Call, form *view.Try, seat string) (servers.Called, error) {
	arguments, err := argumentsOf(form.Arguments)
	if form.Asks() && !form.Sure {
		no := refusal.Of(err) // what else is wrong is told along with it
		if no == nil {
			no = refusal.Invalid.Say("Nothing was called yet.")
		}
		return servers.Called{}, no.Beside("sure", "Tick this first.")
	}
	if form.PerSeat && strings.TrimSpace(seat) == "" {
		return servers.Called{}, refusal.Invalid.Say("Nothing was called yet.").Beside("seat", "Whose child runs it? Name a seat by its handle.")
	}
	if err != nil {
		return servers.Called{}, err
	}
	return tool.Do(r.Context(), h.Run, h.Servers.Call, call, servers.CallTool{Tool: form.Name, Arguments: json.RawMessage(arguments), Seat: seat})
}
