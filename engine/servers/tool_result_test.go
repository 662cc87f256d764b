package servers

import (
	"encoding/json"
	"strings"
	"testing"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// What a block holds beyond what we read of its kind goes on as it came.
func TestBlocksKeepWhatWeDoNotRead(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"type":"text","text":"a"}`: `{"type":"text","text":"a"}`,
		`{"type":"text","text":"a","annotations":{"priority":1},"_meta":{"k":"v"}}`:                `{"type":"text","text":"a","more":{"_meta":{"k":"v"},"annotations":{"priority":1}}}`,
		`{"type":"image","data":"aW1n","mimeType":"image/png","_meta":{}}`:                         `{"type":"image","data":"aW1n","mime":"image/png","more":{"_meta":{}}}`,
		`{"type":"resource_link","uri":"x:y","name":"n","title":"T","size":3}`:                     `{"type":"resource_link","uri":"x:y","name":"n","title":"T","more":{"size":3}}`,
		`{"type":"resource","resource":{"uri":"x:y","text":"t","_meta":{"a":1}},"annotations":{}}`: `{"type":"resource","text":"t","uri":"x:y","more":{"annotations":{},"resource":{"_meta":{"a":1}}}}`,
		`{"type":"resource"}`:        `{"type":"resource","text":"{\"type\":\"resource\"}"}`,
		`{"type":"new","x":1}`:       `{"type":"new","text":"{\"type\":\"new\",\"x\":1}"}`,
		`{"type":"text","text":[1]}`: `{"type":"unknown","text":"{\"type\":\"text\",\"text\":[1]}"}`,
	} {
		got, err := json.Marshal(blockOf(json.RawMessage(in)))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s %v, want %s", in, got, err, want)
		}
	}
}

// A listing is filed with all its server said of a tool, and with the number
// of arguments counted.
func TestACatalogueKeepsWhatItsServersSay(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo", "icon"))
	h.in("alpha", Running)
	list, err := tool.Do(t.Context(), h.run, h.servers.ListTools, admin(), ListTools{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range list.Tools {
		want := ""
		if row.Name == "icon" {
			want = `{"_meta":{"made":"by hand"}}`
		}
		if row.Source == "mcp:alpha" && (string(row.More) != want || row.Arguments != 1) {
			t.Errorf("%s: %s, %d arguments", row.Name, row.More, row.Arguments)
		}
	}
	if n := h.count(`SELECT count(*) FROM server_tools WHERE arguments = 1`); n != 2 {
		t.Errorf("of %d tools the arguments are counted", n)
	}
	one, err := tool.Do(t.Context(), h.run, h.servers.GetTool, admin(), GetTool{Name: "icon"})
	if err != nil || string(one.More) == "" {
		t.Errorf("the tool alone: %s %v", one.More, err)
	}
}

// A text that is really bytes is refused, with its size.
func TestBytesAreNoText(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "binary"))
	h.in("alpha", Running)
	_, _, err := h.called(t, "binary", "")
	no := refusal.Of(err)
	if no == nil || no.Class != refusal.Unavailable || !strings.Contains(no.Says, "really bytes, 40 of them") || no.Details["may_have_taken_effect"] != true {
		t.Errorf("got %v", err)
	}
}
