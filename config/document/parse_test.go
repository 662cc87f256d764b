package document_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"crewlet/config/document"
)

const full = `# Everything a document may hold.
name: Öresund Works
mission: |
  Build bridges.
  Keep them up.
vision: One town
policies: [be kind, "write it down"]
timezone: Europe/Copenhagen
units:
  - id: eng
    name: Engineering
    type: department
    purpose: Make it
    goals: [ship, sleep]
    lead: ada
    channel: "#eng"
    project: ENG
    space: engineering
    mcp_env:
      github: {Authorization: "Bearer ${ENG_GITHUB}"}
    schedules:
      - {name: triage, cron: "0 9 * * mon-fri", prompt: Sort the new work., seat: backend-lead}
    roles:
      - name: Ada
        kind: human
        email: ada@example.com
        contacts: {slack: U123}
        manages: [backend-lead, platform]
      - name: Backend lead
        goal: Keep the service up
        backstory: Long nights.
        responsibilities: answer pages
        behavioral_guidelines: [ask first]
        project: ENG
        space: company
        model: claude/claude-sonnet-4-5
        mcp_env:
          github:
            Authorization: Bearer ${LEAD_GITHUB}
        tools:
          - {server: files, tools: [read_file, list_directory]}
          - {server: github, tools: "*"}
        approve: ["delete_*"]
        sandbox: {kind: container, image: crewlet/box, secrets: [DEPLOY_KEY], timeout: 45m}
        schedules: [{name: weekly, cron: "*/15 0-6/2 1,15 jan *", prompt: Tidy, enabled: false}]
        budget: {tokens_per_day: 1000000, calls_per_minute: 30}
    children:
      - name: Platform
roles:
  - {name: Chief of staff, handle: chief}
mcp_servers:
  - name: files
    command: npx
    args: ["-y", "@modelcontextprotocol/server-filesystem", /srv]
    env:
      TOKEN: ${FILES_TOKEN}
      LITERAL: $${NOT_ONE} costs $5
    optional_keys: [TOKEN]
    tool_prefix: fs_
    tools: {include: ["read_*"], resources: false, approve: ["write_*"]}
    start: lazy
    idle_stop: 90
    tool_annotations:
      read_file: {readOnlyHint: true, open_world: false}
    supports_parallel_tool_calls: true
    timeout: 90s
    startup_timeout: 2m
    roots: [/srv]
    limits: {per_minute: 60, per_day: 5000}
    sampling: {enabled: false, allowed_models: [small], log_level: debug}
    trust: pin
  - name: github
    url: https://${GITHUB_HOST}/mcp/
    shared: false
    headers: {X-Team: eng}
  - name: wiki
    transport: sse
    url: https://wiki.example.com/sse
    auth: {scopes: [read], client_id: abc, client_secret: "${WIKI_SECRET}", redirect: loopback}
    enabled: false
  - {name: notes, url: "http://127.0.0.1:9/mcp", auth: oauth}
callers:
  tokens:
    release-bot:
      may: {start: [backend-lead], read: all, answer: [chief, {project: ENG, asks: [question, approval]}]}
      seat: ada
  issuers:
    - issuer: https://gitlab.example.com
      audience: crewlet
      groups:
        acme/platform: {answer: all, steer: [ENG]}
providers:
  default: claude/claude-sonnet-4-5
  auxiliary: local/small
  connections:
    - {name: claude, kind: anthropic, keys: ["${ANTHROPIC_KEY}"], cooldown: 30s}
    - {name: local, kind: openai_compatible, base_url: "http://localhost:1234/v1"}
budgets: {company: {tokens_per_month: 9000000}, seat: {calls_per_day: 100}}
tracker: {backend: native}
knowledge: {backend: none}
artifacts: {agents_manage_others: true, origin: https://artifacts.example.com}
audit: {payloads: true, retention_days: 30}
inbox_retention_days: 90
`

