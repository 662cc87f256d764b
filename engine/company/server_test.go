package company_test

import (
	"encoding/json"
	"strings"
	"testing"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func (h house) put(t *testing.T, in company.PutServer) (company.Written, error) {
	t.Helper()
	in.Summary = "Because"
	return tool.Do(t.Context(), h.run, h.PutServer, ana(), in)
}

func TestAServerIsDeclared(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after string }{
		"the first":      {small, "name: Acme\nmcp_servers:\n  - name: everything\n    command: npx\n    args: [\""},
		"after others":   {two, two + "  - name: everything\n    command: npx\n    args: [\""},
		"CRLF":           {"name: Acme\r\n", "name: Acme\r\nmcp_servers:\r\n  - name: everything\r\n    command: npx\r\n    args: [\""},
		"with a comment": {"name: Acme\nmcp_servers: [] # none yet\n", "name: Acme\nmcp_servers: # none yet\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := begun(t, c.before)
			entry := json.RawMessage(`{"command":"npx","args":["-y","@modelcontextprotocol/server-everything"],"env":{"A":"${SEALED}"}}`)
			out, err := h.put(t, company.PutServer{Name: "everything", Entry: entry, Create: true})
			if err != nil || out.RevisionID != 2 || !out.Created || len(out.Warnings) != 0 {
				t.Fatalf("got %+v %v", out, err)
			}
			rev, doc, servers, _, err := h.Current(t.Context(), h.run.DB)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(rev.Text, c.after) {
				t.Errorf("the text is\n%s", rev.Text)
			}
			s, ok := doc.Server("everything")
			if !ok || s.Command != "npx" || len(s.Args) != 2 || s.Env["A"] != "${SEALED}" || servers["everything"] == "" {
				t.Errorf("got %+v", s)
			}
		})
	}
}

func TestAServerIsReplaced(t *testing.T) {
	t.Parallel()
	h := begun(t, two)
	_, was, _ := h.now(t)
	out, err := h.put(t, company.PutServer{Name: "files", Entry: json.RawMessage(`{"command":"other","timeout":"90s"}`), Writing: company.Writing{IfMatch: 1}})
	if err != nil || out.RevisionID != 2 || out.Created {
		t.Fatalf("got %+v %v", out, err)
	}
	rev, doc, is, _, _ := h.Current(t.Context(), h.run.DB)
	if s, _ := doc.Server("files"); s.Command != "other" || is["files"] != was["files"] {
		t.Errorf("got %+v %v", s, is)
	}
	if !strings.Contains(rev.Text, "name: Acme # the company") || !strings.Contains(rev.Text, "  - name: web   # reads the web\n") {
		t.Errorf("the text is\n%s", rev.Text)
	}
}

func TestADeclarationIsRefused(t *testing.T) {
	t.Parallel()
	h := begun(t, two)
	over := company.Writing{IfMatch: 1}
	for name, c := range map[string]struct {
		in    company.PutServer
		class refusal.Class
		field string
	}{
		"a new one of a taken name":   {company.PutServer{Name: "web", Entry: json.RawMessage(`{"command":"c"}`), Create: true}, refusal.EntityExists, "name"},
		"replacing nothing":           {company.PutServer{Name: "none", Entry: json.RawMessage(`{"command":"c"}`)}, refusal.NoSuchEntity, "name"},
		"replacing over nothing":      {company.PutServer{Name: "web", Entry: json.RawMessage(`{"command":"c"}`)}, refusal.Invalid, "if_match"},
		"a new one over an old state": {company.PutServer{Name: "new", Entry: json.RawMessage(`{"command":"c"}`), Create: true, Writing: company.Writing{IfMatch: 7}}, refusal.RevisionAdvanced, ""},
		"a list":                      {company.PutServer{Name: "web", Entry: json.RawMessage(`[1]`), Writing: over}, refusal.Invalid, "entry"},
		"null":                        {company.PutServer{Name: "web", Entry: json.RawMessage(`null`), Writing: over}, refusal.Invalid, "entry"},
		"nothing to run":              {company.PutServer{Name: "new", Entry: json.RawMessage(`{}`), Create: true}, refusal.Invalid, "entry"},
		"an unknown key":              {company.PutServer{Name: "new", Entry: json.RawMessage(`{"comand":"c"}`), Create: true}, refusal.Invalid, "comand"},
		"a wrong type":                {company.PutServer{Name: "new", Entry: json.RawMessage(`{"command":"c","args":"x"}`), Create: true}, refusal.Invalid, "args"},
		"a wrong name":                {company.PutServer{Name: "No Name", Entry: json.RawMessage(`{"command":"c"}`), Create: true}, refusal.Invalid, "name"},
		"another name inside":         {company.PutServer{Name: "new", Entry: json.RawMessage(`{"name":"old","command":"c"}`), Create: true}, refusal.Invalid, "name"},
		"a NUL inside":                {company.PutServer{Name: "new", Entry: json.RawMessage(`{"command":"c\u0000"}`), Create: true}, refusal.Invalid, "command"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := h.put(t, c.in)
			no := refusal.Of(err)
			if no == nil || no.Class != c.class || c.field != "" && no.Fields[c.field] == "" {
				t.Fatalf("got %v beside %v", err, refusal.Of(err).Fields)
			}
			if rev, _, _ := h.now(t); rev.ID != 1 {
				t.Errorf("revision %d was written", rev.ID)
			}
		})
	}
}

