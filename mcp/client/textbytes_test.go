package client

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTextThatIsReallyBytes(t *testing.T) {
	t.Parallel()
	png, err := json.Marshal("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\xff\xfe")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		raw  string
		size int
	}{
		"text":                {`{"content":[{"type":"text","text":"plain, and ünïcode"}]}`, 0},
		"a terminal's colour": {`{"content":[{"type":"text","text":"\u001b[31mred\u001b[0m \u001b[1mb\u001b[0m"}]}`, 0},
		"a stray NUL":         {`{"content":[{"type":"text","text":"a\u0000b"}]}`, 0},
		"some odd letters":    {`{"content":[{"type":"text","text":"` + strings.Repeat("letters ", 20) + `\ufffd\ufffd\ufffd\ufffd"}]}`, 0},
		"an image":            {`{"content":[{"type":"text","text":` + string(png) + `}]}`, 27},
		"UTF-16":              {`{"content":[{"type":"text","text":"h\u0000e\u0000l\u0000l\u0000o\u0000"}]}`, 10},
		"a resource's":        {`{"content":[{"type":"text","text":"a"},{"type":"resource","resource":{"uri":"x:y","text":"\u0001\u0002\u0003\u0004"}}]}`, 4},
		"a resource read":     {`{"contents":[{"uri":"x:y","text":"\ufffd\ufffd\ufffd\ufffd\ufffd"}]}`, 15},
		"data is not text":    {`{"content":[{"type":"image","data":"\u0000\u0000\u0000\u0000\u0000"}]}`, 0},
		"no result":           {"\x00\x00\x00\x00", 0},
	} {
		if size, found := bytesAsText([]byte(c.raw)); size != c.size || found != (c.size > 0) {
			t.Errorf("%s: %d bytes, found %t; want %d", name, size, found, c.size)
		}
	}
}

// All a server says of a tool is kept, in a text that is the same for the same.
func TestAToolKeepsWhatWeDoNotRead(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"name":"a","inputSchema":{"type":"object"}}`:                                                            ``,
		`{"name":"a","title":"A","description":"d","inputSchema":{},"annotations":{"readOnlyHint":true}}`:         ``,
		`{"name":"a","_meta":{"z":1},"icons":[{"src":"x"}],"inputSchema":{},"annotations":{"title":"An A"}}`:      `{"_meta":{"z":1},"annotations":{"title":"An A"},"icons":[{"src":"x"}]}`,
		`{"icons":[],"annotations":{"openWorldHint":false,"new":[1]},"inputSchema":{},"name":"a","execution":{}}`: `{"annotations":{"new":[1]},"execution":{},"icons":[]}`,
		`{"name":"a","inputSchema":{},"annotations":7}`:                                                           `{"annotations":7}`,
	} {
		got, err := decodeTool(json.RawMessage(in))
		if err != nil || string(got.More) != want {
			t.Errorf("%s: %s %v, want %s", in, got.More, err, want)
		}
	}
	if _, err := decodeTool(json.RawMessage(`{"name":"a","inputSchema":{},"icons":"` + strings.Repeat("x", maxSchema) + `"}`)); err == nil {
		t.Error("more than a megabyte is kept")
	}
}