func parse(t *testing.T, text string) *document.Document {
	t.Helper()
	d, problems := document.Parse([]byte(text))
	if len(problems) > 0 {
		t.Fatalf("refused:\n%v", problems)
	}
	return d
}

func TestParseReadsEveryKey(t *testing.T) {
	for name, text := range map[string]string{
		"LF": full, "CRLF": strings.ReplaceAll(full, "\n", "\r\n"), "a byte order mark": "\ufeff" + full,
	} {
		t.Run(name, func(t *testing.T) { readsEveryKey(t, parse(t, text)) })
	}
}

func readsEveryKey(t *testing.T, d *document.Document) {
	eng, lead := d.Units[0], d.Units[0].Roles[1]
	files, github, wiki, notes := d.MCPServers[0], d.MCPServers[1], d.MCPServers[2], d.MCPServers[3]
	bot := d.Callers.Tokens["release-bot"]
	hints := files.ToolAnnotations["read_file"]
	for what, c := range map[string][2]any{
		"company":      {[]string{d.Name, d.Mission, d.Timezone, d.Policies[1]}, []string{"Öresund Works", "Build bridges.\nKeep them up.\n", "Europe/Copenhagen", "write it down"}},
		"unit":         {[]any{eng.ID, eng.Lead, eng.Project, eng.Children[0].ID, eng.Line}, []any{"eng", "ada", "ENG", "platform", 10}},
		"schedules":    {[]bool{eng.Schedules[0].Enabled, lead.Schedules[0].Enabled}, []bool{true, false}},
		"seats":        {[]any{lead.Handle, lead.Agent(), eng.Roles[0].Agent(), lead.Responsibilities}, []any{"backend-lead", true, false, document.Texts{"answer pages"}}},
		"allowlist":    {[]bool{lead.Tools[1].Tools.All, lead.Tools[0].Tools.Has("read_file"), lead.Tools[0].Tools.Has("x")}, []bool{true, true, false}},
		"sandbox":      {[]any{lead.Sandbox.Kind, lead.Sandbox.Timeout.Std()}, []any{"container", 45 * time.Minute}},
		"budgets":      {[]int{lead.Budget.TokensPerDay, d.Budgets.Seat.CallsPerDay}, []int{1000000, 100}},
		"transports":   {[]string{files.Transport(), github.Transport(), wiki.Transport(), notes.Transport()}, []string{"stdio", "http", "sse", "http"}},
		"switches":     {[]bool{files.Shared, github.Shared, files.Enabled, wiki.Enabled, files.Pinned(), github.Pinned(), files.Lazy()}, []bool{true, false, true, false, true, false, true}},
		"durations":    {[]time.Duration{files.Timeout.Std(), files.IdleStop.Std(), github.Timeout.Std()}, []time.Duration{90 * time.Second, 90 * time.Second, time.Minute}},
		"filters":      {[]bool{files.Tools.Resources, files.Tools.Prompts, github.Tools.Resources}, []bool{false, true, true}},
		"hints":        {[]any{*hints.ReadOnly, *hints.OpenWorld, hints.Destructive == nil}, []any{true, false, true}},
		"sampling":     {[]any{files.Sampling.Enabled, files.Sampling.MaxTokensCap, github.Sampling.Enabled, github.Sampling.MaxRPM}, []any{false, 4096, true, 10}},
		"oauth":        {[]any{wiki.Auth.Redirect, notes.Auth.Type, notes.Auth.Redirect, github.Auth == nil}, []any{"loopback", "oauth", "node", true}},
		"caller":       {[]any{bot.May.Read.All, bot.May.Start.Has("backend-lead"), bot.May.Answer.Items}, []any{true, true, answers()}},
		"issuer":       {d.Callers.Issuers[0].Groups["acme/platform"].Answer.All, true},
		"providers":    {d.Providers.Connections[0].Cooldown.Std(), 30 * time.Second},
		"sections":     {[]any{d.Tracker.Backend, d.Knowledge.Backend, d.Artifacts.AgentsManageOthers, d.Audit.RetentionDays, d.InboxDays}, []any{"native", "none", true, 30, 90}},
		"server lines": {[]int{files.Line, github.Line}, []int{52, 72}},
	} {
		if !reflect.DeepEqual(c[0], c[1]) {
			t.Errorf("%s: got %v, want %v", what, c[0], c[1])
		}
	}
}