// No place of the document is named that nobody wrote.
func TestAKeyThatStandsTwiceIsTold(t *testing.T) {
	t.Parallel()
	h := begun(t, two)
	_, err := h.put(t, company.PutServer{Name: "new", Entry: json.RawMessage(`{"command":"c","command":"d"}`), Create: true})
	if no := refusal.Of(err); no == nil || no.Fields["entry"] != `The key "command" stands in it twice.` {
		t.Errorf("got %v", err)
	}
}

const perSeat = `name: Acme
units:
  - name: Engineering
    mcp_env:
      git: {TOKEN: "${UNIT}"} # the unit's
    roles:
      - name: Lead
        handle: lead
        mcp_env:
          git:
            TOKEN: ${SEALED}
        tools:
          - {server: git, tools: [read]}
          - {server: files, tools: "*"}
mcp_servers:
  - name: git
    command: git-server
    shared: false
    env: {TOKEN: "${SEALED}"}
  - {name: files, command: f}
`

func TestAServerIsRemovedWithWhatNamesIt(t *testing.T) {
	t.Parallel()
	h := begun(t, perSeat)
	in := company.RemoveServer{Name: "git", Writing: company.Writing{IfMatch: 1, Summary: "Gone"}}
	_, err := tool.Do(t.Context(), h.run, h.RemoveServer, ana(), in)
	places, _ := refusal.Of(err).Details["references"].([]string)
	if !refusal.Is(err, refusal.StillReferenced) || len(places) != 3 {
		t.Fatalf("got %v %v", err, places)
	}
	in.WithReferences = true
	if _, err := tool.Do(t.Context(), h.run, h.RemoveServer, ana(), in); err != nil {
		t.Fatal(err)
	}
	rev, _, servers, _, _ := h.Current(t.Context(), h.run.DB)
	if strings.Contains(rev.Text, "git") || servers["git"] != "" || !strings.Contains(rev.Text, "{server: files, tools: \"*\"}") {
		t.Errorf("the text is\n%s", rev.Text)
	}
	_, err = tool.Do(t.Context(), h.run, h.RemoveServer, ana(), company.RemoveServer{Name: "git", Writing: company.Writing{Summary: "x"}})
	if !refusal.Is(err, refusal.NoSuchEntity) {
		t.Errorf("again: %v", err)
	}
}

func TestARenameReachesEveryPlace(t *testing.T) {
	t.Parallel()
	h := begun(t, perSeat)
	_, err := tool.Do(t.Context(), h.run, h.RenameServer, ana(), company.RenameServer{Name: "git", To: "code", Writing: company.Writing{Summary: "Clearer"}})
	if err != nil {
		t.Fatal(err)
	}
	rev, _, _ := h.now(t)
	want := strings.NewReplacer("git:", "code:", "server: git,", "server: code,", "name: git\n", "name: code\n").Replace(perSeat)
	if rev.Text != want {
		t.Errorf("the text is\n%s", rev.Text)
	}
}

func TestEditsKeepEveryOtherByte(t *testing.T) {
	t.Parallel()
	h := begun(t, two)
	edits := []company.Edit{
		{Op: "replace", Path: "/mcp_servers/1/command", Value: json.RawMessage(`"faster"`)},
		{Op: "add", Path: "/mcp_servers/0/args", Value: json.RawMessage(`["-v"]`)},
		{Op: "remove", Path: "/mcp_servers/1/args"},
	}
	_, err := tool.Do(t.Context(), h.run, h.EditConfig, ana(), company.EditConfig{Edits: edits, Writing: company.Writing{IfMatch: 1, Summary: "Tune"}})
	if err != nil {
		t.Fatal(err)
	}
	rev, doc, _, _, _ := h.Current(t.Context(), h.run.DB)
	if web, _ := doc.Server("web"); web.Command != "faster" || len(web.Args) != 0 || len(doc.MCPServers[0].Args) != 1 {
		t.Errorf("got %+v", doc.MCPServers)
	}
	if !strings.Contains(rev.Text, "name: Acme # the company\n") || !strings.Contains(rev.Text, "- name: web   # reads the web\n") {
		t.Errorf("the text is\n%s", rev.Text)
	}
}

