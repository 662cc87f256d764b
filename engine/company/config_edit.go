package company

import (
	"context"
	"encoding/json"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// EditConfig is what edit_config is asked.
type EditConfig struct {
	Edits []Edit `json:"edits" validate:"required,min=1,max=200,dive" jsonschema:"made one after the other, each on what the one before left"`
	Writing
}

// Edit changes one place of the document and leaves every other byte.
type Edit struct {
	Op    string          `json:"op" validate:"required,oneof=add replace remove rename" jsonschema:"add, replace, remove or rename"`
	Path  string          `json:"path" validate:"required,max=1000" jsonschema:"a JSON pointer such as /mcp_servers/0/args; /- at the end of a list"`
	Value json.RawMessage `json:"value,omitempty" jsonschema:"for add and replace: any JSON"`
	Name  string          `json:"name,omitempty" validate:"max=200" jsonschema:"for rename: the key's new name"`
}

func declareEditConfig(s *Company) tool.Use[EditConfig, Written] {
	return tool.Declare(tool.Spec{
		Name:     "edit_config",
		Title:    "Edit the company document",
		Brief:    "Change single places of the company document; comments, order and every other byte stay.",
		Access:   access.Operator(access.ConfigWrite).Sensitive(),
		Audience: tool.Operators,
		Hints:    tool.Hints{Destructive: true},
	}, s.editConfig)
}

func (s *Company) editConfig(ctx context.Context, c *tool.Call, in EditConfig) (Written, error) {
	c.About(in.Object())
	edits, err := in.edits()
	if err != nil {
		return Written{}, err
	}
	return s.revise(ctx, c, in.Writing, func(now Revision) (draft, error) {
		if err := in.matched(now); err != nil {
			return draft{}, err
		}
		text, err := document.Apply([]byte(now.Text), edits...)
		if err != nil {
			return draft{}, unedited(err, "edits")
		}
		return draft{text: string(text)}, nil
	})
}

// edits hands the values on as JSON: their keys stay in the order they were
// sent.
func (in EditConfig) edits() ([]document.Edit, error) {
	list := make([]document.Edit, len(in.Edits))
	for i, e := range in.Edits {
		list[i] = document.Edit{Op: e.Op, Path: e.Path, Name: e.Name}
		needs := e.Op == "add" || e.Op == "replace"
		if needs != (len(e.Value) > 0) {
			return nil, refusal.Invalid.Say("Edit %d: add and replace carry a value, remove and rename none.", i+1).On("edits")
		}
		if needs {
			list[i].Value = e.Value
		}
	}
	return list, nil
}
