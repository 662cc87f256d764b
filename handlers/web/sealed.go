package web

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"crewlet/engine/refusal"
)

// sealed is a value on its way through a page and back.
type sealed struct {
	At    time.Time       `json:"at"`
	Value json.RawMessage `json:"value"`
}

// Sealed is a value that a page carries to the next request of the same
// sign-in, read by nobody on the way. It lasts an hour.
func Sealed(r *http.Request, about string, value any) (string, error) {
	d := visitOf(r).door
	raw, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(sealed{At: d.Run.Now().UTC(), Value: raw})
	if err != nil {
		return "", err
	}
	text, err := d.Seal(plain, sealedAbout(r, about))
	return base64.RawURLEncoding.EncodeToString(text), err
}

// Unsealed reads a value that Sealed gave to a page of this sign-in.
func Unsealed(r *http.Request, about, text string, into any) error {
	d := visitOf(r).door
	gone := refusal.Malformed.Say("What this page carried along cannot be read here: it comes from another sign-in, or it is more than an hour old. Go back and begin anew.")
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return gone.For(err)
	}
	plain, err := d.Open(raw, sealedAbout(r, about))
	if err != nil {
		return gone.For(err)
	}
	var s sealed
	if err := json.Unmarshal(plain, &s); err != nil {
		return gone.For(err)
	}
	if d.Run.Now().Sub(s.At) > keptFor {
		return gone
	}
	return json.Unmarshal(s.Value, into)
}

func sealedAbout(r *http.Request, about string) string {
	return "page " + visitOf(r).viewer.Session + " " + about
}
