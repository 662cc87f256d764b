package document

// Callers are the machines that may ask something of the company.
type Callers struct {
	Tokens  map[string]Caller `yaml:"tokens"`
	Issuers []Issuer          `yaml:"issuers"`
}

// Caller is one named machine token and what it may do.
type Caller struct {
	May     *May     `yaml:"may"`
	Seat    string   `yaml:"seat" is:"line,64"` // the person's seat it acts for, if any
	Approve []string `yaml:"approve" is:"line,200"`
	Budget  Budget   `yaml:"budget"`
}

// Issuer is a CI platform whose own signed tokens are taken as a credential.
type Issuer struct {
	Issuer   string         `yaml:"issuer" is:"line,500"`
	Audience string         `yaml:"audience" is:"line,500"`
	Groups   map[string]May `yaml:"groups"`
}

// May is what a Caller may do: each scope everywhere, or on the seats
// (lower case) and projects (upper case) it lists.
type May struct {
	Start  Choice  `yaml:"start" word:"all" is:"line,64"`
	Read   Choice  `yaml:"read" word:"all" is:"line,64"`
	Answer Answers `yaml:"answer"`
	Cancel Choice  `yaml:"cancel" word:"all" is:"line,64"`
	Steer  Choice  `yaml:"steer" word:"all" is:"line,64"`
}

// Answers is the answer scope: everywhere, or item by item.
type Answers struct {
	All   bool
	Items []Answer
}

// Answer is one seat or project whose asks may be answered, perhaps only
// some kinds of them. Kinds.All, and All above, never include approval: it
// has to be named.
type Answer struct {
	Project string `yaml:"project" is:"line,64"` // a project's key or, written bare, a seat's handle
	Kinds   Choice `yaml:"asks" word:"all" is:"line,20"`
}

// AskKinds lists the kinds of ask there are: a question, a decision, a
// parked coding run, a held tool call.
func AskKinds() []string { return []string{"question", "decision", "run", "approval"} }

// Providers are the model providers and which model does what. A model is
// written connection/model, such as claude/claude-sonnet-4-5.
type Providers struct {
	Default     string       `yaml:"default" is:"line,200"`
	Auxiliary   string       `yaml:"auxiliary" is:"line,200"`
	Embeddings  string       `yaml:"embeddings" is:"line,200"`
	Connections []Connection `yaml:"connections"`
}

// Connection is one model provider.
type Connection struct {
	Name     string   `yaml:"name" is:"line,40"`
	Kind     string   `yaml:"kind" oneof:"anthropic openai openai_compatible"`
	BaseURL  string   `yaml:"base_url" is:"line,2000"`
	Keys     []string `yaml:"keys" is:"value,200"` // each one ${NAME}
	Cooldown Duration `yaml:"cooldown" upto:"24h"` // of a key that was refused or is spent; 60s when left out
	Timeout  Duration `yaml:"timeout" upto:"1h"`   // of one request; 2m when left out
}
