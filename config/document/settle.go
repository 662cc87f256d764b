package document

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// settle fills in what follows from the rest: lines, handles and ids made
// from names.
func (d *Document) settle(w *walker) {
	d.places = w.places
	for i := range d.MCPServers {
		d.MCPServers[i].Line = w.places[index("mcp_servers", i)].line
	}
	for _, u := range d.AllUnits() {
		u.Unit.Line = w.places[u.Path].line
		if u.Unit.ID == "" {
			u.Unit.ID = Slug(u.Unit.Name)
		}
	}
	for _, s := range d.Seats() {
		s.Role.Line = w.places[s.Path].line
		if s.Role.Handle == "" {
			s.Role.Handle = Slug(s.Role.Name)
		}
	}
}

// Slug makes a handle or an id from a name: accents taken off, lower case,
// everything but letters and digits of ASCII one dash, at most 64
// characters. It is "" for a name with none of these.
func Slug(name string) string {
	var b strings.Builder
	dash := false
	for _, r := range norm.NFKD.String(name) {
		switch r = unicode.ToLower(r); {
		case unicode.Is(unicode.Mn, r):
		case (r >= 'a' && r <= 'z') || (r >= '0' && r <= '9'):
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		default:
			dash = true
		}
	}
	s := b.String()
	return strings.TrimRight(s[:min(len(s), 64)], "-")
}
