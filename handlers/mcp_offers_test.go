package handlers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// read asks for a resource.
func (b *bench) readResource(t *testing.T, token, era, address string) spoken {
	t.Helper()
	return b.speak(t, token, rpc{era: era, method: "resources/read", params: map[string]any{"uri": address}})
}

func TestItemsAreResources(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.filed()
	for _, era := range []string{mcpOld, mcpNew} {
		got := w.readResource(t, w.token.Value, era, "crewlet://work/"+key)
		var read struct {
			Contents []struct{ Text, MIMEType string }
		}
		if err := json.Unmarshal(got.Result, &read); err != nil || len(read.Contents) != 1 {
			t.Fatalf("%s: %v %.300s", era, err, got.text)
		}
		var resource, tool map[string]any
		w.must(json.Unmarshal([]byte(read.Contents[0].Text), &resource))
		tool = w.callTool(t, w.token.Value, era, "get_work_item", map[string]any{"key": key}).fields
		if resource["key"] != key || fmt.Sprint(resource) != fmt.Sprint(tool) {
			t.Errorf("%s: the resource is %v\nthe tool answers %v", era, resource, tool)
		}
		w.resourcesThereAreNot(era, key)
		if got := w.speak(t, w.token.Value, rpc{era: era, method: "resources/templates/list"}); !strings.Contains(got.text, "crewlet://work/{key}") {
			t.Errorf("%s: templates are %.300s", era, got.text)
		}
		if got := w.speak(t, w.weak.Value, rpc{era: era, method: "resources/templates/list"}); strings.Contains(got.text, "crewlet://") {
			t.Errorf("%s: somebody without rights is shown %.300s", era, got.text)
		}
	}
}

// A resource is refused with the code the protocol has for it, and the class
// of every other door beside.
func (w *world) resourcesThereAreNot(era, key string) {
	w.t.Helper()
	missing, status := -32002, 200
	if era == mcpNew {
		missing, status = -32602, 400
	}
	for name, c := range map[string]struct {
		token, address, says string
		code, status         int
		class                any
	}{
		"an item there is not":   {w.token.Value, "crewlet://work/TALK-999", "not_found: ", missing, status, "not_found"},
		"somebody without right": {w.weak.Value, "crewlet://work/" + key, "forbidden: ", -32603, 200, "forbidden"},
		"no address of ours":     {w.token.Value, "crewlet://weather/today", "not found", missing, status, nil},
	} {
		no := w.readResource(w.t, c.token, era, c.address)
		if no.Error == nil || !strings.Contains(no.Error.Message, c.says) || no.Error.Code != c.code || no.status != c.status || no.Error.Data["error"] != c.class {
			w.t.Errorf("%s: %s answers %d %.300s", era, name, no.status, no.text)
		}
	}
}

// Each prompt speaks of tools there are, and is shown to whoever may use them.
func TestPromptsBeginWhatTheyName(t *testing.T) {
	t.Parallel()
	b := open(t)
	all, none := b.mint(true, "all").Value, b.mint(false, nobodysRights...).Value
	names := func(token string) []string {
		var list struct{ Prompts []struct{ Name string } }
		b.must(json.Unmarshal(b.speak(t, token, rpc{method: "prompts/list"}).Result, &list))
		var all []string
		for _, p := range list.Prompts {
			all = append(all, p.Name)
		}
		return all
	}
	if got := names(all); !slices.Equal(got, []string{"answer-asks", "standup", "triage"}) {
		t.Errorf("listed are %v", got)
	}
	if got := names(none); len(got) != 0 {
		t.Errorf("somebody without rights is shown %v", got)
	}
	got := b.speak(t, all, rpc{method: "prompts/get", params: map[string]any{"name": "triage", "arguments": map[string]any{"project": "ENG"}}})
	if !strings.Contains(got.text, "in the project ENG") || !strings.Contains(got.text, "list_work_items") || strings.Contains(got.text, "{{") {
		t.Errorf("triage is %.600s", got.text)
	}
}
