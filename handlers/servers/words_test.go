package servers

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/servers"
)

func TestDeclaration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in    typed
		want  string
		field string // beside which it is refused
	}{
		"one a line":            {in: typed{Command: "npx", Args: "-y\r\nsome server\r\n\r\n"}, want: `{"args":["-y","some server"],"command":"npx"}`},
		"one line is split":     {in: typed{Command: "npx", Args: "-y @scope/server"}, want: `{"args":["-y","@scope/server"],"command":"npx"}`},
		"quotes keep together":  {in: typed{Command: "npx", Args: `--dir "my files" 'it''s' ""`}, want: `{"args":["--dir","my files","its",""],"command":"npx"}`},
		"a backslash keeps":     {in: typed{Command: "npx", Args: `a\ b "c\"d" 'e\f'`}, want: `{"args":["a b","c\"d","e\\f"],"command":"npx"}`},
		"a line in quotes":      {in: typed{Command: "npx", Args: "a\n\"\"\n\" b \"\n\"c"}, want: `{"args":["a",""," b ","\"c"],"command":"npx"}`},
		"whole in the command":  {in: typed{Command: "npx -y @scope/server"}, want: `{"args":["-y","@scope/server"],"command":"npx"}`},
		"a command with blanks": {in: typed{Command: `"/opt/my tools/run"`}, want: `{"command":"/opt/my tools/run"}`},
		"beside arguments as is": {
			in: typed{Command: "/opt/my tools/run", Args: "go"}, want: `{"args":["go"],"command":"/opt/my tools/run"}`,
		},
		"nothing is expanded": {in: typed{Command: "npx", Args: "$HOME *.js ${X}"}, want: `{"args":["$HOME","*.js","${X}"],"command":"npx"}`},
		"environment": {
			in:   typed{Command: "npx", Env: "A=1\r\n\r\n B = two=2 \r\nC=\r\nTOKEN=${TOKEN}", Headers: "Ignored: yes", URL: "https://ignored.example"},
			want: `{"command":"npx","env":{"A":"1","B":"two=2","C":"","TOKEN":"${TOKEN}"}}`,
		},
		"an address": {
			in:   typed{Reach: "http", URL: "https://mcp.example.com/mcp", Headers: "Authorization: Bearer ${T}\nX-Time: 12:30", Command: "ignored"},
			want: `{"headers":{"Authorization":"Bearer ${T}","X-Time":"12:30"},"url":"https://mcp.example.com/mcp"}`,
		},
		"the older way": {in: typed{Reach: "sse", URL: "http://localhost/sse"}, want: `{"transport":"sse","url":"http://localhost/sse"}`},
		"one per seat":  {in: typed{Command: "npx", Seats: "each"}, want: `{"command":"npx","shared":false}`},
		"filters and the rest": {
			in:   typed{Command: "npx", Include: "a\nb*", Exclude: "c", Optional: "TOKEN", More: "timeout: 30s\ntools: {resources: false}\nenabled: false"},
			want: `{"command":"npx","enabled":false,"optional_keys":["TOKEN"],"timeout":"30s","tools":{"exclude":["c"],"include":["a","b*"],"resources":false}}`,
		},
		"no address":                  {in: typed{Reach: "http"}, field: "url"},
		"another way":                 {in: typed{Reach: "pigeon"}, field: "reach"},
		"a header that is none":       {in: typed{Reach: "http", URL: "https://x.example", Headers: "hello"}, field: "headers"},
		"more is no YAML":             {in: typed{Command: "npx", More: "a: [canary"}, field: "more"},
		"more is a list":              {in: typed{Command: "npx", More: "- a"}, field: "more"},
		"more says it twice":          {in: typed{Command: "npx", More: "command: other"}, field: "more"},
		"tools is no map":             {in: typed{Command: "npx", Include: "a", More: "tools: 3"}, field: "more"},
		"no command":                  {in: typed{}, field: "command"},
		"an open quote":               {in: typed{Command: "npx", Args: `-y "x`}, field: "args"},
		"an open quote in a command":  {in: typed{Command: `npx 'x`}, field: "command"},
		"a line that is no variable":  {in: typed{Command: "npx", Env: "A=1\nhello"}, field: "env"},
		"a variable without its name": {in: typed{Command: "npx", Env: "=1"}, field: "env"},
		"a variable twice":            {in: typed{Command: "npx", Env: "A=canary\nA=2"}, field: "env"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := c.in.declaration()
			entry := d.entry
			no := refusal.Of(err)
			switch {
			case c.field == "" && (err != nil || string(entry) != c.want):
				t.Errorf("got %s %v, want %s", entry, err, c.want)
			case c.field != "" && (no == nil || no.Fields[c.field] == ""):
				t.Errorf("got %v, want a sentence beside %s", err, c.field)
			case no != nil && strings.Contains(no.Says, "canary"):
				t.Errorf("a value is repeated: %s", no.Says)
			}
		})
	}
}

