package company_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crewlet/engine/company"
	"crewlet/engine/tool"
)

func TestWarningsNameWhatDoesNotResolve(t *testing.T) {
	t.Parallel()
	h := begun(t, small)
	out, err := h.write(t, 1, `name: Acme
mcp_servers:
  - name: one
    command: c
    env:
      A: ${SEALED}
      B: ${EXPORTED}
      C: ${NOWHERE}
      D: ${MAYBE}
    optional_keys: [D]
`)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Warnings) != 1 || out.Warnings[0].Name != "NOWHERE" || out.Warnings[0].Line != 8 || !strings.Contains(out.Warnings[0].Message, "one is held back") {
		t.Errorf("got %+v", out.Warnings)
	}
	refs, err := tool.Do(t.Context(), h.run, h.ListReferences, ana(), company.ListReferences{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range refs.References {
		got = append(got, fmt.Sprintf("%s %v %v %s", r.Name, r.Stored, r.Environment, r.Places[0].Path))
	}
	want := []string{
		"EXPORTED false true mcp_servers[0].env.B", "MAYBE false false mcp_servers[0].env.D",
		"NOWHERE false false mcp_servers[0].env.C", "SEALED true false mcp_servers[0].env.A",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestTheLogTellsWhatARevisionChanged(t *testing.T) {
	t.Parallel()
	h := begun(t, two+"roles:\n  - name: Lead\n    handle: lead\n")
	rev, _, _ := h.now(t)
	if kinds := h.kinds(t, 0); !slices.Equal(kinds, []string{"company.revised", "server.declared", "server.declared", "seat.declared"}) {
		t.Errorf("first: %v", kinds)
	}
	h.mustWrite(t, rev.ID, strings.Replace(two, "--fast", "--slow", 1))
	if kinds := h.kinds(t, 4); !slices.Equal(kinds, []string{"company.revised", "server.revised", "seat.removed"}) {
		t.Errorf("second: %v", kinds)
	}
	if _, err := tool.Do(t.Context(), h.run, h.ReloadConfig, ana(), company.ReloadConfig{}); err != nil {
		t.Fatal(err)
	}
	if kinds := h.kinds(t, 7); !slices.Equal(kinds, []string{"company.reloaded"}) {
		t.Errorf("third: %v", kinds)
	}
}

func TestTheRecordNamesWhatItIsAbout(t *testing.T) {
	t.Parallel()
	h := begun(t, two)
	h.mustWrite(t, 1, small)
	for _, name := range []string{"new", "UPPER", "nul\x00", strings.Repeat("ü", 21)} {
		_, _ = h.put(t, company.PutServer{Name: name, Entry: []byte(`{"command":"c"}`), Create: true})
	}
	_, _ = tool.Do(t.Context(), h.run, h.RenameServer, ana(), company.RenameServer{Name: "none", To: "some"})
	var rows []struct{ Verb, Object, Outcome string }
	if err := h.run.DB.SelectContext(t.Context(), &rows, `SELECT verb, object, outcome FROM audit ORDER BY id`); err != nil {
		t.Fatal(err)
	}
	want := "[{write_config company: applied} {put_mcp_server server:new applied} {put_mcp_server server:UPPER invalid} {put_mcp_server server:nul? invalid} {put_mcp_server server:" + strings.Repeat("ü", 20) + " invalid} {rename_mcp_server server:none no_such_entity}]"
	if got := fmt.Sprint(rows); got != want {
		t.Errorf("got %s", got)
	}
}

// Storing it is refused, and the environment's is not looked at: neither is
// told as a way out.
func TestAReferenceThatNeverResolvesIsTold(t *testing.T) {
	t.Parallel()
	h := begun(t, small)
	out, err := h.write(t, 1, "name: Acme\nmcp_servers:\n- {name: one, command: c, env: {A: \"${PGHOST}\"}}\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0].Message, "${PGHOST} never resolves") || strings.Contains(out.Warnings[0].Message, "environment") {
		t.Errorf("got %+v", out.Warnings)
	}
}
