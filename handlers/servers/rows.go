package servers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	"crewlet/views/ui"

	view "crewlet/views/servers"
)

func (h *Handlers) rows(out servers.Overview, in servers.ToolsOverview, call *tool.Call) view.Servers {
	list := view.Servers{
		Rows: make([]view.Server, 0, len(out.Servers)), May: web.May(h.Company.PutServer.Access, call.By),
		Read: web.May(h.Servers.GetServer.Access, call.By),
		AsOf: call.Landed.Position, Now: call.Now, Reloaded: in.Reloaded, Reloads: reloads(out.Reloads),
	}
	for _, sv := range out.Servers {
		list.Rows = append(list.Rows, serverRow(sv, call.Now))
	}
	return list
}

func serverRow(sv servers.Server, now time.Time) view.Server {
	row := view.Server{
		Name: sv.Name, State: string(sv.State), Colour: colour(sv.State), Phase: phase(sv.Phase), Reason: brief(seen(sv.Reason)),
		Shared: sv.Shared, Launch: launch(sv), Kind: sv.Transport, Tools: sv.Tools, Utilities: sv.Utilities, Cost: sv.ContextTokens, Notes: sv.LeftOut,
	}
	if sv.ListedAt != nil {
		row.ListedAt = *sv.ListedAt
	}
	if len(sv.UnlistedAnnotations) > 0 {
		row.Notes = append(row.Notes, "Hints are set for tools it does not list: "+several(sv.UnlistedAnnotations)+".")
	}
	if len(sv.NoMatch) > 0 {
		row.Notes = append(row.Notes, "The include list names what it does not list: "+several(sv.NoMatch)+".")
	}
	if len(sv.Uncovered) > 0 {
		row.Notes = append(row.Notes, "No include entry covers: "+several(sv.Uncovered)+".")
	}
	if sv.Nothing != "" {
		row.Notes = append(row.Notes, sv.Nothing)
	}
	for _, c := range sv.Nodes {
		if c.RetryAt != nil && c.RetryAt.After(now) && (row.Retry.IsZero() || c.RetryAt.Before(row.Retry)) {
			row.Retry = *c.RetryAt
		}
		row.Cells = append(row.Cells, cell(c))
	}
	row.Notes = seenAll(row.Notes)
	return row
}

// several are the first of some names, and how many more there are: a server
// may list thousands. Its own page names each.
func several(names []string) string {
	const most = 5
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// briefest is how much of a reason a row says, in characters.
const briefest = 160

// brief is what of a long reason stands in a row: its first sentences, as many
// as there is room for. The server's page has it whole.
func brief(reason string) string {
	if utf8.RuneCountInString(reason) <= briefest {
		return reason
	}
	end := 0
	for at := 0; ; {
		next := strings.Index(reason[at:], ". ")
		if next < 0 || utf8.RuneCountInString(reason[:at+next+1]) > briefest {
			break
		}
		end = at + next + 1
		at = end + 1
	}
	if end == 0 {
		return strings.TrimSpace(string([]rune(reason)[:briefest])) + "…"
	}
	return reason[:end]
}

// launch is how the server is started or reached, as one would type it.
func launch(sv servers.Server) string {
	if sv.Command == "" {
		return sv.URL
	}
	words := []string{sv.Command}
	for _, arg := range sv.Args {
		if arg == "" || strings.ContainsAny(arg, " \t\n\"'\\") {
			arg = strconv.Quote(arg)
		}
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}

func colour(s servers.State) ui.State {
	switch s {
	case servers.Running:
		return ui.Good
	case servers.PartlyFailing, servers.Waiting:
		return ui.Warn
	case servers.Failing:
		return ui.Bad
	case servers.Disabled, servers.NotReported:
		return ui.Off
	default:
		return ui.Neutral
	}
}

// phase is a start under way, in words.
func phase(name string) string {
	switch name {
	case "":
		return ""
	case "fetching":
		return "Fetching its package"
	case "handshaking":
		return "Shaking hands"
	case "listing":
		return "Listing its tools"
	case "stopping", "replacing":
		return "Stopping"
	default:
		return "Starting"
	}
}

func cell(c servers.Cell) view.Cell {
	row := view.Cell{Node: c.Node}
	switch {
	case !c.Reported:
		row.Label, row.Colour = "silent", ui.Off
	case c.Failed > 0:
		row.Label, row.Colour = "down", ui.Bad
	case c.Waiting > 0:
		row.Label, row.Colour = "waiting for credentials", ui.Warn
	case c.Started > 0:
		row.Label, row.Colour = "up", ui.Good
	case c.Phase != "":
		row.Label, row.Colour = "starting", ui.Busy
	default:
		row.Label, row.Colour = "not started", ui.Neutral
	}
	return row
}

func catalogue(out servers.Overview, in servers.ToolsOverview, call *tool.Call) view.Catalogue {
	list := view.Catalogue{
		Filter:  view.Filter{Text: strings.TrimSpace(in.Text), Source: in.Source, Hint: in.Hint, Delivers: in.Delivers},
		Sources: out.Sources, Places: out.Places, Shown: len(out.Tools), Total: out.Total, AsOf: call.Landed.Position,
	}
	for i := range out.Tools {
		t := &out.Tools[i]
		if n := len(list.Groups); n == 0 || list.Groups[n-1].Source != t.Source {
			list.Groups = append(list.Groups, view.Group{Source: t.Source})
		}
		last := &list.Groups[len(list.Groups)-1]
		last.Tools = append(last.Tools, toolRow(t))
	}
	return list
}

func toolRow(t *servers.Tool) view.Tool {
	return view.Tool{
		Name: t.Name, Label: t.Name, Title: seen(t.Title), Description: seen(t.Description), Invisible: t.Invisible, Utility: t.Utility, Hint: t.Hint(), Outside: threeValued(t.Annotations.OpenWorld),
		Delivers: t.Delivers, Arguments: t.Arguments, Withheld: seen(t.Withheld),
	}
}

// seen is a server's own words with nothing in them that cannot be seen.
func seen(text string) string {
	shown, _ := servers.Visible(text)
	return shown
}

func seenAll(texts []string) []string {
	shown := make([]string, len(texts))
	for i, text := range texts {
		shown[i] = seen(text)
	}
	return shown
}

func threeValued(hint *bool) string {
	switch {
	case hint == nil:
		return "unknown"
	case *hint:
		return "yes"
	default:
		return "no"
	}
}

// shown is how much of a schema a page carries, in bytes; GET /tools has it
// whole.
const shown = 16 << 10

func indented(schema json.RawMessage) string {
	if len(schema) > shown {
		return fmt.Sprintf("%d bytes; GET /tools answers it whole.", len(schema))
	}
	return laidOut(schema)
}

// laidOut is JSON over several lines; what is none, as it is.
func laidOut(text json.RawMessage) string {
	var b bytes.Buffer
	if len(text) == 0 || json.Indent(&b, text, "", "  ") != nil {
		return seen(string(text))
	}
	return seen(b.String())
}
