package servers

import (
	"cmp"
	"encoding/json"
	"slices"

	"crewlet/config/document"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

// Builtin is the source of the engine's own tools; a server's is "mcp:" and
// its name.
const Builtin = "builtin"

// Tool is one row of the catalogue.
type Tool struct {
	Name         string             `json:"name"` // as it is registered
	Title        string             `json:"title"`
	Description  string             `json:"description"`
	Source       string             `json:"source"`
	Own          string             `json:"own_name,omitempty"` // the server's, where it is another
	Annotations  client.Annotations `json:"annotations"`        // a hint left out is unknown
	Overridden   []string           `json:"overridden,omitempty"`
	Delivers     string             `json:"delivers"` // where a call puts something in front of somebody
	Arguments    int                `json:"arguments"`
	Offered      []string           `json:"offered"`             // to seats, to operators
	Withheld     string             `json:"withheld,omitempty"`  // why it is offered to nobody
	Resolved     bool               `json:"resolved,omitempty"`  // another tool has its plain name, so it carries its server's
	Invisible    bool               `json:"invisible,omitempty"` // what its server says of it holds characters that cannot be seen
	Utility      bool               `json:"utility,omitempty"`   // it stands for its server's resources or prompts
	InputSchema  json.RawMessage    `json:"input_schema"`
	OutputSchema json.RawMessage    `json:"output_schema,omitempty"`
	// More is all else its server said of it, as it said it: icons, _meta.
	More json.RawMessage `json:"more,omitempty"`
}

// catalogue is every tool there is: builtins, then each server's as declared,
// by name within each.
func (f *facts) catalogue(builtins []Tool) []Tool {
	list := slices.Clone(builtins)
	place := map[string]int{}
	for i := range f.doc.MCPServers {
		place[f.ids[f.doc.MCPServers[i].Name]] = i
	}
	var found []toolFact
	for _, t := range f.tools {
		// What is switched off, or gone, has no tools to offer.
		if at, ok := place[t.Server]; ok && f.doc.MCPServers[at].Enabled {
			found = append(found, t)
		}
	}
	slices.SortFunc(found, func(a, b toolFact) int {
		return cmp.Or(cmp.Compare(place[a.Server], place[b.Server]), cmp.Compare(a.Registered, b.Registered))
	})
	for _, t := range found {
		// A utility tool that is switched off is not registered at all.
		if row := f.row(t, &f.doc.MCPServers[place[t.Server]]); !row.Utility || row.Withheld == "" {
			list = append(list, row)
		}
	}
	return list
}

func (f *facts) row(t toolFact, entry *document.Server) Tool {
	out := Tool{
		Name: t.Registered, Title: t.Title, Description: t.Description, Source: "mcp:" + entry.Name, Offered: []string{},
		Resolved: t.Resolved, Utility: t.Utility, Invisible: !t.Utility && holdsUnseen(t),
	}
	if t.Name != t.Registered {
		out.Own = t.Name
	}
	if json.Unmarshal(t.Annotations, &out.Annotations) != nil {
		out.Annotations = client.Annotations{} // unknown
	}
	if !t.Utility {
		out.override(entry.ToolAnnotations[t.Name])
	}
	if readOnly := out.Annotations.ReadOnly; readOnly == nil || !*readOnly {
		out.Delivers = entry.Name
	}
	out.InputSchema, out.OutputSchema = schema(t.InputSchema), schema(t.OutputSchema)
	out.More = schema(t.More)
	if out.Arguments = t.Arguments; out.Arguments < 0 {
		out.Arguments = arguments(out.InputSchema)
	}
	if out.Withheld = f.withheld(t, entry); out.Withheld == "" {
		out.Offered = append(out.Offered, "seats")
	}
	return out
}

// ownName is what the server itself calls it.
func (t *Tool) ownName() string {
	if t.Own != "" {
		return t.Own
	}
	return t.Name
}

// override puts the document's hints over the server's own.
func (t *Tool) override(by document.Hints) {
	for _, h := range []struct {
		name string
		from *bool
		to   **bool
	}{
		{"readOnlyHint", by.ReadOnly, &t.Annotations.ReadOnly},
		{"destructiveHint", by.Destructive, &t.Annotations.Destructive},
		{"idempotentHint", by.Idempotent, &t.Annotations.Idempotent},
		{"openWorldHint", by.OpenWorld, &t.Annotations.OpenWorld},
	} {
		if h.from != nil {
			*h.to = h.from
			t.Overridden = append(t.Overridden, h.name)
		}
	}
}

// schema hands a stored schema on as it is.
func schema(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

// arguments counts what a schema asks for.
func arguments(schema json.RawMessage) int {
	var top struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &top) != nil {
		return 0
	}
	return len(top.Properties)
}

// builtin makes rows of the use cases that somebody may find in a catalogue.
func builtin(all func() []tool.Tool) []Tool {
	list := []Tool{}
	if all == nil {
		return list
	}
	for _, t := range all() {
		if t.Audience == tool.PageOnly {
			continue
		}
		list = append(list, builtinRow(t))
	}
	slices.SortFunc(list, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

func builtinRow(t tool.Tool) Tool {
	readOnly, writes := t.Mode == tool.Read, t.Mode != tool.Read
	destructive, idempotent := t.Hints.Destructive, t.Hints.Idempotent || readOnly
	openWorld := t.Hints.OpenWorld
	out := Tool{
		Name: t.Name, Title: t.Title, Description: t.Brief, Source: Builtin, Delivers: t.Delivers, Offered: []string{},
		Annotations: client.Annotations{ReadOnly: &readOnly, Idempotent: &idempotent, OpenWorld: &openWorld},
		InputSchema: t.InputSchema(),
	}
	if writes {
		out.Annotations.Destructive = &destructive
	}
	out.Arguments = arguments(out.InputSchema)
	if t.Audience&tool.Operators != 0 {
		out.Offered = append(out.Offered, "operators")
	}
	if t.Audience&tool.Seats != 0 {
		out.Offered = append(out.Offered, "seats")
	}
	return out
}
