package document

import (
	"errors"
	"time"

	"go.yaml.in/yaml/v3"
)

// Defaults are set before a value is read over them. Each type that has some
// reads itself through a twin without methods.

// NewServer is a server of which nothing has been said: every default is set.
func NewServer() Server {
	return Server{
		Shared: true, Enabled: true, Start: "eager", Trust: "follow",
		Tools:   ServerTools{Resources: true, Prompts: true},
		Timeout: Duration(time.Minute), StartupTimeout: Duration(time.Minute), IdleStop: Duration(10 * time.Minute),
		Sampling: newSampling(),
	}
}

func newSampling() Sampling {
	return Sampling{Enabled: true, MaxTokensCap: 4096, Timeout: Duration(30 * time.Second), MaxRPM: 10, MaxToolRounds: 5, LogLevel: "info"}
}

func newDocument() Document {
	return Document{
		Timezone: "UTC", InboxDays: 365, Audit: Audit{RetentionDays: 90},
		Tracker: Tracker{Backend: "native"}, Knowledge: Knowledge{Backend: "native"},
	}
}

// UnmarshalYAML reads a server over its defaults.
func (s *Server) UnmarshalYAML(read func(any) error) error {
	type twin Server
	v := twin(NewServer())
	err := read(&v)
	*s = Server(v)
	return told(err)
}

// UnmarshalYAML reads the tool filters over their defaults.
func (s *ServerTools) UnmarshalYAML(read func(any) error) error {
	type twin ServerTools
	v := twin{Resources: true, Prompts: true}
	err := read(&v)
	*s = ServerTools(v)
	return told(err)
}

// UnmarshalYAML reads the sampling rules over their defaults.
func (s *Sampling) UnmarshalYAML(read func(any) error) error {
	type twin Sampling
	v := twin(newSampling())
	err := read(&v)
	*s = Sampling(v)
	return told(err)
}

// UnmarshalYAML reads a schedule over its defaults.
func (s *Schedule) UnmarshalYAML(read func(any) error) error {
	type twin Schedule
	v := twin{Enabled: true}
	err := read(&v)
	*s = Schedule(v)
	return told(err)
}

// UnmarshalYAML reads a seat over its defaults.
func (r *Role) UnmarshalYAML(read func(any) error) error {
	type twin Role
	v := twin{Kind: "agent"}
	err := read(&v)
	*r = Role(v)
	return told(err)
}

// UnmarshalYAML reads a sandbox over its defaults.
func (s *Sandbox) UnmarshalYAML(read func(any) error) error {
	type twin Sandbox
	v := twin{Kind: "process", Timeout: Duration(30 * time.Minute)}
	err := read(&v)
	*s = Sandbox(v)
	return told(err)
}

// UnmarshalYAML reads a provider's connection over its defaults.
func (c *Connection) UnmarshalYAML(read func(any) error) error {
	type twin Connection
	v := twin{Cooldown: Duration(time.Minute), Timeout: Duration(2 * time.Minute)}
	err := read(&v)
	*c = Connection(v)
	return told(err)
}

// told takes back a complaint about types that the walk over the tree has made
// at its path and line: a reader that heard it again would drop the whole entry
// and count those behind it wrongly. What else went wrong stays.
func told(err error) error {
	if _, ok := errors.AsType[*yaml.TypeError](err); ok {
		return nil
	}
	return err
}
