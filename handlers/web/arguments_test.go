package web

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"
	"time"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// sample has an argument of every shape there is.
type sample struct {
	Title string             `json:"title,omitempty"`
	Count int                `json:"count,omitempty"`
	Share float64            `json:"share,omitempty"`
	Open  bool               `json:"open,omitempty"`
	Maybe *bool              `json:"maybe,omitempty"`
	When  time.Time          `json:"when,omitzero"`
	Tags  []string           `json:"tags,omitempty"`
	Sizes []int              `json:"sizes,omitempty"`
	Env   map[string]string  `json:"env,omitempty"`
	Ports map[string]int     `json:"ports,omitempty"`
	Unit  *place             `json:"unit,omitempty"`
	Edits []edit             `json:"edits,omitempty"`
	By    map[string]place   `json:"by,omitempty"`
	Raw   json.RawMessage    `json:"raw,omitempty"`
	Bytes []byte             `json:"bytes,omitempty"`
	Grid  [][]int            `json:"grid,omitempty"`
	Alike map[string][]place `json:"alike,omitempty"`
	Due   tool.Maybe[string] `json:"due,omitzero"`
	Most  tool.Maybe[int]    `json:"most,omitzero"`
}

type place struct {
	Name  string `json:"name,omitempty"`
	Floor int    `json:"floor,omitempty"`
}

type edit struct {
	Op    string `json:"op"`
	Value any    `json:"value,omitempty"`
	At    []int  `json:"at,omitempty"`
}

func TestAFormIsReadByTheArgumentsTypes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ form, want string }{
		"texts":                     {"title=+a+b+&count=+7&share=0.5&open=on&when=2026-01-02T03:04:05Z", `{"title":" a b ","count":7,"share":0.5,"open":true,"when":"2026-01-02T03:04:05Z"}`},
		"nothing typed":             {"title=&count=&share=&open=&when=&tags=&env=&unit=&raw=&bytes=", `{"title":"","tags":[],"env":{}}`},
		"what may be null":          {"due=today&most=7", `{"due":"today","most":7}`},
		"what is cleared":           {"due=&most=+", `{"due":null,"most":null}`},
		"a box over a hidden no":    {"open=false&open=true&maybe=0", `{"open":true,"maybe":false}`},
		"a list of lines":           {"tags=a%0D%0A+b%0A%0A&sizes=1%0A2", `{"tags":["a","b"],"sizes":[1,2]}`},
		"a list sent often":         {"tags=a&tags=b&sizes=2&sizes=1", `{"tags":["a","b"],"sizes":[2,1]}`},
		"a list by number":          {"tags[7]=b&tags[0]=a&grid[1][0]=3&grid[0]=1%0A2", ``},
		"a map of lines":            {"env=A=1%0AB=x=y&ports=web=80", `{"env":{"A":"1","B":"x=y"},"ports":{"web":80}}`},
		"a map by name":             {"env.A.B=1&env.C=&ports.web=80&by.x.name=n&by.x.floor=2", `{"env":{"A.B":"1","C":""},"ports":{"web":80},"by":{"x":{"name":"n","floor":2}}}`},
		"an object in parts":        {"unit.name=n&unit.floor=2", `{"unit":{"name":"n","floor":2}}`},
		"an object as JSON":         {`unit={"name":"n"}&raw=[1]`, `{"unit":{"name":"n"},"raw":[1]}`},
		"objects in parts":          {"edits[0].op=add&edits[0].value=7&edits[2].op=remove&edits[2].at[0]=4", `{"edits":[{"op":"add","value":7},{"op":"remove","at":[4]}]}`},
		"objects as JSON":           {`edits=[{"op":"add"}]`, `{"edits":[{"op":"add"}]}`},
		"objects as JSON, one each": {`edits={"op":"add"}&edits={"op":"remove"}`, `{"edits":[{"op":"add"},{"op":"remove"}]}`},
		"lists in a map":            {`alike.a[0].name=n`, `{"alike":{"a":[{"name":"n"}]}}`},
		"bytes":                     {"bytes=aGk=", `{"bytes":"aGk="}`},
		"nobody declared it":        {"colour=red&unit.size=1&a.b.c=1&tags[x]=1&Title=a", ``},
	} {
		t.Run(name, func(t *testing.T) {
			values, err := url.ParseQuery(c.form)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := Arguments(values, reflect.TypeFor[sample]())
			if err != nil {
				t.Fatalf("refused: %v", err)
			}
			t.Log(string(raw))
			if c.want == "" {
				return
			}
			var got, want any
			if json.Unmarshal(raw, &got) != nil || json.Unmarshal([]byte(c.want), &want) != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("read as %s, want %s", raw, c.want)
			}
			if _, err := tool.Decode[sample](raw); err != nil {
				t.Errorf("%s is not decoded: %v", raw, err)
			}
		})
	}
}

