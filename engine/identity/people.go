package identity

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// PersonChanged is what a change of a person came to.
type PersonChanged struct {
	Person   string   `json:"person"` // id
	Name     string   `json:"name"`
	Stage    string   `json:"stage"` // active or suspended
	Withheld bool     `json:"withheld"`
	Grants   []string `json:"grants"`
	Seat     string   `json:"seat,omitempty"` // handle of the one they hold
}

// who finds the person a word means, as a member of the company; a seat stands
// for whoever holds it. An id is a word, too.
func (i *Identity) who(ctx context.Context, c *tool.Call, word, field string) (*org.Directory, org.Member, error) {
	d, err := i.org(ctx, c)
	if err != nil {
		return nil, org.Member{}, err
	}
	if uuid.Validate(word) == nil {
		if m, ok := d.Member(access.PersonParty(word)); ok {
			return d, m, nil
		}
		return nil, org.Member{}, refusal.NotFound.Say("There is no such person.")
	}
	m, err := d.Resolve(word, field)
	if err == nil && m.Person == "" {
		err = refusal.Invalid.Say("Nobody holds the seat %s.", m.Handle).On(field)
	}
	return d, m, err
}

const (
	// Whoever changes what people may do holds this row, so that two who do it
	// at once see each other's change.
	holdPeople = `SELECT version FROM people_head FOR UPDATE`

	personByID = `
		SELECT p.id, p.login, p.name, p.grants, p.stage, p.withheld, coalesce(seat.id::text, '') AS seat, coalesce(seat.handle, '') AS handle
		FROM people p LEFT JOIN seats seat ON seat.id = p.seat AND seat.declared WHERE p.id = $1`

	administrators = `SELECT count(*) FROM people WHERE stage = 'active' AND grants && $1`
)

// held is the person with this id, who stays as they are until the transaction
// ends.
func held(ctx context.Context, c *tool.Call, id string) (person, error) {
	var version int64
	if err := c.Tx.GetContext(ctx, &version, holdPeople); err != nil {
		return person{}, fmt.Errorf("hold the people: %w", err)
	}
	c.About(personObject(id))
	var p person
	if err := c.Tx.GetContext(ctx, &p, personByID, id); err != nil {
		return person{}, fmt.Errorf("read person %s: %w", id, err)
	}
	return p, nil
}

func (p person) changed() PersonChanged {
	return PersonChanged{Person: p.ID, Name: p.Name, Stage: p.Stage, Withheld: p.Withheld, Grants: list(p.Grants), Seat: p.Handle}
}

// list is never null in JSON.
func list(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

// stillManaged refuses what would leave nobody who can let anybody in.
func stillManaged(ctx context.Context, c *tool.Call) error {
	var left int
	err := c.Tx.GetContext(ctx, &left, administrators, pq.StringArray{"all", access.PeopleManage.String()})
	if err != nil {
		return fmt.Errorf("count who manages people: %w", err)
	}
	if left == 0 {
		return refusal.Conflict.Say("Nobody would be left who manages people. Give people:manage to somebody else first.")
	}
	return nil
}

// confers refuses rights that somebody would give and does not hold.
func (i *Identity) confers(by access.Principal, gives access.Grants, field string) error {
	if over := gives &^ i.max; over != access.None {
		return refusal.Invalid.Say("This node allows nobody %s (CREWLET_MAX_GRANTS).", over).On(field)
	}
	if missing := gives &^ by.Grants; missing != access.None {
		return refusal.Invalid.Say("Nobody gives what they do not hold, and you do not hold %s.", missing).On(field)
	}
	return nil
}