func answers() []document.Answer {
	return []document.Answer{
		{Project: "chief", Kinds: document.Choice{All: true}},
		{Project: "ENG", Kinds: document.Choice{Names: []string{"question", "approval"}}},
	}
}

func TestParseLeavesOut(t *testing.T) {
	for name, text := range map[string]string{
		"nothing but a name":   "name: Acme\n",
		"nulls":                "name: Acme\nunits:\nmcp_servers: # none yet\ncallers:\ntracker:\nbudgets: ~\naudit: null\ntimezone:\n",
		"empty lists":          "name: Acme\nunits: []\nmcp_servers: [] # none yet\ncallers: {}\n",
		"a document's dashes":  "---\nname: Acme\n...\n",
		"no final newline":     "name: Acme",
		"quotes":               "\"name\": 'Acme'",
		"spaces in prose":      "name: Acme\nmission: >\n  one \n  two\n\n    three  \n",
		"flow style":           "{name: Acme, mcp_servers: []}",
		"a trailing space":     "name: Acme   \n\n\n",
		"a comment with a tab": "name: Acme\t# the name\n#\tmore\n",
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, text)
			got := []any{d.Name, d.Timezone, d.InboxDays, d.Audit.RetentionDays, d.Tracker.Backend, len(d.MCPServers)}
			if want := []any{"Acme", "UTC", 365, 90, "native", 0}; !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestParseReadsWhatIsLeftOut(t *testing.T) {
	t.Run("defaults below nulls", func(t *testing.T) {
		d := parse(t, "name: A\nmcp_servers:\n- name: a\n  command: b\n  tools:\n  sampling:\n  env:\n  timeout:\n  shared:\n")
		s := d.MCPServers[0]
		if !s.Tools.Resources || !s.Sampling.Enabled || s.Timeout.Std() != time.Minute || !s.Shared {
			t.Errorf("got %+v", s)
		}
	})
}

func TestParseReadsAnchorsAndText(t *testing.T) {
	t.Run("builtins only", func(t *testing.T) {
		d := parse(t, "name: A\nroles:\n- {name: b, tools: []}\n- {name: c}\n")
		if d.Roles[0].Tools == nil || d.Roles[1].Tools != nil {
			t.Errorf("an empty allowlist and none are read alike: %v %v", d.Roles[0].Tools, d.Roles[1].Tools)
		}
	})
	t.Run("anchors and merges", func(t *testing.T) {
		d := parse(t, "name: A\nmcp_servers:\n- &base\n  name: a\n  command: npx\n  args: &args [x]\n- <<: *base\n  name: b\n- {<<: *base, name: d}\n- name: c\n  command: d\n  args: *args\n")
		if d.MCPServers[1].Command != "npx" || d.MCPServers[1].Name != "b" || d.MCPServers[3].Args[0] != "x" || d.MCPServers[2].Name != "d" || !d.MCPServers[1].Shared {
			t.Errorf("got %+v", d.MCPServers)
		}
	})
	t.Run("composed text", func(t *testing.T) {
		d := parse(t, "name: \"Cafe\\u0301\"\nmcp_servers:\n- {name: a, command: \"/bin/cafe\\u0301\"}\n")
		if d.Name != "Café" || d.MCPServers[0].Command != "/bin/cafe\u0301" {
			t.Errorf("got %q and %q", d.Name, d.MCPServers[0].Command)
		}
	})
}
