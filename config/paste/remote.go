package paste

import (
	"regexp"
	"slices"
	"strings"
)

var headerArg = regexp.MustCompile(`^([A-Za-z0-9-]+):\s*(\S.*)$`)

// direct reaches an address itself where it was reached through mcp-remote, a
// bridge for clients that only start programs. Its headers stand in the
// command line, where nothing is put in; as headers they can be references.
// Where the bridge is asked for more than that, it stays.
func (r *reading) direct() {
	s := &r.entry.Server
	at := slices.IndexFunc(s.Args, func(arg string) bool { return arg == "mcp-remote" || strings.HasPrefix(arg, "mcp-remote@") })
	if s.URL != "" || at < 0 || at+1 >= len(s.Args) || !strings.Contains(s.Args[at+1], "://") {
		return
	}
	headers, transport, ok := bridged(s.Args[at+2:])
	if !ok {
		return
	}
	for i, h := range headers {
		for _, v := range r.env {
			headers[i].value = strings.ReplaceAll(headers[i].value, "${"+v.key+"}", v.value)
		}
		if headers[i].value != h.value {
			r.env = slices.DeleteFunc(r.env, func(v pair) bool { return strings.Contains(h.value, "${"+v.key+"}") })
		}
	}
	s.URL, s.Command, s.Args = s.Args[at+1], "", nil
	r.headers = append(r.headers, headers...)
	r.written = transport
	r.note("It was reached through mcp-remote, which is a bridge to an address; it is reached directly here.")
}

// bridged reads what mcp-remote is told after the address.
func bridged(args []string) (headers []pair, transport string, ok bool) {
	transport = "http"
	for len(args) > 0 {
		flag := args[0]
		args = args[1:]
		switch {
		case flag == "--allow-http" || flag == "--debug":
		case flag == "--header" && len(args) > 0:
			m := headerArg.FindStringSubmatch(args[0])
			if m == nil {
				return nil, "", false
			}
			headers, args = append(headers, pair{m[1], m[2]}), args[1:]
		case flag == "--transport" && len(args) > 0:
			if strings.HasPrefix(args[0], "sse") {
				transport = "sse"
			}
			args = args[1:]
		default:
			return nil, "", false
		}
	}
	return headers, transport, true
}
