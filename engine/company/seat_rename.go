package company

import (
	"context"
	"strings"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// RenameSeat is what rename_seat is asked.
type RenameSeat struct {
	Handle string `json:"handle" validate:"required,max=64" jsonschema:"the seat's handle now"`
	To     string `json:"to" validate:"required,max=64" jsonschema:"the handle it gets: lower-case letters, digits, - and _"`
	Name   string `json:"name,omitempty" validate:"max=120" jsonschema:"the name it gets with it; kept when left out"`
	Writing
}

// Object names the seat for the record, as people know it.
func (a RenameSeat) Object() string { return seatObject(a.Handle) }

func declareRenameSeat(s *Company) tool.Use[RenameSeat, Written] {
	return tool.Declare(tool.Spec{
		Name:     "rename_seat",
		Title:    "Rename a seat",
		Brief:    "Give a seat another handle, everywhere it is named, in one revision. Its history and its work stay with it.",
		Access:   access.Operator(access.ConfigWrite).Sensitive(),
		Audience: tool.Operators,
	}, s.renameSeat)
}

func (s *Company) renameSeat(ctx context.Context, c *tool.Call, in RenameSeat) (Written, error) {
	c.About(in.Object())
	return s.revise(ctx, c, in.Writing, func(now Revision) (draft, error) {
		doc, err := inForce(now)
		if err != nil {
			return draft{}, err
		}
		edits, ok := document.RenameSeatEdits(doc, in.Handle, in.To, in.Name)
		if !ok {
			return draft{}, refusal.NoSuchEntity.Say("There is no seat with the handle %s.", in.Handle).On("handle")
		}
		if _, taken := now.IDs.Seats[in.To]; taken && in.To != in.Handle {
			return draft{}, refusal.EntityExists.Say("There is a seat with the handle %s already. Choose another one.", in.To).On("to")
		}
		next, err := edited(now, edits, "to")
		next.fixed = Identities{Seats: map[string]string{in.To: now.IDs.Seats[in.Handle]}}
		next.told = func(problems document.Problems) *refusal.Refusal {
			return misnamed(problems, func(path string) bool { return strings.HasSuffix(path, ".handle") })
		}
		return next, err
	})
}
