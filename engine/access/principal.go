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
	Name       string // handle, login or label, for the screen and the record
	Grants     Grants // what it may do now, the node's ceiling already applied
	// Fresh says that sensitive acts are open: the password was typed within
	// the hour, or the token was minted for them.
	Fresh bool
	// Seat is the id of the seat the person or machine holds, or the seat
	// itself; Handle is what that seat is called now. Both are empty where
	// there is none.
	Seat, Handle string
}

// Key is the stable name under which operations and records keep this
// principal.
func (p Principal) Key() string { return string(p.Kind) + ":" + p.ID }

// Party is the name under which work knows this principal: its seat where it
// has one, so that work stays with the seat when somebody else takes it, and
// otherwise the person or machine. The engine and nobody have none.
func (p Principal) Party() string {
	switch p.Kind {
	case Seat:
		return p.Key()
	case Person, Machine:
		if p.Seat != "" {
			return SeatParty(p.Seat)
		}
		return p.Key()
	default:
		return ""
	}
}

// Parties are all the names this principal goes by: what was written under
// any of them is theirs.
func (p Principal) Parties() []string {
	party := p.Party()
	switch {
	case party == "":
		return nil
	case party == p.Key():
		return []string{party}
	default:
		return []string{p.Key(), party}
	}
}

// SeatParty is the party of a seat.
func SeatParty(id string) string { return string(Seat) + ":" + id }

// PersonParty is the party of a person who holds no seat.
func PersonParty(id string) string { return string(Person) + ":" + id }

// RecordedAs is the actor's word in the log: human, agent, operator, system.
// Whoever holds a seat acts as one of the company's people; without one, as
// its operator.
func (p Principal) RecordedAs() string {
	switch {
	case p.Kind == Seat:
		return "agent"
	case p.Kind == Engine:
		return "system"
	case p.Seat != "" && (p.Kind == Person || p.Kind == Machine):
		return "human"
	default:
		return "operator"
	}
}

// System is the engine acting for itself.
func System() Principal { return Principal{Kind: Engine, Name: "crewlet", Grants: All, Fresh: true} }
