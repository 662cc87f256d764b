package company

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ListReferences asks for every ${NAME} the document uses.
type ListReferences struct{}

// ReferenceList is every reference there is, by name.
type ReferenceList struct {
	References []Reference `json:"references"`
}

// Reference is a name, where it is used and where it resolves. Reserved names
// never resolve and are refused before they get here.
type Reference struct {
	Name        string  `json:"name"`
	Places      []Place `json:"places"`
	Stored      bool    `json:"stored"`      // a secret of this name is sealed
	Environment bool    `json:"environment"` // this node's environment has it
}

// Place is where a reference stands.
type Place struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

func declareListReferences(s *Company) tool.Use[ListReferences, ReferenceList] {
	return tool.Declare(tool.Spec{
		Name:     "list_references",
		Title:    "References of the company document",
		Brief:    "List each ${NAME} the company document uses, where, and whether it resolves. Values are never shown.",
		Access:   access.Operator(access.ConfigRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.listReferences)
}

func (s *Company) listReferences(ctx context.Context, c *tool.Call, _ ListReferences) (ReferenceList, error) {
	out := ReferenceList{References: []Reference{}}
	now, err := s.at(ctx, c)
	if err != nil {
		return out, err
	}
	stored, err := s.from.Stored(ctx, c.Tx)
	if err != nil {
		return out, fmt.Errorf("read which secrets are stored: %w", err)
	}
	at := map[string]int{}
	for _, ref := range document.References(now.Document) {
		i, known := at[ref.Name]
		if !known {
			i, at[ref.Name] = len(out.References), len(out.References)
			out.References = append(out.References, Reference{
				Name: ref.Name, Stored: slices.Contains(stored, ref.Name), Environment: s.from.InEnvironment(ref.Name),
			})
		}
		out.References[i].Places = append(out.References[i].Places, Place{Path: ref.Path, Line: ref.Line})
	}
	slices.SortFunc(out.References, func(a, b Reference) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}
