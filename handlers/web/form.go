package web

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"unicode/utf8"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// keyField carries the key a form was drawn with; passwordField a password
// typed again for a sensitive act. Neither is an argument.
const (
	keyField      = "_key"
	passwordField = "_password"
)

// Form reads a posted form as a use case's arguments, and begins the call
// under the form's key. Fields map onto arguments by name, see Arguments. What
// was typed comes back in the arguments even when something was wrong with it.
func Form[In any](r *http.Request) (In, *tool.Call, error) {
	var in In
	c := Call(r)
	raw, err := FormArguments(r, c, reflect.TypeFor[In]())
	if err != nil {
		return in, c, err
	}
	in, err = tool.Decode[In](raw)
	return in, c, err
}

// FormArguments reads a posted form as arguments of a type. The call gets the
// form's key, and is fresh by a password typed again.
func FormArguments(r *http.Request, c *tool.Call, args reflect.Type) (json.RawMessage, error) {
	values, err := Values(r)
	if err != nil {
		return nil, err
	}
	c.Key = values.Get(keyField)
	if err := confirm(r, c, values.Get(passwordField)); err != nil {
		return nil, err
	}
	fields := url.Values{}
	for name, sent := range values {
		if !strings.HasPrefix(name, "_") { // a form's own, no argument
			fields[name] = sent
		}
	}
	return Arguments(fields, args)
}

// Values reads a posted form, once; the fields that are no arguments included.
func Values(r *http.Request) (url.Values, error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	var err error
	switch kind {
	case "application/x-www-form-urlencoded":
		err = r.ParseForm()
	case "multipart/form-data":
		err = r.ParseMultipartForm(MaxBody)
	default:
		return nil, refusal.WrongMediaType.Say("This address takes a form: application/x-www-form-urlencoded or multipart/form-data.")
	}
	if err != nil {
		return nil, unread(err, "The form could not be read.")
	}
	if err := readable(r.PostForm); err != nil {
		return r.PostForm, err
	}
	if r.MultipartForm != nil {
		for name := range r.MultipartForm.File {
			return r.PostForm, refusal.Invalid.Say("%s is sent as a file; this address takes text.", strings.ToValidUTF8(name, "")).On(name)
		}
	}
	return r.PostForm, reopen(r)
}

// readable refuses text that is not UTF-8 before it is turned into anything:
// JSON would quietly replace what it cannot hold.
func readable(values url.Values) error {
	for name, sent := range values {
		for _, value := range append(sent, name) {
			if !utf8.ValidString(value) {
				return refusal.Malformed.Say("The form holds text that is not UTF-8.")
			}
		}
	}
	return nil
}

// FormStatus is the status of a form that comes back with a refusal: what is
// wrong with a field is told as such, whatever it is called elsewhere.
func FormStatus(no *refusal.Refusal) int {
	if no.Class == refusal.SummaryRequired {
		return http.StatusUnprocessableEntity
	}
	return no.Status()
}

// Body reads a raw body.
func Body(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, unread(err, "The body could not be read.")
	}
	return body, nil
}

// Text reads a raw body that is text: JSON's own reader would quietly replace
// what is not UTF-8.
func Text(r *http.Request) ([]byte, error) {
	body, err := Body(r)
	if err == nil && !utf8.Valid(body) {
		err = refusal.Malformed.Say("The body is not UTF-8 text.")
	}
	return body, err
}

// APICall begins a call under the Idempotency-Key header, or a new key.
func APICall(r *http.Request) *tool.Call {
	c := Call(r)
	c.Key = r.Header.Get("Idempotency-Key")
	if c.Key == "" {
		c.Key = tool.NewKey()
	}
	return c
}

func unread(err error, says string) error {
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refusal.TooLarge.Say("What you sent is larger than %d MiB, the most this address takes.", tooLong.Limit>>20)
	}
	return refusal.Malformed.Say("%s", says).For(err)
}

// confirm takes a password typed again, and makes the call fresh by it.
func confirm(r *http.Request, c *tool.Call, password string) error {
	if password == "" {
		return nil
	}
	v := visitOf(r)
	again := Call(r)
	again.Key = tool.NewKey()
	if err := v.door.Confirm(r.Context(), again, password); err != nil {
		if refusal.Is(err, refusal.Invalid) || refusal.Is(err, refusal.RateLimited) {
			return refusal.Forbidden.Say("%s", refusal.Of(err).Says).With("reason", "step_up")
		}
		return err
	}
	c.By.Fresh = true
	return nil
}
