package servers

import (
	"slices"
	"testing"

	"crewlet/engine/tool"
)

// A list is read again when the catalogue moved, and only then.
func TestListToolsIsKeptWhileNothingMoves(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	listed := func() ToolList {
		t.Helper()
		out, err := tool.Do(t.Context(), h.run, h.servers.ListTools, admin(), ListTools{})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	has := func(list ToolList, name string) bool {
		return slices.ContainsFunc(list.Tools, func(row Tool) bool { return row.Name == name })
	}
	if has(listed(), "echo") {
		t.Fatal("a tool is listed that no server has")
	}
	h.declare(tiny("alpha", "", "echo"))
	h.until("its tools are filed", func(o Overview) bool { return toolNames(o, "mcp:alpha") == "echo" })
	first := listed()
	if !has(first, "echo") {
		t.Fatal("what a server lists now is missing")
	}
	h.store("SOMETHING", "else")
	if again := listed(); &again.Tools[0] != &first.Tools[0] || again.Since != first.Since {
		t.Error("the list was read again although nothing of it moved")
	}
	h.declare(tiny("alpha", "tools: {exclude: [echo]}", "echo"))
	after := listed()
	i := slices.IndexFunc(after.Tools, func(row Tool) bool { return row.Name == "echo" })
	if after.Since <= first.Since || i < 0 || after.Tools[i].Withheld == "" {
		t.Errorf("the exclude list is not seen: %+v", after)
	}
}
