package handlers

import (
	"strings"
	"testing"

	"crewlet/engine/company"
	"crewlet/engine/enginetest"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/mcp/door"
)

// refusesWhole is a call whose answer is too long, with the argument that makes
// it shorter.
func (w *world) refusesWhole(name, argument string, args map[string]any) {
	w.t.Helper()
	got := w.callTool(w.t, w.token.Value, mcpOld, name, args)
	says, _ := got.fields["fields"].(map[string]any)
	if !got.isRefused(refusal.Invalid) || says[argument] == nil {
		w.t.Errorf("%s answers %.300s", name, got.Content)
	}
}

// inPage is a call whose answer has to be handed over.
func (w *world) inPage(name string, args map[string]any) map[string]any {
	w.t.Helper()
	got := w.callTool(w.t, w.token.Value, mcpOld, name, args)
	if got.Error || len(got.Content) > door.MaxAnswer {
		w.t.Fatalf("%s answers %d bytes: %.300s", name, len(got.Content), got.Content)
	}
	return got.fields
}

// A document past what one answer holds is read in parts, and never cut.
func TestALargeDocumentIsReadInParts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	large := "name: Large\n" + strings.Repeat("# \"ü\" and more of what the authors had to say\n", 3000)
	wrote, err := tool.Do(t.Context(), w.Run, w.Company.WriteConfig, enginetest.By("ana"),
		company.WriteConfig{Text: large, Writing: company.Writing{Summary: "x", IfMatch: 1}})
	w.must(err)
	for name, args := range map[string]map[string]any{"get_config": {}, "get_revision": {"id": wrote.RevisionID}} {
		w.refusesWhole(name, "offset", args)
		var whole strings.Builder
		for next, more := any(0), true; more; {
			args["offset"] = next
			part := w.inPage(name, args)
			text, _ := part["text"].(string)
			whole.WriteString(text)
			if part["total_bytes"] != float64(len(large)) {
				t.Fatalf("%s says %v bytes, there are %d", name, part["total_bytes"], len(large))
			}
			next, more = part["text_next"]
		}
		if whole.String() != large {
			t.Errorf("%s: the parts are %d bytes, the text %d", name, whole.Len(), len(large))
		}
		args["offset"] = len(large) + 1
		w.refusesWhole(name, "offset", args)
	}
	if got := w.ask(t, "GET", "/config", nil, as(w.token.Value)...); got.text != large {
		t.Errorf("a script reads %d bytes", len(got.text))
	}
}

// A project has as many labels as it may, and a model reads them in parts.
func TestAllLabelsOfAProjectAreReadInParts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(project)
	w.write(`INSERT INTO tags (project, slug, label) SELECT 'TALK', 'l' || n || repeat('x', 90), 'L' || n || repeat('x', 90) FROM generate_series(1, 512) n`)
	w.refusesWhole("describe_project", "limit", map[string]any{"key": "TALK"})
	seen := map[any]bool{}
	for at := 0; at < 512; at += 200 {
		part := w.inPage("describe_project", map[string]any{"key": "TALK", "limit": 200, "offset": at})
		labels, _ := part["labels"].([]any)
		for _, one := range labels {
			seen[one.(map[string]any)["slug"]] = true
		}
		if part["labels_total"] != 512.0 {
			t.Errorf("there are %v labels", part["labels_total"])
		}
	}
	key := w.filed()
	if labels, _ := w.inPage("get_work_item", map[string]any{"key": key})["project_labels"].([]any); len(labels) != 0 {
		t.Errorf("an item comes with %d labels", len(labels))
	}
	if len(seen) != 512 {
		t.Errorf("%d labels were read", len(seen))
	}
}
