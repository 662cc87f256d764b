package servers

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"crewlet/engine/refusal"
)

const inputSchema = `SELECT input_schema FROM server_tools WHERE server = $1 AND seat = $2 AND name = $3 AND NOT utility`

// fits holds arguments against the tool's input schema before they are sent:
// what a server would refuse anyway is told beside the argument. A schema that
// cannot be compiled here is left to the server.
func (s *Servers) fits(ctx context.Context, of offer, args json.RawMessage) error {
	if of.utility {
		return nil
	}
	schema, err := s.input(ctx, of)
	if err != nil || schema == nil {
		return err
	}
	var given any = map[string]any{}
	if len(args) > 0 && json.Unmarshal(args, &given) != nil {
		return nil // no JSON: told where it is sent
	}
	if _, object := given.(map[string]any); !object {
		return nil
	}
	if err := validate(schema, given); err != nil {
		return unfit(of, err)
	}
	return nil
}

// input is the compiled schema of a tool; nil when its arguments are left to
// the server. It is kept for as long as the offer is.
func (s *Servers) input(ctx context.Context, of offer) (*jsonschema.Resolved, error) {
	if schema, known := s.offers.input(of.registered); known {
		return schema, nil
	}
	_, drops := s.offers.get()
	var text string
	err := s.o.DB.GetContext(ctx, &text, inputSchema, of.server, of.seat, of.own)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read the input schema of %s: %w", of.registered, err)
	}
	schema := compiled(text)
	s.offers.putInput(of.registered, schema, drops)
	return schema, nil
}

func (o *offers) input(registered string) (schema *jsonschema.Resolved, known bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	schema, known = o.inputs[registered]
	return schema, known
}

func (o *offers) putInput(registered string, schema *jsonschema.Resolved, drops int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.drops != drops {
		return
	}
	if o.inputs == nil {
		o.inputs = map[string]*jsonschema.Resolved{}
	}
	o.inputs[registered] = schema
}

// validate asks the library, which a schema may take to its limits.
func validate(schema *jsonschema.Resolved, given any) (err error) {
	defer func() {
		if recover() != nil {
			err = nil // left to the server
		}
	}()
	return schema.Validate(given)
}

// The library's words: the places it went through, and at the end what it
// found.
var (
	place    = regexp.MustCompile(`^validating (\S+): `)
	missing  = regexp.MustCompile(`^required: missing properties: \[(.*)\]$`)
	strange  = regexp.MustCompile(`^unexpected additional properties \[(.*)\]$`)
	mistyped = regexp.MustCompile(`(?s)^type: .* has type "([^"]*)", want (one of )?"([^"]*)"$`)
)

// unfit is the refusal of arguments that do not fit, beside the one concerned.
func unfit(of offer, err error) error {
	says, at := err.Error(), ""
	for {
		step := place.FindStringSubmatch(says)
		if step == nil {
			break
		}
		at, says = step[1], says[len(step[0]):]
	}
	no := refusal.Invalid.Say("These arguments do not fit what %s takes; nothing was called.", of.registered)
	name, within := argumentAt(at)
	if found := missing.FindStringSubmatch(says); found != nil {
		return tellEach(no, name, found[1], "It is needed.", "%s is needed in it.")
	}
	if found := strange.FindStringSubmatch(says); found != nil {
		return tellEach(no, name, found[1], "The tool takes no such argument.", "%s does not belong in it.")
	}
	if found := mistyped.FindStringSubmatch(says); found != nil {
		says = fmt.Sprintf("It is of type %s, and the tool wants %s.", found[1], strings.ReplaceAll(found[3], ", ", " or "))
	} else {
		says, _, _ = strings.Cut(says, "\n")
		says = "The tool's schema does not allow this: " + shortened(says) + "."
	}
	if within {
		says = "In it, at " + innerPlace(at) + ": " + says
	}
	return no.Beside(field(name), says)
}

// tellEach tells of names: each beside itself at the top, and within an argument
// beside that.
func tellEach(no *refusal.Refusal, name, quoted, top, inside string) error {
	names := strings.Fields(strings.ReplaceAll(quoted, `"`, ""))
	if name != "" {
		return no.Beside(field(name), fmt.Sprintf(inside, strings.Join(names, ", ")))
	}
	for _, n := range names {
		no = no.Beside(field(n), top)
	}
	return no
}

// argumentAt is the argument a place in the schema belongs to, "" for the
// whole; within tells of a place inside of it.
func argumentAt(at string) (name string, within bool) {
	rest, ok := strings.CutPrefix(at, "/properties/")
	if !ok {
		return "", false
	}
	name, _, within = strings.Cut(rest, "/")
	return unescaped.Replace(name), within
}

// innerPlace is a place of the schema inside one argument as a place of what was
// sent: /properties/o/properties/k is k. One that goes by ways which are not
// places of it, such as anyOf, stays as it is.
func innerPlace(at string) string {
	steps := strings.Split(at, "/")[3:]
	var b strings.Builder
	for i := 0; i < len(steps); i++ {
		switch {
		case steps[i] == "items":
			b.WriteString("[]")
		case steps[i] == "properties" && i+1 < len(steps):
			i++
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(unescaped.Replace(steps[i]))
		default:
			return at
		}
	}
	return b.String()
}

// unescaped reads a step of a JSON pointer.
var unescaped = strings.NewReplacer("~1", "/", "~0", "~")

// field is the name of an argument of the tool among those of call_tool.
func field(name string) string {
	if name == "" {
		return "arguments"
	}
	return "arguments." + name
}

// shortened keeps a sentence readable that quotes what it is about.
func shortened(says string) string {
	const most = 300
	if len(says) <= most {
		return says
	}
	return strings.ToValidUTF8(says[:most], "") + "…"
}
