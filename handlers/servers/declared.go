package servers

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"crewlet/engine/company"

	view "crewlet/views/servers"
)

// typedOf is the form that makes this declaration: the same one comes of it
// when it is sent as it is.
func typedOf(name string, entry map[string]any) (typed, error) {
	rest := maps.Clone(entry)
	take := func(key string) any {
		value := rest[key]
		delete(rest, key)
		return value
	}
	delete(rest, "name")
	in := typed{Name: name, Reach: view.ReachCommand}
	in.Command, in.URL = text(take("command")), text(take("url"))
	if in.URL != "" {
		in.Reach = view.ReachHTTP
	}
	if transport := text(take("transport")); transport == view.ReachSSE {
		in.Reach = view.ReachSSE
	}
	in.Args = argumentLines(texts(take("args")))
	in.Env, in.Headers = pairs(take("env"), "="), pairs(take("headers"), ": ")
	if shared := take("shared"); shared == false {
		in.Seats = view.EachSeat
	}
	in.Optional = strings.Join(texts(take("optional_keys")), "\n")
	if tools, ok := rest["tools"].(map[string]any); ok {
		tools = maps.Clone(tools)
		in.Include, in.Exclude = strings.Join(texts(tools["include"]), "\n"), strings.Join(texts(tools["exclude"]), "\n")
		delete(tools, "include")
		delete(tools, "exclude")
		if rest["tools"] = tools; len(tools) == 0 {
			delete(rest, "tools")
		}
	}
	var err error
	in.More, err = company.WrittenEntry(rest)
	return in, err
}

// argumentLines writes arguments one a line. One that would be read otherwise
// is put in quotes.
func argumentLines(args []string) string {
	out := make([]string, len(args))
	for i, arg := range args {
		odd := arg == "" || arg != strings.TrimSpace(arg) || inQuotes(arg)
		if out[i] = arg; odd || len(args) == 1 && strings.ContainsAny(arg, " \t'\"\\") {
			out[i] = quoted(arg)
		}
	}
	return strings.Join(out, "\n")
}

func quoted(arg string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(arg) + `"`
}

// holds reports whether the form says all that the declaration says. What is
// as usual may be written or not.
func (in typed) holds(entry map[string]any) bool {
	d, err := in.declaration()
	if err != nil {
		return false
	}
	was, err := json.Marshal(unusual(entry))
	if err != nil {
		return false
	}
	var a, b any
	return json.Unmarshal(was, &a) == nil && json.Unmarshal(d.entry, &b) == nil && reflect.DeepEqual(a, b)
}

// unusual is the declaration without what is as usual anyway.
func unusual(entry map[string]any) map[string]any {
	out := maps.Clone(entry)
	delete(out, "name")
	if out["shared"] == true {
		delete(out, "shared")
	}
	if out["transport"] != view.ReachSSE {
		delete(out, "transport")
	}
	for key, value := range out {
		if list, ok := value.([]any); ok && len(list) == 0 {
			delete(out, key)
		}
		if block, ok := value.(map[string]any); ok && len(block) == 0 {
			delete(out, key)
		}
	}
	return out
}

func text(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

func texts(value any) []string {
	list, _ := value.([]any)
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = text(v)
	}
	return out
}

func pairs(value any, between string) string {
	list, _ := value.(map[string]any)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(list)) {
		out = append(out, name+between+text(list[name]))
	}
	return strings.Join(out, "\n")
}
