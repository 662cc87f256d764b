package handlers

import (
	"encoding/json"
	"strconv"

	"crewlet/engine/refusal"
)

// revision is the newest revision of the document.
func (w *world) revision() string {
	w.t.Helper()
	var id int64
	w.must(w.DB.GetContext(w.t.Context(), &id, `SELECT revision FROM company_head`))
	return strconv.FormatInt(id, 10)
}

// over is a write of the newest revision by a program.
func over(method, path, body, kind string, more map[string]string) func(*world) asking {
	return func(w *world) asking {
		a := asking{method: method, path: path, body: body, headers: map[string]string{"If-Match": w.revision(), "Content-Type": kind}}
		for name, value := range more {
			a.headers[name] = value
		}
		return a
	}
}

// declared is what a change of a server leaves: the document's row and its own.
var declared = counts{Operations: 1, Changes: 2, Audit: 1}

const (
	yaml   = "application/yaml"
	asJSON = "application/json"
	editor = "/settings/configuration"
)

// other is a document of its own for each door.
func other(mission string) string { return document + "vision: " + mission + "\n" }

func edited(text string) func(*world) asking {
	return func(w *world) asking {
		return post(editor, "text", text, "summary", "x", "if_match", w.revision())
	}
}

// wroteConfig runs write_config with a text.
func wroteConfig(text string) func(*world) asking {
	return func(w *world) asking {
		quoted, err := json.Marshal(text)
		w.must(err)
		return run(`{"text":` + string(quoted) + `,"summary":"x","if_match":` + w.revision() + `}`)
	}
}

func reverted(to string) func(*world) asking {
	return func(w *world) asking {
		return post(editor+"/revisions/"+to+"/revert", "summary", "x", "if_match", w.revision())
	}
}

func companyRows() []row {
	fresh := map[string]string{"If-None-Match": "*", "If-Match": ""}
	return append(companyReads(), []row{
		{tool: "write_config", door: page, does: edited(other("page")), status: 303, landed: wrote, object: "company:",
			refuses: edited("nam: A\n"), class: refusal.Invalid},
		{tool: "write_config", door: api, does: over("PUT", "/config", other("api"), yaml, nil), landed: wrote, object: "company:",
			refuses: over("PUT", "/config", "nam: A\n", yaml, nil), class: refusal.Invalid},
		{tool: "write_config", door: command, does: wroteConfig(other("command")), landed: wrote, object: "company:",
			refuses: wroteConfig("nam: A\n"), class: refusal.Invalid},
		{tool: "edit_config", door: api, does: over("PATCH", "/config", `{"edits":[{"op":"replace","path":"/mission","value":"new"}]}`, asJSON, nil),
			landed: wrote, object: "company:",
			refuses: over("PATCH", "/config", `{"edits":[{"op":"replace","path":"/nowhere","value":"new"}]}`, asJSON, nil), class: refusal.Invalid},
		{tool: "reload_config", door: api, does: is(asking{method: "POST", path: "/config/reload"}), landed: wrote, object: "company:",
			refuses: without(asking{method: "POST", path: "/config/reload"}), class: refusal.Forbidden},
		{tool: "revert_config", door: page, does: reverted("1"), status: 303, landed: wrote, object: "company:",
			refuses: reverted("99"), class: refusal.NotFound},
		{tool: "revert_config", door: api, does: over("POST", "/config/revisions/2/revert", "", asJSON, nil), landed: wrote, object: "company:",
			refuses: over("POST", "/config/revisions/99/revert", "", asJSON, nil), class: refusal.NotFound},
		{tool: "put_mcp_server", door: page, does: is(post("/settings/tools/new", "name", "paged", "command", "c")),
			status: 303, landed: declared, object: "server:paged",
			refuses: is(post("/settings/tools/new", "name", "Bad Name", "command", "c")), class: refusal.Invalid},
		{tool: "put_mcp_server", door: api, does: over("PUT", "/config/mcp-servers/put", `{"command":"c"}`, asJSON, fresh),
			status: 201, landed: declared, object: "server:put",
			refuses: over("PUT", "/config/mcp-servers/web", `{"command":"c"}`, asJSON, fresh), class: refusal.EntityExists},
		{tool: "rename_mcp_server", door: api, does: over("POST", "/config/mcp-servers/put/rename", `{"to":"moved"}`, asJSON, nil),
			landed: declared, object: "server:put",
			refuses: over("POST", "/config/mcp-servers/put/rename", `{"to":"web"}`, asJSON, nil), class: refusal.EntityExists},
		{tool: "rename_seat", door: api, does: over("POST", "/config/seats/bob/rename", `{"to":"rob"}`, asJSON, nil), landed: declared, object: "seat:bob",
			refuses: over("POST", "/config/seats/bob/rename", `{"to":"me"}`, asJSON, nil), class: refusal.Invalid},
		{tool: "remove_mcp_server", door: api, does: over("DELETE", "/config/mcp-servers/moved", "", asJSON, nil), landed: declared, object: "server:moved",
			refuses: over("DELETE", "/config/mcp-servers/none", "", asJSON, nil), class: refusal.NoSuchEntity},
	}...)
}

