package tracker

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// GetCatalogue is what get_work_catalogue is asked: nothing.
type GetCatalogue struct{}

// Catalogue is the words items are described with, wherever they are.
type Catalogue struct {
	Lists
	Groups map[string]string `json:"status_groups" jsonschema:"the group each status counts in"`
	Dates  []string          `json:"dates" jsonschema:"the ways a date can be written"`
}

func declareGetCatalogue(t *Tracker) tool.Use[GetCatalogue, Catalogue] {
	return tool.Declare(tool.Spec{
		Name:     "get_work_catalogue",
		Title:    "Types, statuses, priorities",
		Brief:    "Read the types, statuses and priorities an item can have, and how dates are written.",
		Access:   access.Read(access.StateRead),
		Audience: tool.Operators | tool.Seats,
		Mode:     tool.Read,
	}, t.getCatalogue)
}

func (t *Tracker) getCatalogue(context.Context, *tool.Call, GetCatalogue) (Catalogue, error) {
	out := Catalogue{
		Lists: Lists{Types(), Statuses(), Priorities()}, Groups: map[string]string{},
		Dates: []string{"2031-04-16", "2031-04-16T09:30:00+02:00", "today", "tomorrow", "eow", "eom", "+7d"},
	}
	for _, status := range statuses {
		out.Groups[status] = groupOf(status)
	}
	return out, nil
}
