package servers

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"crewlet/engine/refusal"

	view "crewlet/views/servers"
)

// argumentsOf makes the JSON object a tool is called with of what was typed.
// An optional field left empty is left out.
func argumentsOf(fields []view.Argument) (json.RawMessage, error) {
	var no *refusal.Refusal
	out := bytes.NewBufferString("{")
	for _, f := range fields {
		value, err := valueOf(f)
		if err != "" {
			if no == nil {
				no = refusal.Invalid.Say("Something here does not fit; nothing was called.")
			}
			no = no.Beside(f.Field(), err)
			continue
		}
		if f.Name == whole {
			return value, nil
		}
		if value == nil {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		name, _ := json.Marshal(f.Name) // a string always can be
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	if no != nil {
		return nil, no
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// valueOf reads one field; nil for one left out, or a sentence for what does
// not fit.
func valueOf(f view.Argument) (value json.RawMessage, says string) {
	text := strings.ReplaceAll(f.Value, "\r\n", "\n")
	switch blank := strings.TrimSpace(text) == ""; {
	case text == "" && f.Required, blank && f.Required && f.Kind != view.ArgumentText:
		return nil, "This is needed."
	case text == "", blank && f.Kind != view.ArgumentText:
		return nil, ""
	}
	if f.Kind == view.ArgumentList {
		return listOf(f, text)
	}
	return scalar(f.Kind, text, f.Choices)
}

func listOf(f view.Argument, text string) (json.RawMessage, string) {
	var list []json.RawMessage
	kind := map[string]string{"number": view.ArgumentNumber, "integer": view.ArgumentInteger, "boolean": view.ArgumentBool}[f.Item]
	if kind == "" {
		kind = view.ArgumentText
	}
	for _, line := range lines(text) {
		value, says := scalar(kind, line, nil)
		if says != "" {
			return nil, line + ": " + says
		}
		list = append(list, value)
	}
	value, err := json.Marshal(list)
	if err != nil {
		return nil, "This is no list."
	}
	return value, ""
}

// scalar reads one value of a kind.
func scalar(kind, text string, choices []string) (json.RawMessage, string) {
	if kind == view.ArgumentText {
		value, err := json.Marshal(text)
		if err != nil {
			return nil, "This is no text."
		}
		return value, ""
	}
	text = strings.TrimSpace(text)
	if says := misfit(kind, text, choices); says != "" {
		return nil, says
	}
	return json.RawMessage(text), ""
}

// misfit says what is wrong with a value that is JSON as it is typed.
func misfit(kind, text string, choices []string) string {
	var fits bool
	var says string
	switch kind {
	case view.ArgumentInteger:
		fits, says = isWhole(text), "This is a whole number, such as 3."
	case view.ArgumentNumber:
		fits, says = isNumber(text), "This is a number, such as 3 or 0.5."
	case view.ArgumentBool:
		fits, says = text == "true" || text == "false", "This is true or false."
	case view.ArgumentChoice:
		fits, says = slices.Contains(choices, text), "Choose one of those listed."
	default:
		fits, says = json.Valid([]byte(text)), "This is no JSON. Write it as the schema below has it."
	}
	if fits {
		return ""
	}
	return says
}

func isWhole(text string) bool {
	n, err := strconv.ParseFloat(text, 64)
	return err == nil && n == math.Trunc(n) && isNumber(text)
}

// isNumber reports a number as JSON writes it.
func isNumber(text string) bool {
	var n json.Number
	return !strings.HasPrefix(text, `"`) && json.Unmarshal([]byte(text), &n) == nil && n != ""
}