func TestBeside(t *testing.T) {
	t.Parallel()
	no := refusal.Invalid.Say("Several.").Beside("args[1]", "An argument.").Beside("env.MY_TOKEN", "A value.").
		Beside("entry", "Neither command nor url.").Beside("name", "A name.").Beside("tool_prefix", "Something else.").
		Beside("optional_keys[0]", "A key.").Beside("tools.include[1]", "A glob.").Beside("tools.approve[0]", "Another.").Beside("headers.X", "A header.")
	want := map[string]string{
		"args": "An argument.", "env": "env.MY_TOKEN: A value.", "entry": "Neither command nor url.", "name": "A name.", "optional": "A key.",
		"include": "A glob.", "more": "tool_prefix: Something else. tools.approve[0]: Another.", "headers": "headers.X: A header.",
	}
	if got := beside(no); !maps.Equal(got, want) {
		keys := slices.Sorted(maps.Keys(got))
		t.Errorf("got %v %v, want %v", keys, got, want)
	}
}

// A declaration drawn into the form and sent as it is makes the same one.
func TestTheFormHoldsADeclaration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		entry string
		not   bool
	}{
		"a command":           {entry: "{command: npx, args: [-y, some-server]}"},
		"one odd argument":    {entry: `{command: npx, args: ["a b"]}`},
		"several odd ones":    {entry: `{command: npx, args: ["", " x ", '"q"', "a\\b", "it's"]}`},
		"everything else":     {entry: "{command: npx, env: {A: '1', B: '${B}'}, optional_keys: [B], timeout: 30s, trust: pin, limits: {per_minute: 3}}"},
		"as usual, said":      {entry: "{command: npx, shared: true, transport: stdio, env: {}, args: []}"},
		"an address":          {entry: "{url: 'https://x.example/mcp', transport: http, headers: {Authorization: 'Bearer ${T}'}, shared: false}"},
		"the older way":       {entry: "{url: 'https://x.example/sse', transport: sse, auth: oauth}"},
		"filters":             {entry: "{command: npx, tools: {include: [a, 'b*'], prompts: false}}"},
		"off":                 {entry: "{command: npx, enabled: false}"},
		"a line break inside": {entry: `{command: npx, args: ["a\nb"]}`, not: true},
		"a value of lines":    {entry: `{command: npx, env: {KEY: "a\nb"}}`, not: true},
		"blanks at an end":    {entry: `{command: npx, env: {KEY: " a"}}`, not: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entry, err := company.ParsedEntry(c.entry)
			if err != nil {
				t.Fatal(err)
			}
			in, err := typedOf("some", entry)
			if err != nil {
				t.Fatal(err)
			}
			if in.holds(entry) == c.not {
				d, err := in.declaration()
				t.Errorf("%s becomes %s (%v)", c.entry, d.entry, err)
			}
		})
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"", "a b", `"a b" c`, `'`, `\`, `a\`, "a\x00b", `"" ''`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, closed := split(line)
		if !closed && words != nil {
			t.Error("an open quote still gave words")
		}
		for _, quote := range []string{`"`, "'", `\`} {
			if strings.Contains(line, quote) {
				return
			}
		}
		want := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
		if !slices.EqualFunc(words, want, func(a, b string) bool {
			return a == strings.ToValidUTF8(b, "\uFFFD") || a == b || strings.ContainsRune(a, '\uFFFD')
		}) {
			t.Errorf("%q gave %q", line, words)
		}
	})
}

func TestAReasonInARow(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 40)
	for reason, want := range map[string]string{
		"Not found on PATH: kite.":       "Not found on PATH: kite.",
		"One. Two. " + long:              "One. Two.",
		"One: a.b. " + long + ". Three.": "One: a.b.",
		long:                             strings.TrimSpace(long[:briefest]) + "…",
	} {
		if got := brief(reason); got != want {
			t.Errorf("%q reads %q, want %q", reason, got, want)
		}
	}
}

func TestARowNamesAFew(t *testing.T) {
	t.Parallel()
	names := strings.Split("a b c d e f g h", " ")
	for n, want := range map[int]string{1: "a", 6: "a, b, c, d, e, f", 7: "a, b, c, d, e and 2 more", 8: "a, b, c, d, e and 3 more"} {
		if got := serverRow(servers.Server{Uncovered: names[:n]}, time.Time{}).Notes[0]; got != "No include entry covers: "+want+"." {
			t.Errorf("of %d it says %q", n, got)
		}
	}
}
