package identity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ListPeople asks for the people there are.
type ListPeople struct{}

// People is everybody who may sign in, by name, and the invitations nobody
// used yet.
type People struct {
	People      []PersonRead `json:"people"`
	Invitations []Invitation `json:"invitations"`
	// Free are the handles of people's seats that nobody holds.
	Free []SeatFree `json:"free_seats"`
}

// SeatFree is a seat somebody may be put in.
type SeatFree struct {
	Handle string `json:"handle"`
	Name   string `json:"name"`
}

// PersonRead is a person as those read them who manage people. Times are UTC.
type PersonRead struct {
	ID       string         `json:"id"`
	Login    string         `json:"login,omitempty"` // not of who is withheld
	Name     string         `json:"name"`
	Email    string         `json:"email,omitempty"`
	Grants   pq.StringArray `json:"grants"`
	Stage    string         `json:"stage"` // active or suspended
	Withheld bool           `json:"withheld"`
	Seat     string         `json:"seat,omitempty"` // handle
	Created  time.Time      `json:"created_at"`
	Seen     *time.Time     `json:"seen_at,omitempty"` // with a browser or a token of their own
}

func declareListPeople(i *Identity) tool.Use[ListPeople, People] {
	return tool.Declare(tool.Spec{
		Name:     "list_people",
		Title:    "People",
		Brief:    "List the people who may sign in: seat, grants, stage, last seen; and the invitations nobody used yet.",
		Access:   access.Operator(access.PeopleManage),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, i.listPeople)
}

// One statement, for the page's sake: each list comes along as one value.
const listPeople = `
	SELECT (
		SELECT coalesce(json_agg(p ORDER BY lower(p.name), p.id), '[]') FROM (
			SELECT p.id, CASE WHEN p.withheld THEN '' ELSE p.login END AS login, p.name, CASE WHEN p.withheld THEN '' ELSE p.email END AS email,
				p.grants, p.stage, p.withheld, coalesce(seat.handle, '') AS seat, p.created_at,
				greatest((SELECT max(s.seen_at) FROM browser_sessions s WHERE s.person = p.id),
					(SELECT max(t.last_used_at) FROM tokens t WHERE t.person = p.id)) AS seen_at
			FROM people p LEFT JOIN seats seat ON seat.id = p.seat AND seat.declared LIMIT 5000
		) p
	) AS people, (
		SELECT coalesce(json_agg(i ORDER BY i.created_at DESC), '[]') FROM (
			SELECT i.id, i.name, i.email, i.grants, coalesce(seat.handle, '') AS seat, i.author_name AS invited_by, i.created_at, i.expires_at
			FROM invitations i LEFT JOIN seats seat ON seat.id = i.seat AND seat.declared
			WHERE i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $1 LIMIT 500
		) i
	) AS invitations`

func (i *Identity) listPeople(ctx context.Context, c *tool.Call, _ ListPeople) (People, error) {
	var row struct {
		People      []byte `db:"people"`
		Invitations []byte `db:"invitations"`
	}
	if err := c.Tx.GetContext(ctx, &row, listPeople, c.Now); err != nil {
		return People{}, fmt.Errorf("list people: %w", err)
	}
	out := People{Free: []SeatFree{}}
	if err := errors.Join(json.Unmarshal(row.People, &out.People), json.Unmarshal(row.Invitations, &out.Invitations)); err != nil {
		return People{}, fmt.Errorf("read the list of people: %w", err)
	}
	d, err := i.org(ctx, c)
	if err != nil {
		return People{}, err
	}
	for _, m := range d.Members() {
		if m.Kind == "human" && m.Handle != "" && m.Person == "" {
			out.Free = append(out.Free, SeatFree{m.Handle, m.Role})
		}
	}
	return out, nil
}