func TestAnEditIsRefused(t *testing.T) {
	t.Parallel()
	h := begun(t, two)
	for name, edit := range map[string]company.Edit{
		"no such place":      {Op: "replace", Path: "/mcp_servers/7/command", Value: json.RawMessage(`"x"`)},
		"no such operation":  {Op: "paint", Path: "/name", Value: json.RawMessage(`"x"`)},
		"no value":           {Op: "add", Path: "/mission"},
		"a value to remove":  {Op: "remove", Path: "/mcp_servers", Value: json.RawMessage(`1`)},
		"no path":            {Op: "remove"},
		"against the rules":  {Op: "add", Path: "/mision", Value: json.RawMessage(`"x"`)},
		"taking out a need":  {Op: "remove", Path: "/name"},
		"no name to rename":  {Op: "rename", Path: "/name"},
		"a path not rooted":  {Op: "remove", Path: "mcp_servers"},
		"an entry of a text": {Op: "add", Path: "/name/-", Value: json.RawMessage(`1`)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tool.Do(t.Context(), h.run, h.EditConfig, ana(), company.EditConfig{Edits: []company.Edit{edit}, Writing: company.Writing{IfMatch: 1, Summary: "x"}})
			if !refusal.Is(err, refusal.Invalid) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A revision that is named must be the newest, whatever the write; where none
// is named, a write of one thing is made over the newest, one after the other.
func TestEveryWriteIsCompared(t *testing.T) {
	t.Parallel()
	h := begun(t, two+"roles: [{name: Bob}]\n")
	h.mustWrite(t, 1, two+"# more\nroles: [{name: Bob}]\n")
	for name, write := range map[string]func(company.Writing) error{
		"the text": func(w company.Writing) error {
			_, err := tool.Do(t.Context(), h.run, h.WriteConfig, ana(), company.WriteConfig{Text: small, Writing: w})
			return err
		},
		"an edit": func(w company.Writing) error {
			in := company.EditConfig{Edits: []company.Edit{{Op: "remove", Path: "/roles"}}, Writing: w}
			_, err := tool.Do(t.Context(), h.run, h.EditConfig, ana(), in)
			return err
		},
		"going back": func(w company.Writing) error {
			_, err := tool.Do(t.Context(), h.run, h.RevertConfig, ana(), company.RevertConfig{To: 1, Writing: w})
			return err
		},
		"a server": func(w company.Writing) error {
			_, err := h.put(t, company.PutServer{Name: "web", Entry: json.RawMessage(`{"command":"c"}`), Writing: w})
			return err
		},
		"a new server": func(w company.Writing) error {
			_, err := h.put(t, company.PutServer{Name: "new", Entry: json.RawMessage(`{"command":"c"}`), Create: true, Writing: w})
			return err
		},
		"a server's name": func(w company.Writing) error {
			_, err := tool.Do(t.Context(), h.run, h.RenameServer, ana(), company.RenameServer{Name: "web", To: "net", Writing: w})
			return err
		},
		"a server's switch": func(w company.Writing) error {
			_, err := tool.Do(t.Context(), h.run, h.SwitchServer, ana(), company.SwitchServer{Name: "web", Writing: w})
			return err
		},
		"a server's end": func(w company.Writing) error {
			_, err := tool.Do(t.Context(), h.run, h.RemoveServer, ana(), company.RemoveServer{Name: "web", Writing: w})
			return err
		},
		"a seat's handle": func(w company.Writing) error {
			_, err := tool.Do(t.Context(), h.run, h.RenameSeat, ana(), company.RenameSeat{Handle: "bob", To: "rob", Writing: w})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := write(company.Writing{IfMatch: 1, Summary: "x"}); !refusal.Is(err, refusal.RevisionAdvanced) {
				t.Errorf("over revision 1: %v", err)
			}
			whole := name == "the text" || name == "an edit" || name == "going back" || name == "a server"
			err := write(company.Writing{Summary: "x", DryRun: true})
			if no := refusal.Of(err); whole && (no == nil || no.Class != refusal.Invalid || no.Fields["if_match"] == "") || !whole && err != nil {
				t.Errorf("over none: %v", err)
			}
		})
	}
}
