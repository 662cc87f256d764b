package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/go-playground/validator/v10"
	"golang.org/x/text/unicode/norm"

	"crewlet/engine/refusal"
)

// rules is made once: it caches what it learns of every struct.
var rules = sync.OnceValue(func() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _ := argument(f)
		return name
	})
	return v
})

// Ruled is implemented by arguments with rules of their own that tags cannot
// say. Rules answers a sentence for each argument that breaks one.
type Ruled interface{ Rules() map[string]string }

// Check holds arguments against their tags and rules, and tells all that is
// wrong at once. Text comes back in NFC; NUL, text
// that is not UTF-8 and control characters are refused, and what comes back in
// the fence it was handed over in loses it. Fields tagged
// text:"raw" keep their bytes and may hold control characters, but no NUL;
// text:"lines" may hold line breaks and tabs.
func Check[In any](in In) (In, error) {
	no := refusal.Invalid.Say("Some of what you sent cannot be taken.")
	tidy(reflect.ValueOf(&in).Elem(), "", "", no)
	var wrong validator.ValidationErrors
	if err := rules().Struct(in); errors.As(err, &wrong) {
		for _, w := range wrong {
			name := path(w.Namespace())
			if _, told := no.Fields[name]; !told {
				no = no.Beside(name, sentence(name, w))
			}
		}
	} else if err != nil {
		return in, fmt.Errorf("check the arguments: %w", err)
	}
	if own, ok := any(in).(Ruled); ok {
		for name, says := range own.Rules() {
			if _, told := no.Fields[name]; !told {
				no = no.Beside(name, says)
			}
		}
	}
	if len(no.Fields) == 0 {
		return in, nil
	}
	if len(no.Fields) == 1 {
		for _, says := range no.Fields {
			no.Says = says
		}
	}
	return in, no
}

// path is an argument's name as callers write it: the validator's own begins
// with the Go name of the struct, and holds those of embedded ones.
func path(namespace string) string {
	steps := strings.Split(namespace, ".")[1:]
	return strings.Join(slices.DeleteFunc(steps, func(step string) bool { return step != "" && unicode.IsUpper(rune(step[0])) }), ".")
}

// sentence says what a tag asks for, as it stands beside the field.
func sentence(argument string, w validator.FieldError) string {
	name := worded(argument)
	unit := "characters"
	if w.Kind() == reflect.Slice || w.Kind() == reflect.Map {
		unit = "entries"
	}
	number := w.Kind() >= reflect.Int && w.Kind() <= reflect.Float64
	switch w.Tag() {
	case "required":
		return fmt.Sprintf("%s is needed.", name)
	case "max", "lte":
		if number {
			return fmt.Sprintf("%s is at most %s.", name, w.Param())
		}
		return fmt.Sprintf("%s is at most %s %s long.", name, w.Param(), unit)
	case "min", "gte":
		if number {
			return fmt.Sprintf("%s is at least %s.", name, w.Param())
		}
		return fmt.Sprintf("%s is at least %s %s long.", name, w.Param(), unit)
	case "oneof":
		return fmt.Sprintf("%s is one of %s.", name, strings.Join(strings.Fields(w.Param()), ", "))
	case "uuid":
		return fmt.Sprintf("%s is an id, such as 0190f3a2-7c4e-7d5a-9b1e-3f0c2a1d4e5f.", name)
	default:
		return fmt.Sprintf("%s is not a valid %s.", name, w.Tag())
	}
}

// worded is an argument's name as it begins a sentence.
func worded(argument string) string {
	text := strings.ReplaceAll(argument, "_", " ")
	if text == "" {
		return "This"
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// tidy walks every string a struct holds.
func tidy(v reflect.Value, name, text string, no *refusal.Refusal) {
	switch v.Kind() {
	case reflect.String:
		tidyText(v, name, text, no)
	case reflect.Pointer:
		if !v.IsNil() {
			tidy(v.Elem(), name, text, no)
		}
	case reflect.Struct:
		if in, ok := maybeOf(v); ok {
			tidy(in, name, text, no)
			return
		}
		tidyStruct(v, name, no)
	case reflect.Slice:
		if raw, ok := v.Interface().(json.RawMessage); ok {
			if bare, had := unfencedIn(raw); had {
				v.SetBytes(bare)
			}
			return
		}
		for i := range v.Len() {
			if v.Type().Elem().Kind() == reflect.Uint8 {
				return
			}
			tidy(v.Index(i), fmt.Sprintf("%s[%d]", name, i), text, no)
		}
	case reflect.Map:
		tidyMap(v, name, text, no)
	}
}

func tidyMap(v reflect.Value, name, text string, no *refusal.Refusal) {
	for _, key := range v.MapKeys() {
		if v.MapIndex(key).Kind() != reflect.String {
			continue
		}
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(v.MapIndex(key))
		tidy(value, name+"."+key.String(), text, no)
		if value.String() != v.MapIndex(key).String() {
			v.SetMapIndex(key, value)
		}
	}
}

func tidyStruct(v reflect.Value, name string, no *refusal.Refusal) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		arg, ok := argument(f)
		if f.Anonymous && f.IsExported() {
			tidy(v.Field(i), name, "", no)
		}
		if !ok {
			continue
		}
		if name != "" {
			arg = name + "." + arg
		}
		tidy(v.Field(i), arg, f.Tag.Get("text"), no)
	}
}

func tidyText(v reflect.Value, name, text string, no *refusal.Refusal) {
	s := unfenced(v.String())
	if s != v.String() {
		v.SetString(s)
	}
	switch {
	case strings.ContainsRune(s, 0):
		no.Beside(name, worded(name)+" holds a NUL character; take it out.")
	case !utf8.ValidString(s):
		no.Beside(name, worded(name)+" is not UTF-8 text.")
	case text == "raw":
	case strings.ContainsFunc(s, func(r rune) bool { return control(r, text) }):
		no.Beside(name, worded(name)+" holds a control character or a line break; take it out.")
	default:
		// Written only where it is another text: what is behind a pointer is the
		// caller's, who may have handed it to two calls at once.
		if tidied := norm.NFC.String(s); tidied != s {
			v.SetString(tidied)
		}
	}
}

func control(r rune, text string) bool {
	if text == "lines" && (r == '\n' || r == '\r' || r == '\t') {
		return false
	}
	return unicode.Is(unicode.Cc, r)
}
