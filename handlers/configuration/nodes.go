package configuration

import (
	"context"
	"fmt"

	"crewlet/views/ui"

	view "crewlet/views/configuration"
)

// nodes draws how far each node is with the revision in force.
func (h *Handlers) nodes(ctx context.Context, inForce int64) ([]view.NodeState, error) {
	nodes, err := h.Nodes(ctx)
	if err != nil {
		return nil, err
	}
	states := make([]view.NodeState, len(nodes))
	for i, n := range nodes {
		s := view.NodeState{Node: n.Name, Label: "Applied", State: ui.Good}
		switch {
		case !n.Live:
			s.Label, s.State, s.Says = "Not reported", ui.Off, "It has not been heard of for three beats."
		case n.ApplyError != "":
			s.Label, s.State, s.Says = "Failed", ui.Bad, n.ApplyError
		case n.Revision < inForce:
			s.Label, s.State, s.Says = "Applying", ui.Busy, fmt.Sprintf("It stands at revision %d.", n.Revision)
		}
		states[i] = s
	}
	return states, nil
}
