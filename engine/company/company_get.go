package company

import (
	"context"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// GetCompany asks for the company's units and seats.
type GetCompany struct{}

// Overview is the company as everybody may see it.
type Overview struct {
	RevisionID int64  `json:"revision_id"`
	Name       string `json:"name"`
	Mission    string `json:"mission"`
	Vision     string `json:"vision"`
	Timezone   string `json:"timezone"`
	Units      []Unit `json:"units"`
	Seats      []Seat `json:"seats"` // those that belong to no unit
}

// Unit is a part of the company with its seats and its own parts.
type Unit struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Purpose  string   `json:"purpose"`
	Goals    []string `json:"goals"`
	Lead     string   `json:"lead"` // a seat's handle
	Project  string   `json:"project"`
	Seats    []Seat   `json:"seats"`
	Children []Unit   `json:"children"`
}

// Seat is the place of one agent or one person.
type Seat struct {
	ID      string   `json:"id"` // stays when the handle changes
	Handle  string   `json:"handle"`
	Name    string   `json:"name"`
	Kind    string   `json:"kind"` // agent or human
	Goal    string   `json:"goal"`
	Manages []string `json:"manages"`
	Leads   bool     `json:"leads"` // its unit
	Holder  *Holder  `json:"holder,omitempty"`
}

// Holder is the person in a seat.
type Holder struct {
	Name  string `json:"name"`
	Login string `json:"login,omitempty"` // not of who is withheld
}

func declareGetCompany(s *Company) tool.Use[GetCompany, Overview] {
	return tool.Declare(tool.Spec{
		Name:     "get_company",
		Title:    "The company",
		Brief:    "Read the company's name, mission, units and seats.",
		Access:   access.Operator(access.StateRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.getCompany)
}

func (s *Company) getCompany(ctx context.Context, c *tool.Call, _ GetCompany) (Overview, error) {
	now, err := s.at(ctx, c)
	if err != nil {
		return Overview{}, err
	}
	held := map[string]Holder{}
	if s.from.Holders != nil {
		if held, err = s.from.Holders(ctx, c); err != nil {
			return Overview{}, err
		}
	}
	doc, in := now.Document, chart{now.IDs.Seats, held}
	return Overview{
		RevisionID: now.ID, Name: doc.Name, Mission: doc.Mission, Vision: doc.Vision, Timezone: doc.Timezone,
		Units: in.units(doc.Units), Seats: in.seats(doc.Roles, ""),
	}, nil
}

// chart is what a document's units and seats are drawn with.
type chart struct {
	ids  map[string]string // handle to id
	held map[string]Holder // id to person
}

func (in chart) units(units []document.Unit) []Unit {
	out := make([]Unit, len(units))
	for i, u := range units {
		out[i] = Unit{
			ID: u.ID, Name: u.Name, Type: u.Type, Purpose: u.Purpose, Goals: list(u.Goals), Lead: u.Lead, Project: u.Project,
			Seats: in.seats(u.Roles, u.Lead), Children: in.units(u.Children),
		}
	}
	return out
}

func (in chart) seats(roles []document.Role, lead string) []Seat {
	out := make([]Seat, len(roles))
	for i, r := range roles {
		out[i] = Seat{
			ID: in.ids[r.Handle], Handle: r.Handle, Name: r.Name, Kind: r.Kind, Goal: r.Goal,
			Manages: list(r.Manages), Leads: r.Handle == lead,
		}
		if p, ok := in.held[out[i].ID]; ok {
			out[i].Holder = &p
		}
	}
	return out
}

func list(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}
