package servers

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"crewlet/engine/refusal"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	"crewlet/views/ui"

	view "crewlet/views/servers"
)

// Show draws a server's page, or the part of it that keeps itself current.
func (h *Handlers) Show(w http.ResponseWriter, r *http.Request) error {
	page, err := h.show(r)
	if refusal.Is(err, refusal.NotFound) && web.Partial(r) { // it went while it was looked at
		return web.Render(w, r, http.StatusOK, view.GonePart(r.PathValue("name")))
	}
	if err != nil {
		return err
	}
	if now := page.Server.Name; web.Partial(r) && now != r.PathValue("name") { // renamed while it was looked at
		w.Header().Set("HX-Redirect", at(now, "renamed"))
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if web.Partial(r) && r.URL.Query().Get("part") == "server" {
		return web.Render(w, r, http.StatusOK, view.ServerPart(page.Server))
	}
	page.Shell.Done = happened(r.URL.Query().Get("did"), page.Server.Name)
	return web.Render(w, r, http.StatusOK, view.ShowPage(page))
}

// happened says what the write that led here did.
func happened(what, name string) string {
	return map[string]string{
		"saved":     name + " is saved. What it is started with decides whether it starts anew.",
		"renamed":   "It is called " + name + " now, everywhere.",
		"restarted": "Every node starts it anew.",
		"enabled":   name + " is enabled; every node starts it.",
		"disabled":  name + " is disabled. All that names it stays.",
	}[what]
}

func (h *Handlers) show(r *http.Request) (view.ServerPage, error) {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Servers.GetServer, call, servers.GetServer{Name: r.PathValue("name"), ID: r.URL.Query().Get("id")})
	if err != nil {
		return view.ServerPage{}, err
	}
	page := view.ServerPage{
		Shell: web.Shell(r, out.Name, "tools", call.Landed.Position), Server: detail(out, call),
		Act: view.Act{
			Name: out.Name, Enabled: out.Enabled, Operate: out.Configured && web.May(h.Servers.Restart.Access, call.By),
			Write:   out.Configured && web.May(h.Company.PutServer.Access, call.By),
			Restart: tool.NewKey(), Check: tool.NewKey(), Switch: tool.NewKey(), Remove: tool.NewKey(),
		},
	}
	page.Shell.Crumbs = crumbs("")
	return page, nil
}

func detail(out servers.ServerRead, call *tool.Call) view.Detail {
	d := view.Detail{
		ID: out.ID, Name: out.Name, State: ui.BadgeView{Label: string(out.State), State: colour(out.State)}, Phase: phase(out.Phase), Reason: seen(out.Reason),
		Launch: launched(out), Settings: settings(out.Launch), Odd: seenAll(odd(out)), Uncovered: seenAll(out.Uncovered),
		Instructions: seen(out.Instructions), Cost: out.ContextTokens, Stats: stats(out.Stats),
		AsOf: call.Landed.Position, Now: call.Now,
	}
	if out.ListedAt != nil {
		d.ListedAt = *out.ListedAt
	}
	for _, i := range out.Instances {
		d.Instances = append(d.Instances, instance(i, call.Now))
	}
	for _, e := range out.History {
		d.History = append(d.History, view.Event{At: e.At, Says: seen(e.Says), Error: seen(e.Error), Node: e.Node, Actor: e.Actor})
	}
	for i := range out.Listed {
		d.Tools = append(d.Tools, toolRow(&out.Listed[i]))
	}
	for _, n := range out.NotOffered {
		d.NotOffered = append(d.NotOffered, view.Withheld{What: seen(n.What), Why: seen(n.Why)})
	}
	for _, t := range out.ByTool {
		d.ByTool = append(d.ByTool, view.ToolStats{Tool: t.Tool, Stats: stats(t.CallStats)})
	}
	if by := out.Declared; by != nil {
		d.Declared = &view.Declared{Revision: by.RevisionID, Author: by.Author, At: by.At, Summary: by.Summary}
	}
	return d
}

func launched(out servers.ServerRead) []ui.Fact {
	l := out.Launch
	facts := []ui.Fact{}
	add := func(label, text string, mono bool) {
		if text != "" {
			facts = append(facts, ui.Fact{Label: label, Text: text, Mono: mono})
		}
	}
	reach := "Shared: one for the company"
	if !out.Shared {
		reach = "One per seat"
	}
	start := ""
	if l.Lazy {
		start = "On the first call; stopped after " + seconds(l.IdleStopS) + " without one"
	}
	add("Reach", reach, false)
	add("Transport", out.Transport, false)
	add("Command", launch(servers.Server{Command: l.Command, Args: l.Args}), true)
	add("Address", l.URL, true)
	add("Start", start, false)
	add("Prefix of its tools", l.ToolPrefix, true)
	add("Longest call", seconds(l.TimeoutS), false)
	add("Longest start", seconds(l.StartupS), false)
	add("Roots", strings.Join(l.Roots, "\n"), true)
	add("Only these tools", strings.Join(l.Include, ", "), true)
	add("Not these tools", strings.Join(l.Exclude, ", "), true)
	add("Announces", strings.Join(out.Capabilities, ", "), false)
	return facts
}

