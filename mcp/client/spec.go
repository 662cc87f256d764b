// Package client runs and speaks to external MCP servers. It knows nothing of
// companies: a [Pool] is handed resolved specs, keeps one supervised child
// per spec, and reports states and catalogues.
//
// From the bottom: a [Spawner] starts and buries processes (spawner, process,
// reap, mark, guard); frames and stdio carry JSON-RPC lines to the official
// SDK; a run is one life of a server, from its start to the last process of
// its group; a supervisor decides between lives, by the table in machine.go;
// the [Pool] keeps one supervisor per key.
package client

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"
)

// The limits of a spec that names none.
const (
	DefaultStartupTimeout = 60 * time.Second
	DefaultCallTimeout    = 60 * time.Second
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
	Key            Key
	Name           string // what people call the server; in logs and refusals
	Command        string // found on the PATH of Env when it holds no slash
	Args           []string
	Env            []string // the child's complete environment, NAME=value
	Dir            string   // working directory; "" is the program's own
	StartupTimeout time.Duration
	CallTimeout    time.Duration
	Secrets        []string // values replaced wherever the child's words are kept or shown
}

// Equal reports whether a child started from s may stay for o. The order of
// the environment and of the secrets does not matter.
func (s Spec) Equal(o Spec) bool { return s.Digest() == o.Digest() }

// Digest is equal for specs that start the same child under the same limits.
// It is a hash of secrets too, so it stays inside the program.
func (s Spec) Digest() string {
	s.Env = slices.Sorted(slices.Values(s.Env))
	s.Secrets = slices.Sorted(slices.Values(s.Secrets))
	s.StartupTimeout, s.CallTimeout = s.startupTimeout(), s.callTimeout()
	if len(s.Args) == 0 {
		s.Args = nil
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic("client: a spec is plain data: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
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
