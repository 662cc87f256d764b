package company

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"crewlet/config/document"
	"crewlet/db"
)

// Warning is something a document may say and that will not work as it
// stands.
type Warning struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Name    string `json:"name"` // of the reference it is about
	Message string `json:"message"`
}

// warnings names each reference that resolves nowhere, unless its key may be
// left out.
func (s *Company) warnings(ctx context.Context, tx *db.Tx, doc *document.Document) ([]Warning, error) {
	list := []Warning{}
	refs := document.References(doc)
	if len(refs) == 0 {
		return list, nil
	}
	stored, err := s.from.Stored(ctx, tx)
	if err != nil {
		return nil, fmt.Errorf("read which secrets are stored: %w", err)
	}
	for _, ref := range refs {
		if slices.Contains(stored, ref.Name) || s.from.InEnvironment(ref.Name) || optional(doc, ref) {
			continue
		}
		list = append(list, Warning{Path: ref.Path, Line: ref.Line, Name: ref.Name, Message: unresolved(ref)})
	}
	return list, nil
}

func unresolved(ref document.Reference) string {
	says := fmt.Sprintf("${%s} is not stored under Settings › Secrets and is not in this node's environment.", ref.Name)
	if ref.Server != "" {
		says += fmt.Sprintf(" %s is held back until it is.", ref.Server)
	}
	return says
}

// optional reports whether the value may be left out when it does not resolve.
func optional(doc *document.Document, ref document.Reference) bool {
	entry, ok := doc.Server(ref.Server)
	if !ok {
		return false
	}
	key := ref.Path[strings.LastIndex(ref.Path, ".")+1:]
	return slices.ContainsFunc(entry.OptionalKeys, func(k string) bool {
		return k == key || entry.Transport() != "stdio" && strings.EqualFold(k, key)
	})
}
