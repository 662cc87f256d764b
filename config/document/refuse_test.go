package document_test

import (
	"fmt"
	"strings"
	"testing"

	"crewlet/config/document"
)

// refusal is a text, and the one problem it should have.
type refusal struct {
	text string
	line int
	path string
	says string // a part of the sentence
}

func refuses(t *testing.T, cases map[string]refusal) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, text := range []string{c.text, strings.ReplaceAll(c.text, "\n", "\r\n")} {
				d, problems := document.Parse([]byte(text))
				if d != nil || len(problems) != 1 {
					t.Fatalf("got %d problems, want 1:\n%v", len(problems), problems)
				}
				p := problems[0]
				if p.Line != c.line || p.Path != c.path || !strings.Contains(p.Says, c.says) {
					t.Errorf("got line %d, path %q: %s\nwant line %d, path %q, %q", p.Line, p.Path, p.Says, c.line, c.path, c.says)
				}
				if strings.Contains(problems.Error(), "hunter2") {
					t.Errorf("a credential is in the refusal: %v", problems)
				}
			}
		})
	}
}

func server(lines string) string {
	return "name: A\nmcp_servers:\n- name: s\n  " + strings.ReplaceAll(lines, "\n", "\n  ") + "\n"
}

func TestParseRefusesShapes(t *testing.T) {
	refuses(t, map[string]refusal{
		"no name":                {"mission: x\n", 1, "name", "no name"},
		"an unknown key":         {"name: A\nmcp_server: []\n", 2, "mcp_server", "Did you mean mcp_servers?"},
		"an unknown inner key":   {server("commnad: x"), 4, "mcp_servers[0].commnad", "Did you mean command?"},
		"a key of nobody":        {"name: A\nweather: x\n", 2, "weather", "The keys are name, mission"},
		"integrations":           {"name: A\nintegrations: {}\n", 2, "integrations", "mcp_servers"},
		"a duplicate key":        {"name: A\nmission: x\nmission: y\n", 3, "mission", "the first is on line 2"},
		"a number for a name":    {"name: 12\n", 1, "name", "Put quotes"},
		"a list for a map":       {"name: A\ntracker: []\n", 2, "tracker", "must be a map of keys (backend), but is a list"},
		"a map for a list":       {"name: A\nmcp_servers: {}\n", 2, "mcp_servers", "must be a list, but is a map"},
		"text for a map":         {server("command: x\nenv: hunter2"), 5, "mcp_servers[0].env", "must be a map"},
		"a number as a variable": {server("command: x\nenv:\n  PORT: 8080"), 6, "mcp_servers[0].env.PORT", "Put quotes"},
		"yes for true":           {server("command: x\nshared: yes"), 5, "mcp_servers[0].shared", "true or false"},
		"a word not known":       {"name: A\ntracker: {backend: nativ}\n", 2, "tracker.backend", "Did you mean native?"},
		"a number too large":     {"name: A\ninbox_retention_days: 99999\n", 2, "inbox_retention_days", "from 1 to 3650"},
		"an empty entry":         {"name: A\nmcp_servers:\n-\n", 3, "mcp_servers[0]", "has no value"},
		"a variable of nothing":  {server("command: x\nenv:\n  A:"), 6, "mcp_servers[0].env.A", "has no value"},
		"a tag":                  {"name: !!str 12\n", 1, "name", "tag"},
		"two lines for a name":   {"name: |\n  A\n  B\n", 1, "name", "one line"},
		"a long name":            {"name: " + strings.Repeat("é", 121) + "\n", 1, "name", "121 characters"},
		"an escaped NUL":         {"name: \"A\\0\"\n", 1, "name", "U+0000"},
		"a text as the whole":    {"hunter2\n", 1, "", "must be a map"},
		"a number as a key":      {"name: A\n12: x\n", 2, "?", "not text"},
		"a long text":            {"name: A\nmission: " + strings.Repeat("x", 40<<10) + "\n", 2, "mission", "at most 32768"},
		"a space at the end":     {"name: 'A '\n", 1, "name", "space"},
		"a date for a name":      {"name: 2031-04-16\n", 1, "name", "a date"},
		"truth for a name":       {"name: true\n", 1, "name", "true or false"},
		"a map for a name":       {"name: {a: b}\n", 1, "name", "a map of keys"},
		"half a number":          {"name: A\ninbox_retention_days: 1.5\n", 2, "inbox_retention_days", "whole number"},
		"a word unlike any":      {"name: A\ntracker: {backend: jira}\n", 2, "tracker.backend", "not one of native, none."},
		"an artifact's origin":   {"name: A\nartifacts: {origin: here}\n", 2, "artifacts.origin", "absolute"},
		"a late merge":           {"name: A\nproviders: &p {}\nbudgets:\n  seat: {}\n  <<: *p\n", 5, "budgets.<<", "first key"},
		"a merge of a list":      {"name: A\npolicies: &p [x]\nbudgets:\n  <<: *p\n", 4, "budgets.<<", "not a map"},
	})
}

