package identity

import (
	"context"
	"fmt"
	"strings"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// BindSeat is what bind_seat is asked.
type BindSeat struct {
	Seat   string `json:"seat" validate:"required,max=64" jsonschema:"the seat's handle; it is a person's seat (kind: human)"`
	Person string `json:"person" validate:"required,max=200" jsonschema:"who is to hold it: login, name or id"`
}

// UnbindSeat is what unbind_seat is asked.
type UnbindSeat struct {
	Seat string `json:"seat" validate:"required,max=64" jsonschema:"the seat's handle"`
}

// Object names the seat for the record, as people know it.
func (a BindSeat) Object() string { return access.SeatParty(printable(a.Seat, 64)) }

// Object names the seat for the record, as people know it.
func (a UnbindSeat) Object() string { return access.SeatParty(printable(a.Seat, 64)) }

func declareBindSeat(i *Identity) tool.Use[BindSeat, PersonChanged] {
	return tool.Declare(tool.Spec{
		Name:     "bind_seat",
		Title:    "Put a person in a seat",
		Brief:    "Let a person hold a seat: they act under its handle from now on, lead what it leads, and find its work as theirs.",
		Access:   access.Operator(access.PeopleManage).Sensitive(),
		Audience: tool.Operators,
	}, i.bindSeat)
}

const seatPerson = `UPDATE people SET seat = nullif($2, '')::uuid WHERE id = $1`

func (i *Identity) bindSeat(ctx context.Context, c *tool.Call, in BindSeat) (PersonChanged, error) {
	d, m, err := i.who(ctx, c, in.Person, "person")
	if err != nil {
		return PersonChanged{}, err
	}
	seat, err := seatNamed(d, in.Seat, "seat")
	if err != nil {
		return PersonChanged{}, err
	}
	p, err := held(ctx, c, m.Person)
	if err != nil {
		return PersonChanged{}, err
	}
	c.About(seat.Party)
	switch {
	case seat.Kind != "human":
		return PersonChanged{}, refusal.Invalid.Say("%s is an agent's seat. A person holds a seat of kind: human; change its kind in the configuration, or choose another.", seat.Handle).On("seat")
	case p.Handle == seat.Handle:
		c.Unchanged()
		return p.changed(), nil
	case seat.Person != "":
		return PersonChanged{}, refusal.Conflict.Say("%s holds the seat %s. Take them out of it first.", seat.Name, seat.Handle)
	case p.Handle != "":
		return PersonChanged{}, refusal.Conflict.Say("%s holds the seat %s, and nobody holds two. Take them out of it first.", p.Name, p.Handle)
	}
	if err := p.sit(ctx, c, seat); err != nil {
		return PersonChanged{}, err
	}
	c.Changed("seat.bound", seat.Party, map[string]changes.Delta{"person": {To: p.Name}, "handle": {To: seat.Handle}})
	return p.changed(), nil
}

// sit puts a person in a seat nobody holds.
func (p *person) sit(ctx context.Context, c *tool.Call, seat org.Member) error {
	id := seatID(seat)
	_, err := c.Tx.ExecContext(ctx, seatPerson, p.ID, id)
	if db.Violates(err, "people_seat") {
		return refusal.Conflict.Say("Somebody took the seat %s this very moment. Look who holds it.", seat.Handle)
	}
	if err != nil {
		return fmt.Errorf("put person %s in seat %s: %w", p.ID, id, err)
	}
	p.Seat, p.Handle = id, seat.Handle
	return nil
}

func seatID(seat org.Member) string { return strings.TrimPrefix(seat.Party, access.SeatParty("")) }

// seatNamed finds a seat by its handle alone: nobody is put in a seat by a word
// that means somebody else.
func seatNamed(d *org.Directory, handle, field string) (org.Member, error) {
	m, err := d.Resolve(handle, field)
	if err == nil && m.Handle == "" {
		err = refusal.Invalid.Say("%s holds no seat. Write a seat's handle.", m.Name).On(field)
	}
	return m, err
}

func declareUnbindSeat(i *Identity) tool.Use[UnbindSeat, PersonChanged] {
	return tool.Declare(tool.Spec{
		Name:     "unbind_seat",
		Title:    "Take a person out of a seat",
		Brief:    "Let nobody hold a seat: its work stays with it, and whoever held it acts under their own name.",
		Access:   access.Operator(access.PeopleManage).Sensitive(),
		Audience: tool.Operators,
	}, i.unbindSeat)
}

func (i *Identity) unbindSeat(ctx context.Context, c *tool.Call, in UnbindSeat) (PersonChanged, error) {
	d, err := i.org(ctx, c)
	if err != nil {
		return PersonChanged{}, err
	}
	seat, err := seatNamed(d, in.Seat, "seat")
	if err != nil {
		return PersonChanged{}, err
	}
	c.About(seat.Party)
	if seat.Person == "" {
		c.Unchanged()
		return PersonChanged{Grants: []string{}}, nil
	}
	p, err := held(ctx, c, seat.Person)
	if err != nil {
		return PersonChanged{}, err
	}
	c.About(seat.Party)
	if p.Handle != seat.Handle { // taken out this very moment
		c.Unchanged()
		return p.changed(), nil
	}
	if _, err := c.Tx.ExecContext(ctx, seatPerson, p.ID, ""); err != nil {
		return PersonChanged{}, fmt.Errorf("take person %s out of their seat: %w", p.ID, err)
	}
	p.Seat, p.Handle = "", ""
	c.Changed("seat.unbound", seat.Party, map[string]changes.Delta{"person": {From: p.Name}, "handle": {To: seat.Handle}})
	return p.changed(), nil
}
