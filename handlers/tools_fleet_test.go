package handlers

import "crewlet/engine/refusal"

const tools = "/settings/tools"

// onServer is a form on a server's page, written over the newest revision.
func onServer(name, verb string, fields ...string) func(*world) asking {
	return func(w *world) asking {
		return post(tools+"/servers/"+name+"/"+verb, append(fields, "if_match", w.revision(), "summary", "x")...)
	}
}

// sent is a form on a server's page that writes no revision.
func sent(path string) asking { return post(tools + path) }

// asked is a write without a body.
func asked(path string) asking { return asking{method: "POST", path: path} }

// fleetRows are the tools of one server and its tools. What starts or calls a
// child is only refused here: this bench runs none, and the area's own tests
// walk it against real ones.
func fleetRows() []row {
	missing := is(run(`{"name":"none"}`))
	return append(fleetReads(), []row{
		{tool: "switch_mcp_server", door: page, does: onServer("paged", "switch", "enabled", "false"), status: 303, landed: declared, object: "server:paged",
			refuses: onServer("none", "switch", "enabled", "false"), class: refusal.NoSuchEntity},
		{tool: "switch_mcp_server", door: command, does: is(run(`{"name":"paged","enabled":true,"summary":"x"}`)), landed: declared, object: "server:paged",
			refuses: is(run(`{"name":"none","enabled":true,"summary":"x"}`)), class: refusal.NoSuchEntity},
		{tool: "put_mcp_server", door: page, does: onServer("paged", "edit", "name", "paged", "reach", "command", "command", "d"), status: 303,
			landed: declared, object: "server:paged", refuses: onServer("paged", "edit", "name", "paged", "reach", "command"), class: refusal.Invalid,
			unrecorded: true},
		{tool: "rename_mcp_server", door: page, does: onServer("paged", "rename", "to", "turned"), status: 303, landed: declared,
			object: "server:paged", refuses: onServer("paged", "rename", "to", "web"), class: refusal.EntityExists},
		{tool: "remove_mcp_server", door: page, does: onServer("turned", "remove"), status: 303, landed: declared, object: "server:turned",
			refuses: onServer("none", "remove"), class: refusal.NoSuchEntity},
		{tool: "reload_config", door: page, does: is(sent("/reload")), status: 303, landed: wrote, object: "company:",
			refuses: without(sent("/reload")), class: refusal.Forbidden},
		{tool: "restart_mcp_server", door: page, does: is(sent("/servers/web/restart")), status: 303, landed: wrote, object: "server:",
			refuses: is(sent("/servers/none/restart")), class: refusal.NotFound},
		{tool: "restart_mcp_server", door: api, does: is(asked("/config/mcp-servers/web/restart")), landed: wrote, object: "server:",
			refuses: is(asked("/config/mcp-servers/none/restart")), class: refusal.NotFound},
		{tool: "restart_mcp_server", door: command, does: is(run(`{"name":"web"}`)), landed: wrote, object: "server:",
			refuses: missing, class: refusal.NotFound},
		{tool: "rename_seat", door: page, does: is(post("/company/seats/rob/rename", "to", "robin")), status: 303, landed: declared, object: "seat:",
			refuses: without(post("/company/seats/rob/rename", "to", "robin")), class: refusal.Forbidden},
		{tool: "rename_seat", door: command, does: is(run(`{"handle":"ann","to":"anna","summary":"x"}`)), landed: declared, object: "seat:",
			refuses: is(run(`{"handle":"none","to":"nobody","summary":"x"}`)), class: refusal.NoSuchEntity},
		{tool: "rekey_secrets", door: command, does: is(run(`{}`)), landed: counts{Operations: 1, Audit: 1}, outcome: "unchanged", object: "secret:",
			refuses: without(run(`{}`)), class: refusal.Forbidden},
	}...)
}

func fleetReads() []row {
	rows := []row{
		{tool: "get_mcp_server", door: command, does: is(run(`{"name":"web"}`)), refuses: without(run(`{"name":"web"}`))},
		{tool: "get_tool", door: command, does: is(run(`{"name":"get_config"}`)), refuses: without(run(`{"name":"get_config"}`))},
		{tool: "list_tool_calls", door: command, does: is(run(`{}`)), refuses: without(run(`{}`))},
		{tool: "get_tool_call", door: command, refuses: without(run(`{"id":1}`))},
		{tool: "get_tool", door: page, refuses: without(get(tools + "/tool/get_config?said=1"))}, // read first, to draw what was said
		{tool: "tools_overview", door: api, does: is(get("/palette")), refuses: without(get("/palette"))},
		{tool: "call_tool", door: command, refuses: without(run(`{"tool":"x"}`))},
		{tool: "get_tool", door: page, refuses: without(sent("/tool/x"))}, // read first, to draw the call
		{tool: "try_mcp_server", door: command, refuses: without(run(`{"name":"web","entry":{}}`))},
		{tool: "try_mcp_server", door: page, refuses: without(post(tools+"/new/try", "name", "a", "reach", "command", "command", "c"))},
		{tool: "try_mcp_server", door: page, refuses: without(post(tools+"/servers/web/try", "reach", "command", "command", "c"))},
		{tool: "check_mcp_server", door: command, refuses: without(run(`{"name":"web"}`))},
		{tool: "get_config", door: api, does: is(get("/config/mcp-servers/web")), refuses: without(get("/config/mcp-servers/web"))},
		{tool: "check_mcp_server", door: api, refuses: without(asked("/config/mcp-servers/web/check"))},
		{tool: "check_mcp_server", door: page, refuses: without(sent("/servers/web/check"))},
	}
	for path, name := range map[string]string{
		"/servers/web": "get_mcp_server", "/servers/web/edit": "get_config", "/tool/get_config": "get_tool",
	} {
		form := name == "get_config" // not offered to whoever may not send it, and nothing is called
		rows = append(rows, row{tool: name, door: page, does: is(get(tools + path)), refuses: without(get(tools + path)), unrecorded: form})
	}
	return forbidden(rows)
}