func TestParseRefusesTexts(t *testing.T) {
	bomb := "name: A\na: &a [x, x, x, x, x, x, x, x]\n"
	for i := 'b'; i < 'i'; i++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", i-1), 8), ", "))
	}
	refuses(t, map[string]refusal{
		"a tab as indentation":  {"name: A\nunits:\n\t- name: B\n", 3, "", "A tab stands"},
		"an open bracket":       {"name: A\nunits: [\nroles: []\n", 2, "", "never closed"},
		"an open quote":         {"name: 'hunter2\n", 1, "", "never closed"},
		"a colon in a value":    {"name: A: hunter2\n", 1, "", "quotes"},
		"a reserved character":  {"name: @hunter2\n", 1, "", "cannot begin"},
		"no such anchor":        {"name: *hunter2\n", 1, "", "no anchor"},
		"a second document":     {"name: A\n---\nname: B\n", 2, "", "second document"},
		"a bomb":                {bomb, 1, "", "aliases"},
		"an anchor in itself":   {"name: A\nunits: &u [*u]\n", 1, "", "aliases"},
		"too deep":              {"name: A\nunits: " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "\n", 1, "", "levels"},
		"far too deep":          {"name: A\nunits: " + strings.Repeat("[", 20000) + "\n", 2, "", "deeply"},
		"a NUL":                 {"name: A\nmission: a\x00b\n", 2, "", "NUL"},
		"a control character":   {"name: A\nmission: a\x1bb\n", 2, "", "U+001B"},
		"a line separator":      {"name: A\nmission: a\u2028b\n", 2, "", "U+2028"},
		"not UTF-8":             {"name: A\nmission: a\xffb\n", 2, "", "UTF-8"},
		"UTF-16":                {"\xff\xfen\x00", 1, "", "UTF-16"},
		"larger than 1 MiB":     {"name: A\n#" + strings.Repeat("x", 1<<20), 1, "", "1 MiB"},
		"a lone return":         {"name: A\nmission: a\rb\n", 2, "", "carriage return"},
		"a mark in the middle":  {"name: A\nmission: a\ufeffb\n", 2, "", "U+FEFF"},
		"a directive":           {"%YAML 1.2\n---\nname: A\n", 1, "", "%YAML line"},
		"a tab in a value":      {"name: A\nmission: x\ty\n", 2, "mission", "differently"},
		"an unknown escape":     {"name: \"hunter2\\d\"\n", 1, "", "backslash"},
		"a bracket left behind": {"{name: A}}\n", 1, "", "not YAML"},
	})
}

func TestParseRefusesReach(t *testing.T) {
	refuses(t, map[string]refusal{
		"our own name":         {"name: A\nmcp_servers: [{name: crewlet, command: x}]\n", 2, "mcp_servers[0].name", "own name"},
		"a capital name":       {"name: A\nmcp_servers: [{name: Files, command: x}]\n", 2, "mcp_servers[0].name", "no server's name"},
		"a name twice":         {"name: A\nmcp_servers:\n- {name: s, command: x}\n- {name: s, command: x}\n", 4, "mcp_servers[1].name", "mcp_servers[0] on line 3"},
		"no name":              {"name: A\nmcp_servers: [{command: x}]\n", 2, "mcp_servers[0]", "no name"},
		"neither":              {server("shared: true"), 3, "mcp_servers[0]", "neither a command nor a url"},
		"both":                 {server("command: x\nurl: https://h/"), 5, "mcp_servers[0].url", "keep one"},
		"a line as command":    {server("command: npx -y hunter2"), 4, "mcp_servers[0].command", "args"},
		"http with a command":  {server("command: x\ntransport: http"), 5, "mcp_servers[0].transport", "has a command"},
		"stdio with a url":     {server("url: https://h/\ntransport: stdio"), 5, "mcp_servers[0].transport", "has a url"},
		"headers of a command": {server("command: x\nheaders: {A: b}"), 5, "mcp_servers[0].headers", "env"},
		"env of a url":         {server("url: https://h/\nenv: {A: b}"), 5, "mcp_servers[0].env", "headers"},
		"args of a url":        {server("url: https://h/\nargs: [b]"), 5, "mcp_servers[0].args", "command"},
		"auth of a command":    {server("command: x\nauth: oauth"), 5, "mcp_servers[0].auth", "env"},
	})
}