func seconds(s float64) string {
	if s == 0 {
		return ""
	}
	if minutes := s / 60; minutes >= 2 && minutes == math.Trunc(minutes) {
		return fmt.Sprintf("%.0f minutes", minutes)
	}
	return fmt.Sprintf("%g seconds", s)
}

func settings(l servers.Launch) []view.Setting {
	var list []view.Setting
	for _, s := range append(l.Env, l.Headers...) {
		list = append(list, view.Setting{Name: s.Name, Value: s.Value, Hidden: s.Hidden, Optional: s.Optional})
	}
	return list
}

// odd says what of the declaration names nothing.
func odd(out servers.ServerRead) []string {
	says := append([]string{}, out.LeftOut...)
	if len(out.UnlistedAnnotations) > 0 {
		says = append(says, "Hints are set for tools it does not list: "+strings.Join(out.UnlistedAnnotations, ", ")+".")
	}
	if len(out.NoMatch) > 0 {
		says = append(says, "The include list names what it does not list: "+strings.Join(out.NoMatch, ", ")+".")
	}
	if out.Nothing != "" {
		says = append(says, out.Nothing)
	}
	return says
}

func instance(i servers.Instance, now time.Time) view.Instance {
	out := view.Instance{
		Node: i.Node, Seat: i.Seat, State: ui.BadgeView{Label: strings.ReplaceAll(i.State, "_", " "), State: instanceColour(i.State)}, Phase: phase(i.Phase), Error: seen(i.Error),
		Since: i.Since, Attempt: i.Attempt, Era: i.Era, PID: i.PID, Tail: seen(strings.Join(i.StderrTail, "\n")),
	}
	if i.RetryAt != nil && i.RetryAt.After(now) {
		out.Retry = *i.RetryAt
	}
	out.Start = phases(i)
	if out.Lines = seen(strings.Join(i.SkippedLines, "\n")); i.Skipped > 0 {
		out.Skipped = skipped(i.Skipped, len(i.SkippedLines))
	}
	return out
}

// phases says how long each part of the last start took.
func phases(i servers.Instance) string {
	var all int64
	var list []string
	for _, p := range i.Phases {
		all += p.TookMS
		list = append(list, strings.ToLower(phase(p.Phase))+" "+took(p.TookMS))
	}
	if len(list) == 0 {
		return ""
	}
	says := map[string]string{"running": "Started in " + took(all), "failed": "The last start failed after " + took(all), "starting": "So far"}[i.State]
	if says == "" {
		says = "The last start took " + took(all)
	}
	return says + ": " + strings.Join(list, ", ") + "."
}

// skipped says how much on its stdout was no message, and how much of it is shown.
func skipped(count, shown int) string {
	switch {
	case count == 1:
		return "A line on its stdout that is no message was skipped"
	case count > shown:
		return fmt.Sprintf("%d lines on its stdout that are no messages were skipped; the first %d", count, shown)
	}
	return fmt.Sprintf("%d lines on its stdout that are no messages were skipped", count)
}

func instanceColour(state string) ui.State {
	switch state {
	case "running":
		return ui.Good
	case "failed", "held_back":
		return ui.Bad
	case "waiting":
		return ui.Warn
	case "stopped", "idle", "not_reported":
		return ui.Off
	default:
		return ui.Busy
	}
}

func stats(s servers.CallStats) view.Stats {
	out := view.Stats{Calls: s.Calls, Errors: "0 %", P50: took(s.P50MS), P95: took(s.P95MS)}
	if s.ErrorRate > 0 {
		out.Errors = fmt.Sprintf("%.1f %%", 100*s.ErrorRate)
	}
	return out
}

// took is a span of milliseconds as people read it.
func took(ms int64) string {
	if ms >= 10_000 {
		return fmt.Sprintf("%.0f s", float64(ms)/1000)
	}
	if ms >= 1000 {
		return fmt.Sprintf("%.1f s", float64(ms)/1000)
	}
	return fmt.Sprintf("%d ms", ms)
}
