package access

// Kind is what sort of actor a principal is.
type Kind string

// The kinds of principal there are.
const (
	Nobody  Kind = ""        // nothing was presented
	Person  Kind = "person"  // signed in with a browser, or their own token
	Seat    Kind = "seat"    // an agent in its turn
	Machine Kind = "machine" // a service account
	Engine  Kind = "engine"  // this program itself
)

// Principal is who acts: kind, id and the credential it came with, never a
// name. A name is only for people to read.
type Principal struct {
	Kind       Kind
	ID         string // UUID of the person or token; the name for node tokens; empty for the engine
	Credential string // session:<id>, token:<id> or node:<id>; empty for the engine
	Name       string // login or label, for the screen and the record
	Grants     Grants // what it may do now, the node's ceiling already applied
	// Fresh says that sensitive acts are open: the password was typed within
	// the hour, or the token was minted for them.
	Fresh bool
}

// Key is the stable name under which operations and records keep this
// principal.
func (p Principal) Key() string { return string(p.Kind) + ":" + p.ID }

// RecordedAs is the actor's word in the log: human, agent, operator, system.
func (p Principal) RecordedAs() string {
	switch p.Kind {
	case Seat:
		return "agent"
	case Engine:
		return "system"
	default:
		return "operator"
	}
}

// System is the engine acting for itself.
func System() Principal { return Principal{Kind: Engine, Name: "crewlet", Grants: All, Fresh: true} }