func TestParseRefusesServers(t *testing.T) {
	refuses(t, map[string]refusal{
		"a password in a url":     {server("url: https://me:hunter2@h/"), 4, "mcp_servers[0].url", "before the @"},
		"a reference in one":      {server("url: https://${HUNTER}@h/"), 4, "mcp_servers[0].url", "before the @"},
		"a relative url":          {server("url: example.com/mcp"), 4, "mcp_servers[0].url", "absolute"},
		"another scheme":          {server("url: ftp://h/"), 4, "mcp_servers[0].url", "https://"},
		"a credential over http":  {server("url: http://h/\nheaders: {X: \"${A}\"}"), 4, "mcp_servers[0].url", "Write https"},
		"a literal one":           {server("url: http://h/\nheaders: {Authorization: hunter2}"), 4, "mcp_servers[0].url", "Write https"},
		"oauth over http":         {server("url: http://h/\nauth: oauth"), 4, "mcp_servers[0].url", "Write https"},
		"a header twice":          {server("url: https://h/\nheaders: {X-A: b, x-a: c}"), 5, "mcp_servers[0].headers.x-a", "header X-A once more"},
		"a header with a space":   {server("url: https://h/\nheaders: {X A: b}"), 5, "mcp_servers[0].headers[\"X A\"]", "no header's name"},
		"a header of two lines":   {server("url: https://h/\nheaders: {X: \"hunter2\\nb\"}"), 5, "mcp_servers[0].headers.X", "line break"},
		"a variable with a dash":  {server("command: x\nenv: {1A: b}"), 5, "mcp_servers[0].env.1A", "no variable's name"},
		"our own variable":        {server("command: x\nenv: {CREWLET_CHILD: b}"), 5, "mcp_servers[0].env.CREWLET_CHILD", "own"},
		"a default":               {server("command: x\nenv: {A: \"${B:-hunter2}\"}"), 5, "mcp_servers[0].env.A", "optional_keys"},
		"a default in a url":      {server("url: https://${H:-h}/"), 4, "mcp_servers[0].url", "Write ${H} alone"},
		"oauth and a header":      {server("url: https://h/\nauth: oauth\nheaders: {authorization: b}"), 5, "mcp_servers[0].auth", "one of the two"},
		"another auth":            {server("url: https://h/\nauth: hunter2"), 5, "mcp_servers[0].auth", "headers"},
		"a secret in the text":    {server("url: https://h/\nauth: {client_id: a, client_secret: hunter2}"), 5, "mcp_servers[0].auth.client_secret", "${NAME}"},
		"a secret without id":     {server("url: https://h/\nauth: {client_secret: \"${A}\"}"), 5, "mcp_servers[0].auth", "client_id"},
		"no duration":             {server("command: x\ntimeout: soon"), 5, "mcp_servers[0].timeout", "90s, 5m or 1h"},
		"a negative one":          {server("command: x\ntimeout: -5s"), 5, "mcp_servers[0].timeout", "more than 0s"},
		"zero":                    {server("command: x\ntimeout: 0"), 5, "mcp_servers[0].timeout", "more than 0s"},
		"a long one":              {server("command: x\ntimeout: 61m"), 5, "mcp_servers[0].timeout", "at most 1h"},
		"a long start":            {server("command: x\nstartup_timeout: 11m"), 5, "mcp_servers[0].startup_timeout", "at most 10m"},
		"an open pattern":         {server("command: x\ntools: {include: [\"a[\"]}"), 5, "mcp_servers[0].tools.include[0]", "no pattern"},
		"a pattern twice":         {server("command: x\ntools: {include: [a, a]}"), 5, "mcp_servers[0].tools.include[1]", "already"},
		"an unknown hint":         {server("command: x\ntool_annotations: {t: {readonly: true}}"), 5, "mcp_servers[0].tool_annotations.t.readonly", "read_only"},
		"a hint twice":            {server("command: x\ntool_annotations: {t: {read_only: true, readOnlyHint: false}}"), 5, "mcp_servers[0].tool_annotations.t.readOnlyHint", "same as read_only"},
		"an empty pattern":        {server("command: x\ntools: {exclude: ['']}"), 5, "mcp_servers[0].tools.exclude[0]", "is empty"},
		"no authorization server": {server("url: https://h/\nauth: {authorization_server: h}"), 5, "mcp_servers[0].auth.authorization_server", "absolute"},
		"a url with a fragment":   {server("url: https://h/#x"), 4, "mcp_servers[0].url", "#"},
		"a url of no host":        {server("url: https:///x"), 4, "mcp_servers[0].url", "no host"},
		"hints in a list":         {server("command: x\ntool_annotations: {t: [read_only]}"), 5, "mcp_servers[0].tool_annotations.t", "map of hints"},
		"a hint of nobody":        {server("command: x\ntool_annotations: {t: {weather: true}}"), 5, "mcp_servers[0].tool_annotations.t.weather", "read_only, destructive"},
		"durations in a list":     {server("command: x\ntimeout: [1]"), 5, "mcp_servers[0].timeout", "is a list"},
		"a relative root":         {server("command: x\nroots: [srv]"), 5, "mcp_servers[0].roots[0]", "beginning with /"},
		"a prefix with a dot":     {server("command: x\ntool_prefix: a."), 5, "mcp_servers[0].tool_prefix", "prefix"},
	})
}

