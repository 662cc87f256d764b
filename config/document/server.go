package document

// Server is one entry of mcp_servers: how a server is reached or started,
// and what of it is offered. Defaults are filled in.
type Server struct {
	Name            string            `yaml:"name" is:"line,40"`
	Kind            string            `yaml:"transport" oneof:"stdio http sse"` // as written; see Transport
	Command         string            `yaml:"command" is:"value,4096"`          // passed as written, never through a shell
	Args            []string          `yaml:"args" is:"value"`
	URL             string            `yaml:"url" is:"value,4096"` // may hold ${NAME}
	Env             map[string]string `yaml:"env" is:"value"`      // stdio
	Headers         map[string]string `yaml:"headers" is:"value"`  // http and sse
	OptionalKeys    []string          `yaml:"optional_keys" is:"line,200"`
	Shared          bool              `yaml:"shared"`  // true when left out
	Enabled         bool              `yaml:"enabled"` // true when left out
	Auth            *Auth             `yaml:"auth"`
	ToolPrefix      string            `yaml:"tool_prefix" is:"line,40"`
	Tools           ServerTools       `yaml:"tools"`
	Start           string            `yaml:"start" oneof:"eager lazy"` // eager when left out
	ToolAnnotations map[string]Hints  `yaml:"tool_annotations"`
	ParallelCalls   bool              `yaml:"supports_parallel_tool_calls"`
	Timeout         Duration          `yaml:"timeout" upto:"1h"`          // of one call; 60s when left out
	StartupTimeout  Duration          `yaml:"startup_timeout" upto:"10m"` // of connecting, and again of listing; 60s when left out
	IdleStop        Duration          `yaml:"idle_stop" upto:"1h"`        // for start: lazy; 10m when left out
	Roots           []string          `yaml:"roots" is:"line,4096"`
	AllowPrivate    bool              `yaml:"allow_private_addresses"`
	Limits          Limits            `yaml:"limits"`
	Sampling        Sampling          `yaml:"sampling"`
	Trust           string            `yaml:"trust" oneof:"pin follow"` // follow when left out
	Line            int               `yaml:"-"`                        // where the entry begins, 1-based
}

// ServerTools says which of a server's tools are offered, and which wait for
// a person. Include and Exclude hold bare tool names and globs; Include wins.
type ServerTools struct {
	Include   []string `yaml:"include" is:"line,200"`
	Exclude   []string `yaml:"exclude" is:"line,200"`
	Resources bool     `yaml:"resources"` // true when left out
	Prompts   bool     `yaml:"prompts"`   // true when left out
	Approve   []string `yaml:"approve" is:"line,200"`
}

// Limits are how many calls to a server each caller may make. Zero is no
// limit.
type Limits struct {
	PerMinute int `yaml:"per_minute" range:"1,1000000"`
	PerDay    int `yaml:"per_day" range:"1,100000000"`
}

// Sampling says whether, and how much, a server may ask the company's model.
type Sampling struct {
	Enabled       bool     `yaml:"enabled"` // true when left out
	Model         string   `yaml:"model" is:"line,200"`
	MaxTokensCap  int      `yaml:"max_tokens_cap" range:"1,1000000"` // 4096 when left out
	Timeout       Duration `yaml:"timeout" upto:"1h"`                // 30s when left out
	MaxRPM        int      `yaml:"max_rpm" range:"1,100000"`         // 10 when left out
	MaxToolRounds int      `yaml:"max_tool_rounds" range:"0,100"`    // 5 when left out
	AllowedModels []string `yaml:"allowed_models" is:"line,200"`
	LogLevel      string   `yaml:"log_level" oneof:"debug info warn error"` // info when left out
}

// Hints override what a server says about one of its tools. Nil is unknown,
// which is never taken for no.
type Hints struct {
	ReadOnly    *bool
	Destructive *bool
	Idempotent  *bool
	OpenWorld   *bool
}

// Auth is OAuth 2.1 for an http server, written auth: oauth, or as a map of
// its options.
type Auth struct {
	Type         string   `yaml:"type" oneof:"oauth"` // oauth when left out
	Scopes       []string `yaml:"scopes" is:"line,200"`
	ClientID     string   `yaml:"client_id" is:"line,500"`
	ClientSecret string   `yaml:"client_secret" is:"value,200"` // one ${NAME}, never the secret itself
	Server       string   `yaml:"authorization_server" is:"line,2000"`
	Redirect     string   `yaml:"redirect" oneof:"node loopback"` // node when left out
}

// Transport is stdio, http (Streamable HTTP) or sse (the legacy one): the
// one written, or else stdio beside a command and http beside a url.
func (s *Server) Transport() string {
	switch {
	case s.Kind != "":
		return s.Kind
	case s.URL != "":
		return "http"
	}
	return "stdio"
}

// Lazy reports whether the server is started by its first call.
func (s *Server) Lazy() bool { return s.Start == "lazy" }

// Pinned reports whether changed tools wait for an administrator.
func (s *Server) Pinned() bool { return s.Trust == "pin" }

// Values are the variables (stdio) or headers (http, sse) the entry gives.
func (s *Server) Values() map[string]string {
	if s.Transport() == "stdio" {
		return s.Env
	}
	return s.Headers
}
