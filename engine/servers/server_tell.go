package servers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"crewlet/config/document"
	"crewlet/mcp/client"
)

// launchOf shows how an entry is launched. A value is shown where the document
// refers to a secret in it: nothing of the secret is there. What is written out
// is set, and not shown.
func launchOf(entry *document.Server) Launch {
	out := Launch{
		Command: entry.Command, Args: entry.Args, URL: entry.URL, Lazy: entry.Lazy(), Roots: entry.Roots, ToolPrefix: entry.ToolPrefix,
		TimeoutS: entry.Timeout.Std().Seconds(), StartupS: entry.StartupTimeout.Std().Seconds(), IdleStopS: entry.IdleStop.Std().Seconds(),
		PrivateAllowed: entry.AllowPrivate, ResourcesOn: entry.Tools.Resources, PromptsOn: entry.Tools.Prompts,
		Include: entry.Tools.Include, Exclude: entry.Tools.Exclude,
	}
	var list []Setting
	for _, name := range slices.Sorted(maps.Keys(entry.Values())) {
		value := entry.Values()[name]
		set := Setting{Name: name, Optional: optional(entry, name), Hidden: !refers(value)}
		if !set.Hidden {
			set.Value = value
		}
		list = append(list, set)
	}
	if entry.Transport() == "stdio" {
		out.Env = list
	} else {
		out.Headers = list
	}
	return out
}

// refers reports whether a value holds a reference.
func refers(value string) bool {
	_, missing := document.Expand(value, func(string) (string, bool) { return "", false })
	return len(missing) > 0
}

// optional reports whether a key is left out when it does not resolve.
func optional(entry *document.Server, name string) bool {
	return slices.ContainsFunc(entry.OptionalKeys, func(key string) bool {
		return key == name || entry.Transport() != "stdio" && strings.EqualFold(key, name)
	})
}

// silent is the state of an instance on a node that is not heard of.
const silent = "not_reported"

// instances are told as their nodes last said; those of a silent node are not
// reported, since it was heard of.
func (f *oneServer) instances() []Instance {
	list := []Instance{}
	nodes := map[string]Node{}
	for _, n := range f.nodes {
		nodes[n.ID] = n
	}
	for _, st := range f.states {
		if st.Server != f.target {
			continue
		}
		in := Instance{
			Node: nodes[st.Node].Name, Seat: st.Seat, State: st.State, Phase: st.Phase, Error: st.Error, Attempt: st.Attempt,
			Since: st.Since, RetryAt: st.RetryAt, StderrTail: lines(st.StderrTail), Era: st.Era, PID: st.PID,
			Phases: phasesOf(st.Phases), Skipped: st.Skipped, SkippedLines: lines(st.Lines),
		}
		if !nodes[st.Node].Live { // what it last said may long be otherwise
			in = Instance{Node: in.Node, Seat: in.Seat, State: silent, Since: nodes[st.Node].SeenAt}
		}
		list = append(list, in)
	}
	return list
}

func phasesOf(text string) []Phase {
	var list []Phase
	if text != "" && json.Unmarshal([]byte(text), &list) != nil {
		return nil // by a newer node, in a form of its own
	}
	return list
}

// catalogueOf tells of the last listing.
func (f *oneServer) catalogueOf(out *ServerRead, now time.Time) {
	for _, c := range f.catalogues {
		if c.Server != f.target {
			continue
		}
		out.Instructions = c.Instructions
		out.CatalogueAgeS = max(0, int64(now.Sub(c.ListedAt).Seconds()))
		var has client.Capabilities
		if json.Unmarshal([]byte(c.Capabilities), &has) != nil {
			continue
		}
		for _, one := range []struct {
			name string
			has  bool
		}{{"tools", has.Tools}, {"resources", has.Resources}, {"prompts", has.Prompts}, {"completions", has.Completions}} {
			if one.has && !slices.Contains(out.Capabilities, one.name) {
				out.Capabilities = append(out.Capabilities, one.name)
			}
		}
	}
}

// events are the lines of the server's history.
func (f *oneServer) events() []Event {
	list := []Event{}
	for _, c := range f.changes {
		var d eventDeltas
		if json.Unmarshal(c.Deltas, &d) != nil {
			d = eventDeltas{}
		}
		e := Event{Position: c.Position, At: c.At, Kind: c.Kind, Actor: c.Actor, Error: d.Error.To, Says: d.says(c.Kind)}
		for _, n := range f.nodes {
			if n.ID == d.Node.To {
				e.Node = n.Name
			}
		}
		list = append(list, e)
	}
	return list
}

// eventDeltas is what rows of the log about a server carry.
type eventDeltas struct {
	Name  struct{ From, To string } `json:"name"`
	Node  struct{ To string }       `json:"node"`
	State struct{ From string }     `json:"state"`

	Error    struct{ To string }     `json:"error"`
	Added    struct{ To []string }   `json:"added"`
	Removed  struct{ From []string } `json:"removed"`
	Changed  struct{ To []string }   `json:"changed"`
	Revision struct{ To int64 }      `json:"revision"`
}

func (d eventDeltas) says(kind string) string {
	switch kind {
	case "server.declared", "server.revised":
		return map[string]string{"server.declared": "Declared", "server.revised": "Edited"}[kind] + d.in() + "."
	case "server.renamed":
		return fmt.Sprintf("Renamed from %s to %s%s.", d.Name.From, d.Name.To, d.in())
	case "catalogue.changed":
		return d.relisted()
	}
	if kind == "server.resting" && d.State.From == "" {
		return "Ready: it starts on its first call."
	}
	says := map[string]string{
		"server.removed": "Removed from the configuration.", "server.started": "Started.", "server.exited": "Ended by itself.",
		"server.failed": "Failed.", "server.held_back": "Held back.", "server.stopped": "Stopped.", "server.resting": "Stopped until its next call.",
		restartKind: "A restart was asked for.",
	}[kind]
	if says == "" {
		says = kind
	}
	return says
}

func (d eventDeltas) in() string {
	if d.Revision.To == 0 {
		return ""
	}
	return fmt.Sprintf(" in revision %d", d.Revision.To)
}

func (d eventDeltas) relisted() string {
	var parts []string
	for _, p := range []struct {
		what string
		list []string
	}{{"added", d.Added.To}, {"removed", d.Removed.From}, {"changed", d.Changed.To}} {
		if len(p.list) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", len(p.list), p.what))
		}
	}
	if len(parts) == 0 {
		return "Its tools were listed anew."
	}
	return "Its tools changed: " + strings.Join(parts, ", ") + "."
}
