// Package client runs and speaks to external MCP servers. It knows nothing of
// companies: a [Pool] is handed resolved specs, keeps one supervised child or
// connection per spec, and reports states and catalogues.
//
// From the bottom: a [Spawner] starts and buries processes (spawner, process,
// reap, mark, guard); three wires carry messages to the official SDK: stdio,
// over frames; streamable and legacysse, over remote, whose round-tripper
// holds the credentials; a link is one wire with its session; a life is one
// life of a server, from its start to the last process of its group; a
// supervisor decides between lives, by the table in machine.go; the [Pool]
// keeps one supervisor per key.
package client

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/textproto"
	"slices"
	"time"
)

// The limits of a spec that names none.
const (
	DefaultStartupTimeout = 60 * time.Second
	DefaultCallTimeout    = 60 * time.Second
	DefaultIdleStop       = 10 * time.Minute
)

// Transport is how a server is spoken to.
type Transport string

// The transports. A spec that names none has Stdio.
const (
	Stdio Transport = "stdio" // a child of ours
	HTTP  Transport = "http"  // Streamable HTTP
	SSE   Transport = "sse"   // the HTTP transport of 2024-11-05
)

// Key names one instance of one server: on a node, for one seat or for the
// whole company.
type Key struct {
	Server string // the server's immutable id
	Seat   string // the seat's immutable id, or "" for a shared server
	Node   string // the node's id
}

// Spec is a server with everything resolved: nothing in it is looked up,
// expanded or passed through a shell.
type Spec struct {
	Key       Key
	Name      string // what people call the server; in logs and refusals
	Transport Transport

	// Of Stdio.
	Command string // found on the PATH of Env when it holds no slash
	Args    []string
	Env     []string // the child's complete environment, NAME=value
	Dir     string   // working directory; "" is the program's own

	// Of HTTP and SSE.
	URL           string            // absolute, http or https
	Headers       map[string]string // sent with every request to the URL's origin and nowhere else
	AllowPrivate  bool              // whether it may be at a private, link-local or loopback address
	AllowLoopback bool              // whether it may be at a loopback address

	Roots          []string      // absolute directories, offered to the server as roots
	Lazy           bool          // started once to list, then by calls alone
	IdleStop       time.Duration // Lazy: how long without a call before it is stopped
	StartupTimeout time.Duration
	CallTimeout    time.Duration
	Secrets        []string // values replaced wherever the child's words are kept or shown

	// Print tells listings of different servers apart, and stands in every
	// Report beside them; it is nothing to the child.
	Print string
	// Listed says that a Lazy server's tools are known already, from another
	// start: it is not started to be listed.
	Listed bool
}

// Equal reports whether a child started from s may stay for o. The order of
// the environment and of the secrets does not matter, nor does the name.
func (s Spec) Equal(o Spec) bool { return s.Digest() == o.Digest() }

// Digest is equal for specs that start the same child under the same limits.
// It is a hash of secrets too, so it stays inside the program.
func (s Spec) Digest() string {
	s.Name, s.Print, s.Listed = "", "", false // what people call it, and know of it, is nothing to the child
	s.Env = slices.Sorted(slices.Values(s.Env))
	s.Secrets = slices.Sorted(slices.Values(s.Secrets))
	s.StartupTimeout, s.CallTimeout = s.startupTimeout(), s.callTimeout()
	s.Transport, s.IdleStop = s.transport(), s.idleStop()
	if len(s.Args) == 0 {
		s.Args = nil
	}
	if len(s.Roots) == 0 {
		s.Roots = nil
	}
	s.Headers = canonical(s.Headers)
	text, err := json.Marshal(s)
	if err != nil {
		panic("client: a spec is plain data: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// canonical spells the names of headers as they are sent.
func canonical(headers map[string]string) map[string]string {
	all := make(map[string]string, len(headers))
	for name, value := range headers {
		all[textproto.CanonicalMIMEHeaderKey(name)] = value
	}
	return all
}

func (s Spec) transport() Transport {
	if s.Transport == "" {
		return Stdio
	}
	return s.Transport
}

func (s Spec) idleStop() time.Duration {
	if s.IdleStop <= 0 {
		return DefaultIdleStop
	}
	return s.IdleStop
}

func (s Spec) startupTimeout() time.Duration {
	if s.StartupTimeout <= 0 {
		return DefaultStartupTimeout
	}
	return s.StartupTimeout
}

func (s Spec) callTimeout() time.Duration {
	if s.CallTimeout <= 0 {
		return DefaultCallTimeout
	}
	return s.CallTimeout
}
