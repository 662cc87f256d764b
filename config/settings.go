// Package config reads what a node is told by its environment: where it
// listens, where its data lies, which keys it holds. Everything is read and
// checked once, at the start; the company itself is described by a document
// (package document) that people edit while the node runs.
package config

import (
	"log/slog"
	"net/netip"
	"net/url"
	"path/filepath"
)

// Settings is a node's environment, checked. Its zero value is no node: use
// Read.
type Settings struct {
	Listen       string         // CREWLET_LISTEN: host:port
	Data         string         // CREWLET_DATA: an absolute directory
	DatabaseURL  string         // CREWLET_DATABASE_URL: "" means the embedded Postgres
	PGBin        string         // CREWLET_PG_BIN: directory of Postgres's programs, "" to look for them
	BaseURL      *url.URL       // CREWLET_BASE_URL: how people reach the dashboard; made from Listen when unset
	NodeURL      *url.URL       // CREWLET_NODE_URL: how other nodes reach this one; nil when unset
	Company      string         // CREWLET_COMPANY: a file imported when there is no revision yet, and looked for only then
	Keyring      string         // CREWLET_KEYRING: the file of sealing keys; <Data>/keyring when unset
	Tokens       string         // CREWLET_TOKENS: the file of the node's own tokens, "" for none; see ReadTokens
	MaxGrants    Grants         // CREWLET_MAX_GRANTS: the most anybody may do on this node
	ReplicaURL   string         // CREWLET_REPLICA_URL: a read replica, "" for none
	TrustedProxy []netip.Prefix // CREWLET_TRUSTED_PROXY: who may say where a request came from
	TLSCert      string         // CREWLET_TLS_CERT: a PEM file, set together with TLSKey
	TLSKey       string         // CREWLET_TLS_KEY: a PEM file
	SMTPURL      *url.URL       // CREWLET_SMTP_URL: smtp:// or smtps://; nil when no mail is sent. May hold a password: never print it
	Log          Log            // CREWLET_LOG
}

// Log is how much the node writes to its log, and how.
type Log struct {
	Level slog.Level
	JSON  bool // one JSON object a line instead of text
}

// Loopback reports whether the node can be reached from its own machine only.
func (s Settings) Loopback() bool {
	host, _, err := splitListen(s.Listen)
	return err == nil && loopback(host)
}

// Read reads and checks the settings. getenv answers a variable's value;
// names are the variables present in the environment, so that one nobody
// knows is refused (a misspelt CREWLET_ name would otherwise be obeyed by
// nobody). CREWLET_URL, CREWLET_TOKEN and CREWLET_CHILD belong to commands
// and children and are not read. Everything wrong is reported at once, as
// Problems. A variable set to nothing counts as unset.
func Read(getenv func(string) string, names []string) (Settings, error) {
	r := &reading{getenv: getenv}
	r.unknown(names)
	s := Settings{
		Listen:      r.listen(),
		Data:        r.directory("CREWLET_DATA", ".crewlet"),
		DatabaseURL: r.database("CREWLET_DATABASE_URL"),
		PGBin:       r.existing("CREWLET_PG_BIN", true),
		NodeURL:     r.address("CREWLET_NODE_URL"),
		Company:     r.path("CREWLET_COMPANY", ""),
		Tokens:      r.existing("CREWLET_TOKENS", false),
		MaxGrants:   r.grants("CREWLET_MAX_GRANTS"),
		ReplicaURL:  r.database("CREWLET_REPLICA_URL"),
		TLSCert:     r.existing("CREWLET_TLS_CERT", false),
		TLSKey:      r.existing("CREWLET_TLS_KEY", false),
		SMTPURL:     r.smtp("CREWLET_SMTP_URL"),
		Log:         r.log("CREWLET_LOG"),
	}
	s.TrustedProxy = r.networks("CREWLET_TRUSTED_PROXY")
	s.Keyring = r.path("CREWLET_KEYRING", filepath.Join(s.Data, "keyring"))
	s.BaseURL = r.base(s)
	r.together(s)
	if len(r.problems) > 0 {
		return Settings{}, r.problems
	}
	return s, nil
}
