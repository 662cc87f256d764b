package client

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// paramHeader is an argument that is also sent as a header, as a tool's input
// schema asks for by x-mcp-header (SEP-2243).
type paramHeader struct {
	path   []string
	header string
}

type headerSchema struct {
	Type       any                        `json:"type"`
	Header     json.RawMessage            `json:"x-mcp-header"`
	Properties map[string]json.RawMessage `json:"properties"`
}

// paramHeaders reads the annotations of an input schema. An annotation that
// cannot be followed spoils the tool: it would be called without the header.
func paramHeaders(schema json.RawMessage) ([]paramHeader, error) {
	if !strings.Contains(string(schema), "x-mcp-header") {
		return nil, nil
	}
	var top headerSchema
	if json.Unmarshal(schema, &top) != nil {
		return nil, nil // checkSchema says what is wrong with it
	}
	found, err := top.collect(nil, schemaDepth)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, p := range found {
		name := strings.ToLower(p.header)
		if seen[name] {
			return nil, fmt.Errorf("two of its arguments have the x-mcp-header %q", p.header)
		}
		seen[name] = true
	}
	return found, nil
}

func (s headerSchema) collect(path []string, depth int) (found []paramHeader, err error) {
	if depth == 0 {
		return nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		var inner headerSchema
		if json.Unmarshal(s.Properties[name], &inner) != nil {
			continue
		}
		here := append(slices.Clone(path), name)
		if inner.Header != nil {
			p, err := inner.bind(here)
			if err != nil {
				return nil, err
			}
			found = append(found, p)
		}
		more, err := inner.collect(here, depth-1)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

func (s headerSchema) bind(path []string) (paramHeader, error) {
	at := strings.Join(path, ".")
	if s.Type != "string" && s.Type != "integer" && s.Type != "boolean" {
		return paramHeader{}, fmt.Errorf("the x-mcp-header of %s is on neither a string, an integer nor a boolean", at)
	}
	var name string
	if json.Unmarshal(s.Header, &name) != nil || !httpguts.ValidHeaderFieldName(name) {
		return paramHeader{}, fmt.Errorf("the x-mcp-header of %s is no name of a header", at)
	}
	return paramHeader{path, name}, nil
}

// describe adds the headers by which a gateway can tell messages apart
// without reading them (newer era).
func (p *post) describe(headers map[string]string) {
	var params struct {
		Meta      map[string]json.RawMessage `json:"_meta"`
		Name      string                     `json:"name"`
		URI       string                     `json:"uri"`
		Arguments json.RawMessage            `json:"arguments"`
	}
	_ = json.Unmarshal(p.req.Params, &params) // we wrote it
	var version string
	if json.Unmarshal(params.Meta["io.modelcontextprotocol/protocolVersion"], &version) == nil && version != "" {
		headers["Mcp-Protocol-Version"] = version
		if p.req.Method != "server/discover" {
			p.c.mu.Lock()
			p.c.version = version
			p.c.mu.Unlock()
		}
	} else if !p.c.modern() {
		return
	}
	headers["Mcp-Method"] = p.req.Method
	switch p.req.Method {
	case "tools/call":
		headers["Mcp-Name"] = headerText(params.Name)
		for _, b := range p.c.params(params.Name) {
			if value, err := argument(params.Arguments, b.path); err == nil {
				headers["Mcp-Param-"+b.header] = headerText(value)
			}
		}
	case "prompts/get":
		headers["Mcp-Name"] = headerText(params.Name)
	case "resources/read":
		headers["Mcp-Name"] = headerText(params.URI)
	}
}

var errNoArgument = errors.New("no such argument")

// argument is a primitive argument as text.
func argument(args json.RawMessage, path []string) (string, error) {
	for _, name := range path {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(args, &fields); err != nil {
			return "", err
		}
		args = fields[name]
	}
	if !present(args) {
		return "", errNoArgument
	}
	switch args[0] {
	case '{', '[':
		return "", errNoArgument
	case '"':
		var text string
		err := json.Unmarshal(args, &text)
		return text, err
	}
	return wholeNumber(string(args))
}

// safeInteger is the largest that every reader of JSON keeps.
const safeInteger = 1<<53 - 1

// wholeNumber writes 3.0 and 3e0 as 3; true and false stay.
func wholeNumber(text string) (string, error) {
	if text == "true" || text == "false" {
		return text, nil
	}
	var f float64
	if err := json.Unmarshal([]byte(text), &f); err != nil || f != float64(int64(f)) || f > safeInteger || f < -safeInteger {
		return "", errNoArgument
	}
	return fmt.Sprint(int64(f)), nil
}

// headerText writes what a header cannot hold in Base64, marked as such.
func headerText(s string) string {
	plain := s == strings.Trim(s, " \t") && !strings.HasPrefix(s, "=?base64?")
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] >= 0x20 && s[i] <= 0x7e
	}
	if plain {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}
