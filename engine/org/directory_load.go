package org

import (
	"context"
	"database/sql"
	"fmt"

	"crewlet/config/document"
	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/company"
)

// holder is a person as the directory needs them.
type holder struct {
	ID       string `db:"id"`
	Login    string `db:"login"`
	Name     string `db:"name"`
	Email    string `db:"email"`
	Seat     string `db:"seat"`
	Withheld bool   `db:"withheld"`
}

// The version is read with the people, in one look: elsewhere they could be
// newer than it says.
const (
	everybody = `
		SELECT h.version, p.id, p.login, p.name, p.email, p.seat, p.withheld
		FROM people_head h LEFT JOIN people p ON true ORDER BY p.login COLLATE "C"`
	formerSeats = `SELECT id, handle FROM seats WHERE NOT declared`
)

// load makes the directory of a document and of the people a transaction sees.
func load(ctx context.Context, tx *db.Tx, standing *company.Standing) (*Directory, error) {
	var rows []struct {
		Version  int64          `db:"version"`
		ID       sql.NullString `db:"id"`
		Login    sql.NullString `db:"login"`
		Name     sql.NullString `db:"name"`
		Email    sql.NullString `db:"email"`
		Seat     sql.NullString `db:"seat"`
		Withheld sql.NullBool   `db:"withheld"`
	}
	if err := tx.SelectContext(ctx, &rows, everybody); err != nil {
		return nil, fmt.Errorf("read the people: %w", err)
	}
	var former []struct {
		ID     string `db:"id"`
		Handle string `db:"handle"`
	}
	if err := tx.SelectContext(ctx, &former, formerSeats); err != nil {
		return nil, fmt.Errorf("read the seats that were: %w", err)
	}
	d := &Directory{
		revision: standing.ID, parties: map[string]Member{}, unit: map[string]Unit{}, manages: map[string][]string{},
		known: map[string]int{}, folded: map[string][]int{},
	}
	var people []holder
	for _, row := range rows {
		d.version = row.Version
		if row.ID.Valid {
			people = append(people, holder{row.ID.String, row.Login.String, row.Name.String, row.Email.String, row.Seat.String, row.Withheld.Bool})
		}
	}
	for _, seat := range former {
		m := Member{Party: access.SeatParty(seat.ID), Handle: seat.Handle, Name: seat.Handle, Kind: "agent"}
		d.former = append(d.former, m)
		d.parties[m.Party] = m
	}
	d.addUnits(standing)
	d.addMembers(standing, people)
	return d, nil
}

func (d *Directory) addUnits(standing *company.Standing) {
	ids := standing.IDs.Seats
	for _, placed := range standing.Document.AllUnits() {
		u := Unit{ID: placed.Unit.ID, Name: placed.Unit.Name, Project: placed.Unit.Project, Lead: seatParty(ids, placed.Unit.Lead)}
		if placed.Parent != nil {
			u.Parent = placed.Parent.ID
		}
		d.units = append(d.units, u)
		d.unit[u.ID] = u
	}
}

// seatParty is the party of the seat with a handle; "" where there is none.
func seatParty(ids map[string]string, handle string) string {
	if id := ids[handle]; id != "" {
		return access.SeatParty(id)
	}
	return ""
}

func (d *Directory) addMembers(standing *company.Standing, people []holder) {
	ids, held := standing.IDs.Seats, map[string]holder{}
	for _, p := range people {
		if p.Seat != "" {
			held[p.Seat] = p
		}
	}
	seated := map[string]bool{}
	for _, placed := range standing.Document.Seats() {
		id := ids[placed.Role.Handle]
		m, called := seat(placed, id, held[id])
		d.add(m, called)
		seated[m.Person] = true
		for _, name := range placed.Role.Manages {
			managed := seatParty(ids, name)
			if managed == "" {
				managed = unitMark + name
			}
			d.manages[m.Party] = append(d.manages[m.Party], managed)
		}
	}
	for _, p := range people {
		if seated[p.ID] {
			d.parties[access.PersonParty(p.ID)] = d.parties[access.SeatParty(p.Seat)]
			continue
		}
		m := Member{Party: access.PersonParty(p.ID), Name: p.Name, Kind: "human", Person: p.ID, Withheld: p.Withheld, Declared: true}
		called := []string{p.Name}
		if !p.Withheld {
			m.Login = p.Login
			called = append(called, p.Login, p.Email)
		}
		d.add(m, called)
	}
}

// seat is a seat's member and all it may be called. What reaches a withheld
// person names nobody.
func seat(placed document.Placed, id string, p holder) (Member, []string) {
	r := placed.Role
	m := Member{Party: access.SeatParty(id), Handle: r.Handle, Name: r.Name, Role: r.Name, Kind: r.Kind, Declared: true}
	if placed.Unit != nil {
		m.Unit = placed.Unit.ID
	}
	called := []string{r.Handle, r.Name}
	if p.ID != "" {
		m.Person, m.Name, m.Withheld = p.ID, p.Name, p.Withheld
		called = append(called, p.Name)
	}
	if m.Withheld {
		return m, called
	}
	m.Login = p.Login
	called = append(called, p.Login, p.Email, r.Email)
	for _, contact := range r.Contacts {
		called = append(called, contact)
	}
	return m, called
}