func TestWhatAFormCannotMeanIsRefusedByName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		form  string
		field string
		says  string
	}{
		"no number":              {"count=many", "count", "count is a whole number."},
		"half a number":          {"count=1.5", "count", "count is a whole number."},
		"past all numbers":       {"count=99999999999999999999", "count", "count is a whole number."},
		"no number at all":       {"share=NaN", "share", "share is a number."},
		"no number in a list":    {"sizes=1&sizes=x", "sizes", "sizes is a whole number."},
		"neither true nor false": {"open=perhaps", "open", "open is true or false."},
		"sent twice":             {"title=a&title=b", "title", "title is sent 2 times; send it once."},
		"no pair":                {"env=A", "env", `Each line is NAME=value; a line here has no "=".`},
		"one name twice":         {"env=A=1%0AA=2", "env", "env has two lines for one name."},
		"no JSON":                {"raw={", "raw", `raw is JSON, such as {"name": "value"}.`},
		"JSON in parts":          {"raw.a=1", "raw", "raw is sent whole, in one field."},
		"whole and in parts":     {`unit={}&unit.name=a`, "unit", "unit is sent in two ways at once, whole and in parts; send one of them."},
		"no moment":              {"when=tomorrow", "when", "when is a moment, such as 2026-01-02T15:04:05Z."},
		"a form's own":           {"_key=a", "_key", ""},
		"no name":                {"=a&title=b", "", "A field was sent without a name; each is NAME=value."},
		"no base64":              {"bytes==Z", "bytes", "bytes is bytes in base64, such as aGVsbG8=."},
		"deep":                   {"edits[0].at=x", "edits[0].at", "edits[0].at is a whole number."},
		"nobody declared it":     {"unit.size=1", "unit.size", `There is no "size" in unit; there are name, floor.`},
		"dots nobody declared":   {"a.b=1", "a.b", ""},
		"a number for no list":   {"title[0]=a", "title", "title is an object here; it wants text."},
		"a number past the most": {"tags[1000]=a", "tags", "tags is an object here; it wants a list."},
		"a name in another case": {"Title=a", "Title", `There is no argument "Title"; did you mean "title"?`},
	} {
		t.Run(name, func(t *testing.T) {
			values, err := url.ParseQuery(c.form)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := Arguments(values, reflect.TypeFor[sample]())
			if err == nil {
				_, err = tool.Decode[sample](raw)
			}
			no := refusal.Of(err)
			if no == nil || no.Class != refusal.Invalid || no.Fields[c.field] == "" || c.says != "" && no.Fields[c.field] != c.says {
				t.Errorf("got %v %v, want %q beside %s", err, no, c.says, c.field)
			}
		})
	}
}

// Whatever a form holds, it is read or refused by name; and what was read from
// a form is what its own JSON says.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		"title=a&count=7&open=on", "tags=a%0Ab&env=A=1", "unit.name=n&edits[0].op=add&edits[1].at[0]=4", "raw={}&bytes=aGk=&when=2026-01-02T03:04:05Z",
		"by.x.name=n&alike.a[0].floor=2&grid[0][1]=3", "tags[0]=a&tags=b", "Title=a&a.b=c&[0]=1&.=2&a[=3&unit.=4", "edits=[{}]&edits={}", "=a&title=b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, form string) {
		values, err := url.ParseQuery(form)
		if err != nil || readable(values) != nil {
			return
		}
		raw, err := Arguments(values, reflect.TypeFor[sample]())
		if err != nil {
			told(t, err)
			return
		}
		in, err := tool.Decode[sample](raw)
		if err != nil {
			told(t, err)
			return
		}
		again, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		back, err := tool.Decode[sample](again)
		if err != nil {
			t.Fatalf("%s is read and not taken back: %v", again, err)
		}
		if once, _ := json.Marshal(back); string(once) != string(again) {
			t.Errorf("%s comes back as %s", again, once)
		}
	})
}

// told fails for a refusal that names no argument.
func told(t *testing.T, err error) {
	t.Helper()
	if no := refusal.Of(err); no.Class != refusal.OpIDInvalid && (no.Class != refusal.Invalid || len(no.Fields) == 0) {
		t.Errorf("refused with %v", err)
	}
}
