package servers

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"crewlet/engine/refusal"
)

func TestEntry(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in    typed
		want  string
		field string // beside which it is refused
	}{
		"one a line":            {in: typed{Command: "npx", Args: "-y\r\nsome server\r\n\r\n"}, want: `{"command":"npx","args":["-y","some server"]}`},
		"one line is split":     {in: typed{Command: "npx", Args: "-y @scope/server"}, want: `{"command":"npx","args":["-y","@scope/server"]}`},
		"quotes keep together":  {in: typed{Command: "npx", Args: `--dir "my files" 'it''s' ""`}, want: `{"command":"npx","args":["--dir","my files","its",""]}`},
		"a backslash keeps":     {in: typed{Command: "npx", Args: `a\ b "c\"d" 'e\f'`}, want: `{"command":"npx","args":["a b","c\"d","e\\f"]}`},
		"whole in the command":  {in: typed{Command: "npx -y @scope/server"}, want: `{"command":"npx","args":["-y","@scope/server"]}`},
		"a command with blanks": {in: typed{Command: `"/opt/my tools/run"`}, want: `{"command":"/opt/my tools/run"}`},
		"beside arguments as is": {
			in: typed{Command: "/opt/my tools/run", Args: "go"}, want: `{"command":"/opt/my tools/run","args":["go"]}`,
		},
		"nothing is expanded": {in: typed{Command: "npx", Args: "$HOME *.js ${X}"}, want: `{"command":"npx","args":["$HOME","*.js","${X}"]}`},
		"environment": {
			in:   typed{Command: "npx", Env: "A=1\r\n\r\n B = two=2 \r\nC=\r\nTOKEN=${TOKEN}"},
			want: `{"command":"npx","env":{"A":"1","B":"two=2","C":"","TOKEN":"${TOKEN}"}}`,
		},
		"no command":                  {in: typed{}, field: "command"},
		"an open quote":               {in: typed{Command: "npx", Args: `-y "x`}, field: "args"},
		"an open quote in a command":  {in: typed{Command: `npx 'x`}, field: "command"},
		"a line that is no variable":  {in: typed{Command: "npx", Env: "A=1\nhello"}, field: "env"},
		"a variable without its name": {in: typed{Command: "npx", Env: "=1"}, field: "env"},
		"a variable twice":            {in: typed{Command: "npx", Env: "A=canary\nA=2"}, field: "env"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entry, _, err := c.in.entry()
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
		Beside("entry", "Neither command nor url.").Beside("name", "A name.").Beside("tool_prefix", "Something else.")
	want := map[string]string{
		"args": "An argument.", "env": "MY_TOKEN: A value.", "command": "Neither command nor url. Something else.", "name": "A name.",
	}
	if got := beside(no); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
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
