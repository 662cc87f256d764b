package servers

import (
	"crewlet/views/layout"
	"crewlet/views/ui"
)

// New is the form that adds a server, as it was typed.
type New struct {
	Shell   layout.Shell
	Key     string
	Name    string
	Command string
	Args    string // one a line, or one line as in a terminal
	Env     string // NAME=value, one a line
	Summary string
	Says    string
	Sent    string
	Fields  map[string]string
	// Ask is set when a value looks like a credential: it is stored as it
	// stands only when the box is ticked.
	Ask     bool
	Plain   bool
	Redrawn bool
}

func (n New) form() ui.FormView {
	return ui.FormView{ID: "server-form", Action: NewAddress, Key: n.Key, Draft: "server-new", Redrawn: n.Redrawn, Says: n.Says, Sent: n.Sent}
}

func (n New) env() ui.TextAreaView {
	return ui.TextAreaView{
		Name: "env", Label: "Environment", Value: n.Env, Error: n.Fields["env"], Mono: true, Optional: true,
		Hint: "One NAME=value a line. Write ${GITHUB_TOKEN} for a secret stored under Settings › Secrets; a value typed here is kept in the company document, for everybody who may read it.",
	}
}

func (n New) plain() ui.CheckGroupView {
	return ui.CheckGroupView{
		Name: "plain", Legend: "A value here looks like a credential", Error: n.Fields["plain"],
		Choices: []ui.Choice{{
			Value: "true", Label: "It is none; keep it in the document as it stands", Chosen: n.Plain,
			Hint: "Otherwise store it under Settings › Secrets and write ${ITS_NAME} here.",
		}},
	}
}
