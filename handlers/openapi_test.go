package handlers

import (
	"encoding/json"
	"strings"
	"testing"

	"crewlet/engine/access"
)

// object is one of the document on the way through it.
type object = map[string]any

func TestTheOpenAPIDocumentIsWhole(t *testing.T) {
	t.Parallel()
	b := open(t)
	if got := b.ask(t, "GET", "/api/v1/openapi.json", nil); got.status != 401 {
		t.Errorf("nobody is answered %d", got.status)
	}
	got := b.ask(t, "GET", "/api/v1/openapi.json", nil, as(b.mint(false, nobodysRights...).Value)...)
	var doc object
	if err := json.Unmarshal([]byte(got.text), &doc); err != nil || got.status != 200 || got.header.Get("Content-Type") != "application/json" {
		t.Fatalf("answered %d %v: %.200s", got.status, err, got.text)
	}
	if doc["openapi"] != "3.1.0" || doc["info"].(object)["version"] == "" {
		t.Errorf("it begins %v %v", doc["openapi"], doc["info"])
	}
	for _, ref := range references(doc) {
		if _, ok := strings.CutPrefix(ref, "#/components/"); !ok || follow(doc, ref) == nil {
			t.Errorf("%s leads nowhere", ref)
		}
	}
	ids := map[string]object{}
	for path, item := range doc["paths"].(object) {
		for method, value := range item.(object) {
			op := value.(object)
			id := op["operationId"].(string)
			if ids[id] != nil {
				t.Errorf("%s is there twice", id)
			}
			ids[id] = op
			if !strings.HasSuffix(path, "/"+id) || op["summary"] == "" || op["description"] == "" || op["x-crewlet-access"] == "" {
				t.Errorf("%s %s is %v", method, path, op)
			}
			responses := op["responses"].(object)
			if responses["200"] == nil || responses["default"] == nil {
				t.Errorf("%s answers %v", id, responses)
			}
		}
	}
	for _, one := range b.Tools {
		op := ids[one.Name]
		if shut := one.Access.Rule == access.RuleEngine || one.Access.Rule == access.RuleOpen; shut != (op == nil) {
			t.Errorf("%s: shut %t, described %t", one.Name, shut, op != nil)
			continue
		}
		if op != nil && one.Writes() {
			content := op["requestBody"].(object)["content"].(object)["application/json"].(object)
			example, err := json.Marshal(content["example"].(object)["args"])
			b.must(err)
			fits(t, one.InputSchema(), example)
		}
		delete(ids, one.Name)
	}
	for id := range ids {
		t.Errorf("%s is no tool", id)
	}
	all, err := json.Marshal(follow(doc, "#/components/schemas"))
	b.must(err)
	whole := strings.ReplaceAll(`{"$defs":`+string(all)+`}`, "#/components/schemas/", "#/$defs/")
	if _, err := schema(json.RawMessage(whole)).Resolve(nil); err != nil {
		t.Errorf("the schemas do not resolve: %v", err)
	}
}

// references are all that a value refers to.
func references(value any) []string {
	var list []string
	switch v := value.(type) {
	case object:
		for name, one := range v {
			if ref, ok := one.(string); ok && name == "$ref" {
				list = append(list, ref)
				continue
			}
			list = append(list, references(one)...)
		}
	case []any:
		for _, one := range v {
			list = append(list, references(one)...)
		}
	}
	return list
}

// follow is what a reference leads to, or nothing.
func follow(doc object, ref string) any {
	var at any = doc
	for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		here, _ := at.(object)
		at = here[step]
	}
	return at
}
