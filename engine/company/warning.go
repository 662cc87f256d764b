package company

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"crewlet/config/document"
	"crewlet/db"
)

// Warning is something a document may say and that its author may not have
// meant, or that will not work as it stands.
type Warning struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Name    string `json:"name,omitempty"` // of the reference it is about, if it is about one
	Message string `json:"message"`
}

// warnings are all there are about a document that takes the place of another.
func (s *Company) warnings(ctx context.Context, tx *db.Tx, now Revision, next draft, doc *document.Document) ([]Warning, error) {
	list, err := s.unresolved(ctx, tx, doc)
	if err != nil || next.decides() {
		return list, err
	}
	if old, err := s.parsedBefore(now); err == nil { // or else nothing is known of its names
		list = append(list, replaced(old, doc)...)
	}
	return list, nil
}

// unresolved names each reference that resolves nowhere, unless its key may be
// left out.
func (s *Company) unresolved(ctx context.Context, tx *db.Tx, doc *document.Document) ([]Warning, error) {
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
		list = append(list, Warning{Path: ref.Path, Line: ref.Line, Name: ref.Name, Message: heldBack(ref)})
	}
	return list, nil
}

func heldBack(ref document.Reference) string {
	if document.Reserved(ref.Name) {
		return fmt.Sprintf("${%s} never resolves: names that begin with CREWLET_ or PG are the node's own. Write another name, and store the value under that.", ref.Name)
	}
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

// replaced names each server and seat that stands where another stood: a name
// that was changed in the text, perhaps, and with it the history lost.
func replaced(old, doc *document.Document) []Warning {
	var list []Warning
	say := func(was, is map[string]string, what, by string) {
		had, have := flipped(was), flipped(is)
		for _, at := range slices.Sorted(maps.Keys(is)) {
			before, name := was[at], is[at]
			if before == "" || have[before] != "" || had[name] != "" {
				continue
			}
			list = append(list, Warning{Path: at, Line: doc.Line(at), Message: fmt.Sprintf(
				"The %s %s is removed and %s is a new one. To keep its history, leave the text and rename it (%s).", what, before, name, by)})
		}
	}
	say(serversByPlace(old), serversByPlace(doc), "server", "rename_mcp_server")
	say(seatsByPlace(old), seatsByPlace(doc), "seat", "rename_seat")
	return list
}

func serversByPlace(doc *document.Document) map[string]string {
	names := map[string]string{}
	for i, s := range doc.MCPServers {
		names[fmt.Sprintf("mcp_servers[%d]", i)] = s.Name
	}
	return names
}

func seatsByPlace(doc *document.Document) map[string]string {
	handles := map[string]string{}
	for _, seat := range doc.Seats() {
		handles[seat.Path] = seat.Role.Handle
	}
	return handles
}
