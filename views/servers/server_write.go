package servers

import (
	"crewlet/views/layout"
	"crewlet/views/ui"
)

// Edit is the page that changes a server's declaration.
type Edit struct {
	Shell layout.Shell
	Form  Form
	// Since is what others changed in the document meanwhile.
	Since []ui.DiffLine
	// Apart is set when the declaration says what the form cannot hold.
	Apart bool
	Name  string
}

// Rename is the page that gives a server another name.
type Rename struct {
	Shell    layout.Shell
	Key      string
	Name, To string
	Summary  string
	Says     string
	Sent     string
	Fields   map[string]string
	Redrawn  bool
}

func (r Rename) form() ui.FormView {
	return ui.FormView{
		ID: "rename-form", Action: ServerAddress(r.Name) + "/rename", Key: r.Key, Draft: "server-rename-" + r.Name,
		Redrawn: r.Redrawn, Says: r.Says, Sent: r.Sent,
	}
}

// Removal is a removal that needs a second word: something names the server.
type Removal struct {
	Shell      layout.Shell
	Key        string
	Name       string
	Says       string
	References []string
}
