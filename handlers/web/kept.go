package web

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	view "crewlet/views/sorry"
)

// keptField carries a form sealed while its password is typed again: a page
// never holds what was typed into it, a secret's value least of all. loginField
// is there for the browser's password store.
const (
	keptField  = "_kept"
	loginField = "_login"
)

// keptFor is how long a sealed form can be sent on.
const keptFor = time.Hour

// mostKept is the longest sealed form in bytes, so that it and a password fit
// into a body.
const mostKept = MaxBody - 8<<10

// kept is a form on its way through the password page.
type kept struct {
	At     time.Time  `json:"at"`
	Values url.Values `json:"values"`
}

// again draws a place for the password, the posted form sealed beside it. Its
// key goes along, so it lands once however often it is sent.
func (d *Door) again(r *http.Request, no *refusal.Refusal) (view.Again, error) {
	a := view.Again{Action: r.URL.RequestURI(), Says: no.Says, Login: visitOf(r).viewer.Login, Key: r.PostForm.Get(keyField), Back: back(r)}
	if a.Key == "" {
		a.Key = tool.NewKey()
	}
	if r.PostForm.Get(passwordField) != "" { // typed already, and not taken
		a.Says, a.Wrong = "What you sent is kept, and goes on with the right password.", no.Says
	}
	form := kept{At: d.Run.Now().UTC(), Values: url.Values{}}
	for name, sent := range r.PostForm {
		switch name {
		case keyField, passwordField, loginField, keptField:
		default:
			form.Values[name] = sent
		}
	}
	text, err := json.Marshal(form)
	if err != nil {
		return a, err
	}
	sealed, err := d.Seal(text, keptAbout(r))
	if err != nil {
		return a, err
	}
	if a.Kept = base64.RawURLEncoding.EncodeToString(sealed); len(a.Kept) > mostKept {
		return a, refusal.TooLarge.Say("It has been more than an hour since you typed your password, and this form is too large to wait for it. Do any smaller change first, then go back and send this one again; nothing was written.")
	}
	return a, nil
}

// keptAbout binds a sealed form to the sign-in and the address it was sent to.
func keptAbout(r *http.Request) string {
	return "form " + visitOf(r).viewer.Session + " " + r.URL.Path
}

// reopen puts the fields of a sealed form back among the posted ones.
func reopen(r *http.Request) error {
	text := r.PostForm.Get(keptField)
	if text == "" {
		return nil
	}
	r.PostForm.Del(keptField)
	d := visitOf(r).door
	gone := refusal.Malformed.Say("What was kept of this form while you typed your password cannot be read here: it was sent from another sign-in or to another address. Go back and send the form again.")
	sealed, err := base64.RawURLEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		return gone.For(err)
	}
	plain, err := d.Open(sealed, keptAbout(r))
	if err != nil {
		return gone.For(err)
	}
	var form kept
	if err := json.Unmarshal(plain, &form); err != nil {
		return gone.For(err)
	}
	if age := d.Run.Now().Sub(form.At); age > keptFor {
		return refusal.Malformed.Say("This form waited for its password for more than an hour and is not kept any longer. Go back and send it again.")
	}
	for name, sent := range form.Values {
		r.PostForm[name] = sent
	}
	return nil
}
