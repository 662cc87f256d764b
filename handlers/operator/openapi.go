package operator

import (
	"encoding/json"
	"net/http"
	"strings"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

// object is one of the document's, or of a schema in it.
type object = map[string]any

// OpenAPI answers GET /api/v1/openapi.json: every tool that has a place here,
// with its arguments and its answer.
func (h *Handlers) OpenAPI(w http.ResponseWriter, r *http.Request) error {
	return web.Encoded(w, r, http.StatusOK, h.document())
}

// written is the document as JSON. It is made of declarations alone, so it is
// the same for everybody.
func (h *Handlers) written() []byte {
	text, err := json.Marshal(h.Document())
	if err != nil {
		panic("operator: the description cannot be encoded: " + err.Error())
	}
	return append(text, '\n')
}

// Document is the OpenAPI document.
func (h *Handlers) Document() map[string]any {
	paths, schemas := object{}, object{"refusal": refusals()}
	for _, name := range h.published() {
		t := h.tools[name]
		parts(schemas, t.Name+".arguments", t.InputSchema())
		parts(schemas, t.Name+".answer", t.OutputSchema())
		if t.Writes() {
			paths[actAddress+t.Name] = object{"post": write(t)}
		} else {
			paths[readAddress+t.Name] = object{"get": read(t, schemas[t.Name+".arguments"].(object))}
		}
	}
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Crewlet", "version": "1",
			"description": "Every tool of the catalogue over plain HTTP. A write carries a key of its own: the same key with the same request answers what the first one answered, with anything else it is refused. Refusals have one shape everywhere.",
		},
		"servers": []any{object{"url": "/"}},
		"paths":   paths,
		"components": object{
			"schemas":   schemas,
			"responses": object{"refused": told("A refusal: a class for programs, a sentence for people.", refer("schemas", "refusal"))},
			"parameters": object{
				"key": object{
					"name": "Idempotency-Key", "in": "header", "required": true, "schema": object{"type": "string", "format": "uuid"},
					"description": "a UUIDv7 of your own making, new for each call that is meant anew; a form may carry it in the field _key instead",
				},
				"min_position": object{
					"name": "min_position", "in": "query", "schema": object{"type": "integer", "minimum": 0},
					"description": "wait until this position of the log is readable, such as the one a write answered",
				},
			},
			"securitySchemes": object{
				"token":   object{"type": "http", "scheme": "bearer", "description": "a personal token or a program's, from Settings › Tokens"},
				"session": object{"type": "apiKey", "in": "cookie", "name": "crewlet", "description": "a browser's sign-in; __Host-crewlet over https"},
			},
		},
		"security": []any{object{"token": []any{}}, object{"session": []any{}}},
	}
}

// operation is what writes and reads have in common.
func operation(t tool.Tool, parameters []any, answer object) object {
	return object{
		"operationId": t.Name, "summary": t.Title, "description": t.Brief, "parameters": parameters,
		"responses":        object{"200": told("How it ended.", answer), "default": refer("responses", "refused")},
		"x-crewlet-access": t.Access.String(), "x-crewlet-for": audience(t), "x-crewlet-once": t.Once,
	}
}

func write(t tool.Tool) object {
	args := refer("schemas", t.Name+".arguments")
	asked := object{"type": "object", "properties": object{"args": args}, "additionalProperties": false}
	if len(needed(t)) > 0 {
		asked["required"] = []any{"args"}
	}
	op := operation(t, []any{refer("parameters", "key")}, object{
		"type": "object", "required": []any{"tool", "outcome", "position", "op_id", "receipt"},
		"properties": object{
			"tool":     object{"const": t.Name},
			"outcome":  object{"type": "string", "description": "applied; unchanged where it was so already; read where a server's tool was known to do no harm"},
			"position": object{"type": "integer", "description": "its place in the log: the min_position of a read that is to see it"},
			"op_id":    object{"type": "string", "format": "uuid", "description": "the key it landed under"},
			"receipt":  refer("schemas", t.Name+".answer"),
		},
	})
	op["requestBody"] = object{"content": object{
		"application/json":                  object{"schema": asked, "example": object{"args": example(t)}},
		"application/x-www-form-urlencoded": object{"schema": args},
		"multipart/form-data":               object{"schema": args},
	}}
	return op
}

func read(t tool.Tool, args object) object {
	parameters := []any{}
	properties, _ := args["properties"].(object)
	for _, name := range tool.Names(t.Arguments) {
		described, _ := properties[name].(object)
		p := object{"name": name, "in": "query", "schema": described}
		if says, ok := described["description"]; ok {
			p["description"] = says
		}
		if needs(args, name) {
			p["required"], p["example"] = true, sample(described)
		}
		parameters = append(parameters, p)
	}
	return operation(t, append(parameters, refer("parameters", "min_position")), object{
		"type": "object", "required": []any{"tool", "as_of", "receipt"},
		"properties": object{
			"tool":    object{"const": t.Name},
			"as_of":   object{"type": "integer", "description": "the position of the log it was read at"},
			"receipt": refer("schemas", t.Name+".answer"),
		},
	})
}

// refusals is the one shape of a refusal.
func refusals() object {
	var classes []any
	for _, c := range append(refusal.Classes(), refusal.Codes()...) {
		classes = append(classes, string(c))
	}
	return object{
		"type": "object", "required": []any{"error", "message"},
		"properties": object{
			"error":       object{"type": "string", "enum": classes, "description": "the class, to branch on"},
			"message":     object{"type": "string", "description": "what was wrong, and what would be right"},
			"fields":      object{"type": "object", "additionalProperties": object{"type": "string"}, "description": "a sentence beside each argument that is wrong"},
			"op_id":       object{"type": "string", "description": "the key, where it may be sent again"},
			"source":      object{"type": "string", "description": "whose failure it is, such as mcp:github; server_said holds its words"},
			"server_said": object{"type": "string"},
		},
	}
}

func told(says string, schema object) object {
	return object{"description": says, "content": object{"application/json": object{"schema": schema}}}
}

func refer(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

// parts puts a tool's schema among the document's, the types it refers to
// beside it under names of their own.
func parts(schemas object, name string, text json.RawMessage) {
	var s object
	if err := json.Unmarshal(text, &s); err != nil {
		panic("operator: " + name + ": " + err.Error())
	}
	own, _ := s["$defs"].(object)
	delete(s, "$defs")
	rename(s, name)
	schemas[name] = s
	for def, value := range own {
		rename(value, name)
		schemas[name+"."+def] = value
	}
}

// rename turns references within a schema into the document's.
func rename(value any, name string) {
	switch v := value.(type) {
	case object:
		if ref, ok := v["$ref"].(string); ok {
			v["$ref"] = "#/components/schemas/" + name + "." + strings.TrimPrefix(ref, "#/$defs/")
		}
		for _, one := range v {
			rename(one, name)
		}
	case []any:
		for _, one := range v {
			rename(one, name)
		}
	}
}
