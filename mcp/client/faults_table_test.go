package client

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// referring is a schema with references: to itself, to a part of it, to
// nothing, and to somebody else's address, which nobody is to ask.
const referring = `{"type":"object","properties":{"next":{"$ref":"#"},"one":{"$ref":"#/$defs/one"},"none":{"$ref":"#/$defs/none"},"far":{"$ref":"https://schemas.invalid/a.json"}},"$defs":{"one":{"type":"string"}}}`

// faults are the ways in which a server that does serve misbehaves.
var faults = map[string]func(*faulty){
	"stray": func(f *faulty) {
		f.line("\uFEFFstarting up, please wait\n\n{\"level\":\"info\"}\n{broken\n[1,2]\n42")
		f.before = func() {
			_, _ = f.out.WriteString("{\"level\":\"debug\",\"msg\":\"got one for " + os.Getenv("TOKEN") + "\"}\nworking… 50% ")
		}
	},
	"batch": func(f *faulty) {
		f.call = func(id, _ string) bool {
			f.line("\uFEFF" + `[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}},` +
				`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"from a batch"}]}}]` + "\r")
			return true
		}
	},
	"flood": func(f *faulty) {
		line := strings.Repeat("x", 99)
		for i := range 10_000 { // 1 MB
			fmt.Fprintln(os.Stderr, i, line)
		}
		f.call = func(string, string) bool { os.Exit(7); return true }
	},
	"mute-discover": func(f *faulty) { f.discover = func(string) bool { return true } },
	"exit-discover": func(f *faulty) { f.discover = func(string) bool { os.Exit(4); return true } },
	"empty-unknown": func(f *faulty) { f.unknown = func(id string) { f.send(id, "{}") } },
	"slow-modern": func(f *faulty) { // its first child is too slow for the probe, and it knows no initialize
		f.discover = func(id string) bool {
			if _, err := os.Stat(f.args[0]); err != nil {
				_ = os.WriteFile(f.args[0], nil, 0o600)
				return true
			}
			f.send(id, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
			return true
		}
		f.initialize = f.notKnown
	},
	"refuses": func(f *faulty) {
		f.initResult = `{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"old","version":"0"}}`
	},
	"grandchild":        func(*faulty) { spawnSleeper(false) },
	"setsid-grandchild": func(*faulty) { spawnSleeper(true) },
	"dies-every": func(f *faulty) {
		every, _ := strconv.Atoi(f.args[0])
		f.call = func(string, string) bool {
			if f.calls >= every {
				os.Exit(9)
			}
			return false
		}
	},
	"odd-tools": func(f *faulty) {
		f.listed = []string{
			tool("echo"), tool("echo"), tool("constructor"), tool("__proto__"), tool("dotted.name"), tool("naïve 名前"),
			tool(strings.Repeat("n", 129)),
			`{"name":"oneof","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","oneOf":[{"required":["b"]},{"required":["a"]}],"properties":{"n":{"const":9007199254740993}}},"annotations":{"readOnlyHint":true,"destructiveHint":"no","title":"One of"}}`,
			`{"name":"referring","inputSchema":` + referring + `}`,
			`{"name":"referred","inputSchema":{"$ref":"#/$defs/in","$defs":{"in":{"type":"object"}}}}`,
			`{"name":"typeless","inputSchema":{}}`,
			`{"name":"listtype","inputSchema":{"type":["object","null"]}}`,
			`{"name":"badtype","inputSchema":{"type":"object","properties":{"a":{"type":"strin"}}}}`,
			`{"name":"notobject","inputSchema":{"type":"string"}}`,
			`{"name":"noschema"}`,
			`{"name":"badshape","inputSchema":{"type":"object","properties":[]}}`,
			`{"name":"oddtext","description":7,"inputSchema":{"type":"object"}}`,
			`{"name":"huge","inputSchema":{"type":"object","description":"` + strings.Repeat("x", 1<<20) + `"}}`,
			`{"name":7}`, `"a string"`, `{"inputSchema":{"type":"object"}}`,
		}
	},
	"many-tools": func(f *faulty) {
		f.list = func(cursor string) any {
			page, _ := strconv.Atoi(cursor)
			var tools []json.RawMessage
			for i := range 1000 {
				tools = append(tools, json.RawMessage(tool(fmt.Sprintf("t%d", page*1000+i))))
			}
			out := map[string]any{"tools": tools}
			if page < 9 {
				out["nextCursor"] = strconv.Itoa(page + 1)
			}
			return out
		}
	},
	"stuck-cursor": func(f *faulty) {
		f.list = func(string) any {
			return map[string]any{"tools": []json.RawMessage{json.RawMessage(tool("echo"))}, "nextCursor": "again"}
		}
	},
	"endless-cursor": func(f *faulty) {
		pages := 0
		f.list = func(string) any {
			pages++
			return map[string]any{"tools": []json.RawMessage{json.RawMessage(tool("echo"))}, "nextCursor": strconv.Itoa(pages)}
		}
	},
	"no-tools-field": func(f *faulty) { f.list = func(string) any { return map[string]any{} } },
	"storm": func(f *faulty) {
		lists := 0
		f.list = func(string) any {
			lists++
			fmt.Fprintln(os.Stderr, "listing", lists)
			var tools []json.RawMessage
			for _, t := range f.listed {
				tools = append(tools, json.RawMessage(t))
			}
			return map[string]any{"tools": tools}
		}
		f.call = func(id, name string) bool {
			if name == "grow" {
				f.listed = append(f.listed, tool("grown"))
			}
			for range 500 {
				f.notify("notifications/tools/list_changed")
			}
			f.say(id, strconv.Itoa(lists))
			return true
		}
	},
	"env": func(f *faulty) {
		env := strings.Join(os.Environ(), "\n")
		fmt.Fprintln(os.Stderr, env)
		quoted, _ := json.Marshal(env)
		f.listed = append(f.listed, `{"name":"leaky","description":`+string(quoted)+`,"inputSchema":{"type":"object"}}`)
		f.call = func(id, name string) bool {
			switch name {
			case "refuse":
				f.line(`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32042,"message":` + string(quoted) + `,"data":{"env":` + string(quoted) + `}}}`)
			case "die":
				fmt.Fprintln(os.Stderr, env)
				os.Exit(5)
			default:
				f.say(id, env)
			}
			return true
		}
	},
	"leaky": func(f *faulty) {
		token := os.Getenv("TOKEN")
		f.list = func(cursor string) any {
			if cursor == "after "+token {
				return map[string]any{"tools": []json.RawMessage{json.RawMessage(tool("second"))}}
			}
			return map[string]any{"tools": []json.RawMessage{json.RawMessage(tool("first"))}, "nextCursor": "after " + token}
		}
		f.call = func(string, string) bool {
			f.line(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"call-1","progress":1,"message":"using ` + token + `"}}`)
			return true
		}
	},
	"pinged": func(f *faulty) {
		f.unknown = func(id string) {
			fmt.Fprintln(os.Stderr, "pinged")
			f.notKnownAtAll(id)
		}
	},
	"deaf":     func(f *faulty) { f.deafAfter = "tools/list" },
	"endless":  func(f *faulty) { f.call = func(string, string) bool { fmt.Fprintln(os.Stderr, "called"); return true } },
	"closes":   func(f *faulty) { f.call = func(string, string) bool { _ = os.Stdout.Close(); forever(); return true } },
	"fat":      func(f *faulty) { f.call = fatAnswer(f) },
	"rich":     func(f *faulty) { f.call = richAnswer(f) },
	"shuts-up": func(f *faulty) { f.call = func(string, string) bool { os.Exit(0); return true } },
}

// fatAnswer answers with as many MiB as the tool's name says.
func fatAnswer(f *faulty) func(id, name string) bool {
	return func(id, name string) bool {
		mib, _ := strconv.Atoi(name)
		f.say(id, strings.Repeat("x", mib<<20))
		return true
	}
}

// richAnswer holds what the SDK's own types would lose or refuse.
func richAnswer(f *faulty) func(id, name string) bool {
	return func(id, _ string) bool {
		f.send(id, `{"content":[{"type":"hologram","beam":1},{"type":"image","data":"AAAA","mimeType":"image/png"}],"structuredContent":{"n":9007199254740993},"later":true,"isError":true}`)
		return true
	}
}
