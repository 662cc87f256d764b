package client

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serve is the life of a server that misbehaves in the way of its name.
func serve(name string, args []string) {
	fmt.Fprintln(os.Stderr, "started with token", os.Getenv("TOKEN"))
	f := &faulty{out: bufio.NewWriter(os.Stdout), args: args, listed: []string{tool("echo")}}
	if run, ok := wholes[name]; ok {
		run(f)
		return
	}
	if set, ok := faults[name]; ok {
		set(f)
	}
	f.loop()
}

// faulty is a server of the older era, written by hand so that it can do what
// no library would.
type faulty struct {
	out    *bufio.Writer
	args   []string
	listed []string // tools, as JSON
	calls  int

	discover   func(id string) bool    // true: dealt with
	before     func()                  // before each answer
	unknown    func(id string)         // answers what it does not know
	list       func(cursor string) any // result of tools/list
	call       func(id, name string) bool
	deafAfter  string // stop reading after this method
	initResult string
	initialize func(id string)
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name   string `json:"name"`
		Cursor string `json:"cursor"`
	} `json:"params"`
}

func (f *faulty) loop() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(line, &m) == nil && len(m.ID) > 0 {
			f.answer(m)
		}
		if f.deafAfter != "" && m.Method == f.deafAfter {
			forever()
		}
	}
}

func (f *faulty) answer(m message) {
	id := string(m.ID)
	if f.before != nil {
		f.before()
	}
	switch m.Method {
	case "server/discover":
		if f.discover == nil || !f.discover(id) {
			f.notKnown(id)
		}
	case "initialize":
		f.greet(id)
	case "tools/list":
		if f.list != nil {
			text, _ := json.Marshal(f.list(m.Params.Cursor))
			f.send(id, string(text))
			return
		}
		f.send(id, `{"tools":[`+strings.Join(f.listed, ",")+`]}`)
	case "tools/call":
		f.calls++
		if f.call == nil || !f.call(id, m.Params.Name) {
			f.say(id, m.Params.Name+" "+strconv.Itoa(f.calls))
		}
	default:
		f.notKnown(id)
	}
}

func (f *faulty) greet(id string) {
	if f.initialize != nil {
		f.initialize(id)
		return
	}
	result := f.initResult
	if result == "" {
		result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"prompts":{}},"serverInfo":{"name":"faulty","version":"1.2"},"instructions":"Be kind."}`
	}
	f.send(id, result)
}

func (f *faulty) notKnown(id string) {
	if f.unknown != nil {
		f.unknown(id)
		return
	}
	f.notKnownAtAll(id)
}

func (f *faulty) notKnownAtAll(id string) {
	f.line(`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32601,"message":"no such method"}}`)
}

func (f *faulty) send(id, result string) {
	f.line(`{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`)
}

func (f *faulty) say(id, text string) {
	quoted, _ := json.Marshal(text)
	f.send(id, `{"content":[{"type":"text","text":`+string(quoted)+`}]}`)
}

func (f *faulty) line(text string) {
	_, _ = f.out.WriteString(text + "\n")
	_ = f.out.Flush()
}

func (f *faulty) notify(method string) { f.line(`{"jsonrpc":"2.0","method":"` + method + `"}`) }

func tool(name string) string {
	return `{"name":"` + name + `","description":"d","inputSchema":{"type":"object"}}`
}

// forever waits for the end that others bring.
func forever() {
	for range time.Tick(time.Hour) {
	}
}

// wholes are those that do not serve by the loop at all.
var wholes = map[string]func(*faulty){
	"never": func(*faulty) {
		fmt.Fprintln(os.Stderr, "waiting for a licence")
		forever()
	},
	"stubborn": func(*faulty) { // once listed, it ignores TERM and its input's end
		f := &faulty{out: bufio.NewWriter(os.Stdout)}
		f.list = func(string) any {
			signal.Ignore(syscall.SIGTERM)
			return map[string]any{"tools": []json.RawMessage{json.RawMessage(tool("echo"))}}
		}
		f.loop()
		forever()
	},
	"sleeper": func(*faulty) {
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
		forever()
	},
	"garbage": func(f *faulty) { // speaks, but never the protocol
		f.line("Welcome! Your token is " + os.Getenv("TOKEN") + strings.Repeat(".", 300))
		f.line("press any key")
		forever()
	},
	"usage": func(f *faulty) {
		f.line("usage: server --port PORT")
		os.Exit(2)
	},
	"broken": func(*faulty) {
		fmt.Fprintln(os.Stderr, "no database configured")
		os.Exit(3)
	},
	"modern": func(*faulty) {
		s := mcp.NewServer(&mcp.Implementation{Name: "modern", Version: "2"}, nil)
		type in struct {
			Text string `json:"text"`
		}
		mcp.AddTool(s, &mcp.Tool{Name: "shout", Description: "d"}, func(_ context.Context, _ *mcp.CallToolRequest, a in) (*mcp.CallToolResult, any, error) {
			if a.Text == "grow" {
				mcp.AddTool(s, &mcp.Tool{Name: "grown"}, func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, any, error) {
					return nil, nil, nil
				})
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.ToUpper(a.Text)}}}, nil, nil
		})
		_ = s.Run(context.Background(), &mcp.StdioTransport{})
	},
}

// spawnSleeper starts a grandchild that ignores every polite signal.
func spawnSleeper(setsid bool) {
	c := exec.Command(os.Args[0], "server", "sleeper")
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: setsid}
	if err := c.Start(); err != nil {
		panic(err)
	}
}
