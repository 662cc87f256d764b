package access

import (
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
)

// Row is one line of the authority table. Every verb has exactly one.
type Row struct {
	Rule   Rule
	Needs  Grants
	StepUp bool // a sensitive act: the password within the hour
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
	if r.StepUp {
		s += " step-up"
	}
	return s
}

// Facts is what a rule may ask about the object, loaded by its area.
type Facts struct {
	Owner string // Principal.Key of whose record it is; empty where nobody owns it
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

// Owns decides the object half of a self row.
func Owns(row Row, facts Facts, by Principal) error {
	if row.Rule != RuleSelf || facts.Owner == by.Key() {
		return nil
	}
	return refusal.Forbidden.Say("This belongs to somebody else.").With("reason", "not_self")
}

func stale(by Principal) error {
	if by.Kind == Person {
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