func TestParseRefusesOptionalKeys(t *testing.T) {
	const at = "mcp_servers[0].optional_keys[0]"
	refuses(t, map[string]refusal{
		"a variable's name":      {server("command: x\nenv: {TOKEN: \"${SECRET}\"}\noptional_keys: [SECRET]"), 6, at, "stands in: TOKEN"},
		"a key no value carries": {server("command: x\nenv: {TOKEN: \"${SECRET}\"}\noptional_keys: [TOKENN]"), 6, at, "Did you mean TOKEN?"},
		"no reference":           {server("command: x\nenv: {TOKEN: hunter2}\noptional_keys: [TOKEN]"), 6, at, "never left out"},
		"a literal one":          {server("command: x\nenv: {TOKEN: \"$${hunter2}\"}\noptional_keys: [TOKEN]"), 6, at, "never left out"},
		"the url's":              {server("url: https://${HOST}/\noptional_keys: [HOST]"), 5, at, "used by the url"},
		"a header twice":         {server("url: https://h/\nheaders: {X: \"${A}\"}\noptional_keys: [X, x]"), 6, "mcp_servers[0].optional_keys[1]", "already"},
	})
	parse(t, server("url: https://h/\nheaders: {X-A: \"${A}\"}\noptional_keys: [x-a]"))
	parse(t, server("command: x\nshared: false\noptional_keys: [TOKEN]")+"units:\n- name: B\n  mcp_env: {s: {TOKEN: \"${A}\"}}\n")
}

func TestParseReportsEverything(t *testing.T) {
	_, problems := document.Parse([]byte("nam: A\nunits:\n- name: B\n  lead: nobody\nmcp_servers:\n- {name: s, comand: x}\n- {name: S, command: x, timeout: 2h}\n"))
	var got []string
	for _, p := range problems {
		got = append(got, fmt.Sprintf("%d %s", p.Line, p.Path))
	}
	want := "1 nam, 1 name, 4 units[0].lead, 6 mcp_servers[0].comand, 7 mcp_servers[1].name, 7 mcp_servers[1].timeout"
	if strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s\n%v", strings.Join(got, ", "), want, problems)
	}
	many := "name: A\n" + strings.Repeat("x: 1\n", 500)
	if _, problems := document.Parse([]byte(many)); len(problems) != 101 || !strings.Contains(problems[100].Says, "400 more") {
		t.Errorf("got %d problems of 500, the last %v", len(problems), problems[len(problems)-1])
	}
}
