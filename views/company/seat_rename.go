package company

import (
	"net/url"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// Rename is the page that gives a seat another handle.
type Rename struct {
	Shell    layout.Shell
	Key      string
	Handle   string // as it is now
	To, Name string
	Summary  string
	Says     string
	Sent     string
	Fields   map[string]string
	Redrawn  bool
}

// RenamedAt is where a rename leads.
func RenamedAt(handle string) string { return Address + "?renamed=" + url.QueryEscape(handle) }

func renameHref(handle string) string {
	return Address + "/seats/" + url.PathEscape(handle) + "/rename"
}

func (r Rename) form() ui.FormView {
	return ui.FormView{
		ID: "rename-form", Action: renameHref(r.Handle), Key: r.Key, Draft: "seat-rename-" + r.Handle, Redrawn: r.Redrawn, Says: r.Says, Sent: r.Sent,
	}
}
