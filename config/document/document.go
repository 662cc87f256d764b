// Package document is the company document: the YAML text in which people
// describe their company, its units and seats, and the MCP servers they use.
//
// Parse reads a text strictly and reports everything wrong with it, each
// problem at its path and line. Apply changes a text in place, so that every
// byte nobody meant to change stays as its author wrote it.
//
// Texts of the parsed document are in Unicode's NFC; values handed to
// programs (commands, arguments, environments, headers, addresses) are left
// exactly as written.
package document

// Document is a company, as its document describes it. Names and references
// in it have been checked: a handle named by a unit belongs to a seat.
type Document struct {
	Name       string    `yaml:"name" is:"line,120"`
	Mission    string    `yaml:"mission" is:"text"`
	Vision     string    `yaml:"vision" is:"text"`
	Policies   Texts     `yaml:"policies" is:"text"`
	Timezone   string    `yaml:"timezone" is:"line,64"` // an IANA name; UTC when left out
	Units      []Unit    `yaml:"units"`
	Roles      []Role    `yaml:"roles"` // seats that belong to no unit
	MCPServers []Server  `yaml:"mcp_servers"`
	Callers    Callers   `yaml:"callers"`
	Providers  Providers `yaml:"providers"`
	Budgets    Budgets   `yaml:"budgets"`
	Tracker    Tracker   `yaml:"tracker"`
	Knowledge  Knowledge `yaml:"knowledge"`
	Artifacts  Artifacts `yaml:"artifacts"`
	Audit      Audit     `yaml:"audit"`
	InboxDays  int       `yaml:"inbox_retention_days" range:"1,3650"`

	places map[string]place // of everything that was written, by path
}

// Unit is a part of the company: a department, a team. It holds seats and
// further units.
type Unit struct {
	ID        string     `yaml:"id" is:"line,64"` // a slug of the name when left out
	Name      string     `yaml:"name" is:"line,120"`
	Type      string     `yaml:"type" is:"line,60"` // in the company's own words
	Purpose   string     `yaml:"purpose" is:"text"`
	Goals     Texts      `yaml:"goals" is:"text"`
	Lead      string     `yaml:"lead" is:"line,64"`     // a seat's handle
	Channel   string     `yaml:"channel" is:"line,200"` // where the unit talks
	Project   string     `yaml:"project" is:"line,10"`  // the key of the project the unit owns
	Space     string     `yaml:"space" is:"line,64"`    // where its seats write pages
	MCPEnv    MCPEnv     `yaml:"mcp_env" is:"value"`    // the base for its direct agent seats
	Schedules []Schedule `yaml:"schedules"`
	Roles     []Role     `yaml:"roles"`
	Children  []Unit     `yaml:"children"`
	Line      int        `yaml:"-"`
}

// MCPEnv gives, server by server, the variables (or headers) a per-seat
// instance is started with.
type MCPEnv map[string]map[string]string

// Schedule wakes a seat by the clock.
type Schedule struct {
	Name    string `yaml:"name" is:"line,64"`
	Cron    string `yaml:"cron" is:"line,100"` // five fields, on the company's clock
	Prompt  string `yaml:"prompt" is:"text"`
	Seat    string `yaml:"seat" is:"line,64"` // on a unit only: who is woken; its lead when left out
	Enabled bool   `yaml:"enabled"`           // true when left out
}

// Tracker says which work tracker the company uses.
type Tracker struct {
	Backend string `yaml:"backend" oneof:"native none"` // native when left out
}

// Knowledge says which knowledge base the company uses.
type Knowledge struct {
	Backend string `yaml:"backend" oneof:"native none"` // native when left out
}

// Artifacts are the rules for what agents and people publish.
type Artifacts struct {
	AgentsManageOthers bool   `yaml:"agents_manage_others"` // an agent may be more than contributor on what it does not own
	Origin             string `yaml:"origin" is:"line,300"` // the separate address artifacts are served from, if any
}

// Audit says what of every call is kept, and for how many days.
type Audit struct {
	Payloads      bool `yaml:"payloads"`
	RetentionDays int  `yaml:"retention_days" range:"1,3650"` // 90 when left out
}

// Budgets are the ceilings of the company as a whole, and of each seat and
// each Caller that has none of its own.
type Budgets struct {
	Company Budget `yaml:"company"`
	Seat    Budget `yaml:"seat"`
	Caller  Budget `yaml:"caller"`
}

// Budget limits tokens and calls per window, on the company's clock. Zero is
// no limit.
type Budget struct {
	TokensPerDay   int `yaml:"tokens_per_day" range:"1,1000000000000"`
	TokensPerWeek  int `yaml:"tokens_per_week" range:"1,1000000000000"`
	TokensPerMonth int `yaml:"tokens_per_month" range:"1,1000000000000"`
	CallsPerMinute int `yaml:"calls_per_minute" range:"1,1000000"`
	CallsPerDay    int `yaml:"calls_per_day" range:"1,100000000"`
}