func companyReads() []row {
	rows := []row{
		{tool: "diff_revisions", door: api, does: is(get("/config/revisions/1/diff")), refuses: without(get("/config/revisions/1/diff"))},
		{tool: "get_config", door: command, does: is(run("{}")), refuses: without(run("{}"))},
	}
	for path, tool := range map[string]string{
		"/company": "get_company", editor: "get_config", editor + "/revisions": "list_revisions", editor + "/revisions/1": "get_revision",
	} {
		rows = append(rows, row{tool: tool, door: page, does: is(get(path)), refuses: without(get(path))})
	}
	for path, tool := range map[string]string{
		"/config": "get_config", "/config/references": "list_references", "/config/revisions": "list_revisions", "/config/revisions/1": "get_revision",
	} {
		rows = append(rows, row{tool: tool, door: api, does: is(get(path)), refuses: without(get(path))})
	}
	return forbidden(rows)
}

// forbidden marks reads: whoever may not look is told so, and recorded.
func forbidden(rows []row) []row {
	for i := range rows {
		rows[i].class = refusal.Forbidden
	}
	return rows
}

func secretRows() []row {
	return append(forbidden([]row{
		{tool: "list_secrets", door: page, does: is(get("/settings/secrets")), refuses: without(get("/settings/secrets"))},
		{tool: "list_secrets", door: api, does: is(get("/secrets")), refuses: without(get("/secrets"))},
		{tool: "list_secrets", door: command, does: is(run("{}")), refuses: without(run("{}"))},
	}), []row{
		{tool: "set_secret", door: page, does: is(post("/settings/secrets", "name", "PAGED", "value", "v")), status: 303, landed: wrote,
			object: "secret:PAGED", refuses: is(post("/settings/secrets", "name", "no-name", "value", "v")), class: refusal.Invalid},
		{tool: "set_secret", door: api, does: is(asking{method: "PUT", path: "/secrets/PUT", body: "v"}), landed: wrote, object: "secret:PUT",
			refuses: is(asking{method: "PUT", path: "/secrets/no-name", body: "v"}), class: refusal.Invalid},
		{tool: "set_secret", door: command, does: is(run(`{"name":"SAID","value":"v"}`)), landed: wrote, object: "secret:SAID",
			refuses: is(run(`{"name":"SAID","value":""}`)), class: refusal.Invalid},
		{tool: "delete_secret", door: page, does: is(post("/settings/secrets/PAGED/delete")), status: 303, landed: wrote, object: "secret:PAGED",
			refuses: is(post("/settings/secrets/NONE/delete")), class: refusal.NotFound},
		{tool: "delete_secret", door: api, does: is(asking{method: "DELETE", path: "/secrets/PUT"}), landed: wrote, object: "secret:PUT",
			refuses: is(asking{method: "DELETE", path: "/secrets/NONE"}), class: refusal.NotFound},
		{tool: "delete_secret", door: command, does: is(run(`{"name":"SAID"}`)), landed: wrote, object: "secret:SAID",
			refuses: is(run(`{"nam":"SAID"}`)), class: refusal.Invalid},
	}...)
}

// serverID is the id of the declared server.
func (w *world) serverID() string {
	w.t.Helper()
	var id string
	w.must(w.DB.GetContext(w.t.Context(), &id, `SELECT id FROM mcp_servers WHERE name = 'web'`))
	return id
}

const aNode = `INSERT INTO nodes (id, name, url, version, started_at, seen_at) VALUES ('n', 'n', '', '', now(), now()) ON CONFLICT DO NOTHING`

func serverRows() []row {
	engine := func(args string) func(*world) asking {
		return func(w *world) asking {
			w.write(aNode)
			return run(`{"server":"` + w.serverID() + `",` + args + `}`)
		}
	}
	return forbidden([]row{
		{tool: "list_audit", door: page, does: is(get("/settings/audit")), refuses: without(get("/settings/audit"))},
		{tool: "list_audit", door: page, does: is(get("/settings/audit.csv")), refuses: without(get("/settings/audit.csv"))},
		{tool: "list_changes", door: api, does: is(get("/changes?limit=1")), refuses: without(get("/changes"))},
		{tool: "list_mcp_servers", door: api, does: is(get("/mcp-servers")), refuses: without(get("/mcp-servers"))},
		{tool: "list_tools", door: api, does: is(get("/tools")), refuses: without(get("/tools"))},
		{tool: "tools_overview", door: page, does: is(get("/settings/tools")), refuses: without(get("/settings/tools"))},
		{tool: "record_server_state", door: system, does: engine(`"node":"n","name":"web","state":"running","since":"2026-01-02T03:04:05Z"`),
			landed: wroteSelf, refuses: without(run(`{}`))},
		{tool: "file_catalogue", door: system, does: engine(`"name":"web","digest":"d","declared":[],"tools":[{"name":"t","input_schema":{}}]`),
			landed: wroteSelf, refuses: without(run(`{}`))},
		{tool: "name_tools", door: system, does: is(run(`{"declared":[]}`)), landed: counts{Operations: 1}, refuses: without(run(`{}`))},
		{tool: "record_reload", door: system, does: is(run(`{"node":"n","reload":1,"started":[],"restarted":[],"tried":[],"stayed":[],"stopped":[],"held":[]}`)),
			landed: wroteSelf, refuses: without(run(`{}`))},
		{tool: "record_apply", door: system, does: is(run(`{"node":"n","revision":1}`)), landed: wroteSelf, refuses: without(run(`{}`))},
	})
}
