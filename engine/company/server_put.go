package company

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// PutServer is what put_mcp_server is asked.
type PutServer struct {
	Name   string          `json:"name" validate:"required,max=40" jsonschema:"the server's name: lower-case letters, digits and dashes"`
	Entry  json.RawMessage `json:"entry" validate:"required" jsonschema:"the declaration as a JSON object: command and args, or url, and what else an entry of mcp_servers takes"`
	Create bool            `json:"create,omitempty" jsonschema:"declare a new server, after all others; refused when the name is taken"`
	Writing
}

// Object names the server for the record, as people know it.
func (a PutServer) Object() string { return serverObject(a.Name) }

func declarePutServer(s *Company) tool.Use[PutServer, Written] {
	return tool.Declare(tool.Spec{
		Name:     "put_mcp_server",
		Title:    "Declare an MCP server",
		Brief:    "Declare a new MCP server, or replace a declared one whole. The company document is checked with it before anything is stored.",
		Access:   access.Operator(access.ConfigWrite).Sensitive(),
		Audience: tool.Operators,
		Hints:    tool.Hints{Destructive: true, OpenWorld: true},
	}, s.putServer)
}

func (s *Company) putServer(ctx context.Context, c *tool.Call, in PutServer) (Written, error) {
	c.About(in.Object())
	entry, err := in.entry()
	if err != nil {
		return Written{}, err
	}
	out, err := s.revise(ctx, c, in.Writing, func(now Revision) (draft, error) {
		at, count, err := locate(now, in.Name)
		if err != nil {
			return draft{}, err
		}
		edit := document.Edit{Op: "replace", Path: fmt.Sprintf("/mcp_servers/%d", at), Value: entry}
		switch {
		case in.Create && at >= 0:
			return draft{}, refusal.EntityExists.Say("There is a server %s already. Choose another name, or change that one.", in.Name).On("name")
		case !in.Create && at < 0:
			return draft{}, noServer(in.Name)
		case in.Create:
			at, edit = count, document.Edit{Op: "add", Path: "/mcp_servers/-", Value: entry}
		default:
			if err := in.matched(now); err != nil {
				return draft{}, err
			}
		}
		return in.draft(now, at, edit)
	})
	out.Created = in.Create && err == nil && !in.DryRun
	return out, err
}

// entry is the declaration with its name first. A name inside it is the same
// one, or somebody means to rename.
func (in PutServer) entry() (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(in.Entry, &fields); err != nil || fields == nil {
		return nil, refusal.Invalid.Say("A server is declared as a JSON object, such as {\"command\": \"npx\", \"args\": [\"-y\", \"some-server\"]}.").On("entry")
	}
	var inside string
	if raw, named := fields["name"]; named {
		if err := json.Unmarshal(raw, &inside); err != nil || inside != in.Name {
			return nil, refusal.Invalid.Say("The entry has another name than %s. Leave the name out of it; only Rename renames a server.", in.Name).On("name")
		}
		return in.Entry, nil
	}
	name, err := json.Marshal(in.Name)
	if err != nil {
		return nil, fmt.Errorf("encode the name: %w", err)
	}
	rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(in.Entry)), "{"))
	if rest != "}" {
		rest = "," + rest
	}
	return json.RawMessage(`{"name":` + string(name) + rest), nil
}

// draft makes the edit. What is wrong inside the entry is told beside its own
// keys: nobody has seen the line it would stand on.
func (in PutServer) draft(now Revision, at int, edit document.Edit) (draft, error) {
	own := fmt.Sprintf("mcp_servers[%d]", at)
	told := func(problems document.Problems) *refusal.Refusal { return misdeclared(problems, own) }
	text, err := document.Apply([]byte(now.Text), edit)
	if err != nil {
		if problems, ok := problemsOf(err); ok {
			return draft{}, told(problems)
		}
		if odd, ok := errors.AsType[*document.EditError](err); ok { // its place is one that nobody named
			return draft{}, refusal.Invalid.Say("%s.", capital(strings.TrimSuffix(odd.Says, "."))).On("entry")
		}
		return draft{}, unedited(err, "entry")
	}
	return draft{text: string(text), told: told}, nil
}

// misdeclared puts the problems of one entry beside its keys.
func misdeclared(problems document.Problems, own string) *refusal.Refusal {
	no := misread(problems)
	no.Fields = nil
	for i := len(problems) - 1; i >= 0; i-- { // the first of a key is told last, and stays
		key, ok := strings.CutPrefix(problems[i].Path, own)
		if !ok || key != "" && key[0] != '.' {
			continue
		}
		key = strings.TrimPrefix(key, ".")
		if key == "" {
			key = "entry"
		}
		no, no.Says = no.Beside(key, capital(problems[i].Says)), key+": "+problems[i].Says
	}
	return no
}

// inForce is what the revision in force says; nothing before the first.
func inForce(now Revision) (*document.Document, error) {
	if now.ID == 0 {
		return &document.Document{}, nil
	}
	doc, problems := document.Parse([]byte(now.Text))
	if len(problems) > 0 {
		return nil, misread(problems)
	}
	return doc, nil
}

// locate finds a server in the document in force, and how many there are. -1
// is nowhere.
func locate(now Revision, name string) (at, count int, err error) {
	doc, err := inForce(now)
	if err != nil {
		return -1, 0, err
	}
	return slices.IndexFunc(doc.MCPServers, func(s document.Server) bool { return s.Name == name }), len(doc.MCPServers), nil
}

func noServer(name string) error {
	return refusal.NoSuchEntity.Say("No server %s is declared. To declare it, send it as a new one (create, or the header If-None-Match: *).", name).On("name")
}
