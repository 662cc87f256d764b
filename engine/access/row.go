package access

import (
	"slices"
	"strings"

	"crewlet/engine/refusal"
)

// Rule is the way a row decides.
type Rule string

// The rules of the authority table.
const (
	RuleRead     Rule = "read"     // whoever holds the grants, looking
	RuleWrite    Rule = "write"    // whoever holds the grants, changing
	RuleOperator Rule = "operator" // people and machines with the grants, never a seat
	RuleSelf     Rule = "self"     // one's own record, whoever one is
	RuleEngine   Rule = "engine"   // this program alone
	RuleOpen     Rule = "open"     // anybody, nobody included: signing in, health

	RuleOwnOrLead     Rule = "own or lead"    // one's own record, or that of somebody one leads
	RuleContainerLead Rule = "container lead" // who leads the project or unit it is in
	RuleAuthored      Rule = "authored"       // who wrote it
)

// Row is one line of the authority table. Every verb has exactly one.
type Row struct {
	Rule   Rule
	Needs  Grants // whoever it is
	Admits Grants // a person or machine with these needs to be neither owner, lead nor author
	StepUp bool   // a sensitive act: the password within the hour
}

// Read opens a verb to whoever holds the grants.
func Read(needs Grants) Row { return Row{Rule: RuleRead, Needs: needs} }

// Write opens a changing verb to whoever holds the grants.
func Write(needs Grants) Row { return Row{Rule: RuleWrite, Needs: needs} }

// Operator opens a verb to people and machines with the grants, never to a seat.
func Operator(needs Grants) Row { return Row{Rule: RuleOperator, Needs: needs} }

// Self opens a verb to the owner of the record it addresses.
func Self() Row { return Row{Rule: RuleSelf} }

// EngineOnly is for what the program does by itself.
func EngineOnly() Row { return Row{Rule: RuleEngine} }

// Open lets anybody in; the verb itself checks what it is shown.
func Open() Row { return Row{Rule: RuleOpen} }

// OwnOrLead opens a verb to whoever holds the grants, on their own record and
// on those of whom they lead.
func OwnOrLead(needs Grants) Row { return Row{Rule: RuleOwnOrLead, Needs: needs} }

// ContainerLead opens a verb to whoever holds the grants and leads the
// container, and to every person and machine with the grants.
func ContainerLead(needs Grants) Row {
	return Row{Rule: RuleContainerLead, Needs: needs, Admits: needs}
}

// Authored opens a verb to whoever holds the grants and wrote the object.
func Authored(needs Grants) Row { return Row{Rule: RuleAuthored, Needs: needs} }

// Or admits also people and machines with these grants, whoever's the object
// is; never a seat.
func (r Row) Or(grants Grants) Row {
	r.Admits = grants
	return r
}

// Sensitive marks a row as a sensitive act.
func (r Row) Sensitive() Row {
	r.StepUp = true
	return r
}

// String is the row as the printed table shows it.
func (r Row) String() string {
	s := string(r.Rule)
	if r.Needs != None {
		s += "(" + r.Needs.String() + ")"
	}
	if r.Admits != None && r.Admits != r.Needs {
		s += " or operator(" + r.Admits.String() + ")"
	}
	if r.StepUp {
		s += " step-up"
	}
	return s
}

// Facts is what a rule may ask about the object, loaded by its area. Each is
// a party or a principal's key, and empty where there is none.
type Facts struct {
	Owner  string   // whose record it is
	Author string   // who wrote it
	Leads  []string // who leads its owner or its container
}

// May decides a row on its principal alone: stage, kind, grants, freshness.
// It is asked before the database is. Nil means yes.
func May(row Row, by Principal) error {
	if row.Rule == RuleOpen {
		return nil
	}
	if by.Kind == Nobody {
		return refusal.Unauthenticated.Say("Sign in first, or send a token as \"Authorization: Bearer …\".")
	}
	if row.Rule == RuleEngine && by.Kind != Engine {
		return refusal.Forbidden.Say("Only the engine itself does this.").With("reason", "no_scope")
	}
	if by.Kind == Seat && row.Rule == RuleOperator {
		return refusal.Forbidden.Say("This is never a seat's to do; ask a person.").With("reason", "seat_refused")
	}
	if missing := row.Needs &^ by.Grants; missing != None {
		return refusal.Forbidden.Say("This needs %s, which you do not hold. Ask an administrator.", words(missing)).
			With("reason", "no_grant").With("grants", row.Needs.List())
	}
	if row.StepUp && !by.Fresh {
		return stale(by)
	}
	return nil
}

// Owns decides the object half of a row: whose it is, who wrote it, who leads
// there. It is asked of facts loaded on the call's own transaction. Nil means
// yes.
func Owns(row Row, facts Facts, by Principal) error {
	if row.admits(by) {
		return nil
	}
	switch row.Rule {
	case RuleSelf:
		if !is(by, facts.Owner) {
			return refusal.Forbidden.Say("This belongs to somebody else.").With("reason", "not_self")
		}
	case RuleOwnOrLead:
		if !is(by, facts.Owner) && !leads(by, facts) {
			return row.no("not_lead", "This belongs to somebody else, and only they and those who lead them may do this")
		}
	case RuleContainerLead:
		if !leads(by, facts) {
			return row.no("not_lead", "Only whoever leads here may do this")
		}
	case RuleAuthored:
		if !is(by, facts.Author) {
			return row.no("not_author", "Somebody else wrote this, and only they may do this")
		}
	}
	return nil
}

// admits reports whether the object does not matter: the caller is a person
// or a machine, and holds the grants that stand in for owning it.
func (r Row) admits(by Principal) bool {
	return r.Admits != None && (by.Kind == Person || by.Kind == Machine) && by.Grants.Has(r.Admits)
}

func is(by Principal, name string) bool {
	return name != "" && (name == by.Key() || slices.Contains(by.Parties(), name))
}

func leads(by Principal, facts Facts) bool {
	return slices.ContainsFunc(facts.Leads, func(lead string) bool { return is(by, lead) })
}

// no refuses for the object's sake, naming the grants that would admit.
func (r Row) no(reason, says string) error {
	if r.Admits == None {
		return refusal.Forbidden.Say("%s.", says).With("reason", reason)
	}
	return refusal.Forbidden.Say("%s, or a person with %s.", says, words(r.Admits)).
		With("reason", reason).With("grants", r.Admits.List())
}

func stale(by Principal) error {
	if by.Kind == Person && strings.HasPrefix(by.Credential, "session:") {
		return refusal.Forbidden.Say("It has been more than an hour since you typed your password. Type it again to go on; nothing you wrote is lost.").
			With("reason", "step_up")
	}
	return refusal.Forbidden.Say("This token was not minted for sensitive acts. Mint one with \"sensitive acts\", or do it in the browser.").
		With("reason", "step_up")
}

func words(g Grants) string {
	list := g.List()
	if len(list) == 1 {
		return "the grant " + list[0]
	}
	return "the grants " + strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
