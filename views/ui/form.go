package ui

import "github.com/a-h/templ"

// FormView is a form that writes. Its children are the fields and buttons.
type FormView struct {
	ID     string // "" for none
	Action string
	// Key is the operation key the form carries from the moment it is drawn.
	Key string
	// Draft names the form for the browser, such as "server-new" or
	// "item-ENG-12-title": typed text is kept under it, with the key, until the
	// key has landed. "" keeps nothing. Passwords and secrets are never kept.
	Draft string
	// Redrawn says that the fields hold what the person typed, come back with a
	// refusal: then the browser keeps what the server drew, and not its draft.
	Redrawn bool
	// Says is the sentence above the form, of a refusal about the whole.
	Says string
	// Sent is what an earlier send of this form already did, when its key had
	// landed with other text: shown above the form with the new key in it.
	Sent  string
	Attrs templ.Attributes // hx- attributes of a form that lives in an island
}

// FormHeadView is what is said above a form.
type FormHeadView struct {
	Says string
	Sent string
}
