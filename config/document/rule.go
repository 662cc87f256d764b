package document

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// rule is what the tags of a field say of its value:
//
//	is:"line,120"   one line of at most 120 characters
//	is:"text"       prose of several lines, at most 32 KiB
//	is:"value,4096" bytes handed to a program, never quoted in a sentence
//	oneof:"a b"     one of these words
//	range:"1,10"    a whole number
//	upto:"1h"       a duration of at most so long
//	word:"*"        the word that stands for everything in a Choice
type rule struct {
	form      string
	most      int // characters of a line, bytes of anything else
	oneof     []string
	low, high int
	longest   time.Duration // of a Duration
	word      string
}

func ruleOf(f reflect.StructField) rule {
	form, most, _ := strings.Cut(f.Tag.Get("is"), ",")
	r := rule{form: form, word: f.Tag.Get("word"), oneof: strings.Fields(f.Tag.Get("oneof"))}
	if r.most, _ = strconv.Atoi(most); r.most == 0 {
		r.most = map[string]int{"line": 200, "text": 32 << 10, "value": 64 << 10}[form]
	}
	r.longest = longestDuration
	if upto, err := time.ParseDuration(f.Tag.Get("upto")); err == nil {
		r.longest = upto
	}
	low, high, _ := strings.Cut(f.Tag.Get("range"), ",")
	r.low, _ = strconv.Atoi(low)
	r.high, _ = strconv.Atoi(high)
	return r
}

// refuses says why a text breaks the rule, or "".
func (r rule) refuses(s string) string {
	if r.form == "line" && strings.ContainsAny(s, "\r\n") {
		return "must be one line. Take the line breaks out."
	}
	if c, bad := controlIn(s, r.form != "line"); bad {
		return fmt.Sprintf("holds a control character (U+%04X). Take it out.", c)
	}
	if r.form == "line" {
		if n := utf8.RuneCountInString(s); n > r.most {
			return fmt.Sprintf("is %d characters long; at most %d fit.", n, r.most)
		}
		if s != strings.TrimSpace(s) {
			return "begins or ends with a space. Take it off."
		}
	} else if r.most > 0 && len(s) > r.most {
		return fmt.Sprintf("is %d bytes long; at most %d fit.", len(s), r.most)
	}
	return ""
}

// fieldOf finds the field a key is written for.
func fieldOf(t reflect.Type, name string) (reflect.StructField, bool) {
	for f := range t.Fields() {
		if tag := f.Tag.Get("yaml"); tag == name && tag != "-" {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// keysOf lists a type's keys in the order they are written.
func keysOf(t reflect.Type) []string {
	var out []string
	for f := range t.Fields() {
		if tag := f.Tag.Get("yaml"); tag != "" && tag != "-" {
			out = append(out, tag)
		}
	}
	return out
}

// normalise puts every text a person reads into NFC, so that two spellings
// of one name are one name. What is handed to programs is left alone.
func normalise(v reflect.Value, r rule) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			normalise(v.Elem(), r)
		}
	case reflect.Struct:
		normaliseFields(v)
	case reflect.Slice:
		for i := range v.Len() {
			normalise(v.Index(i), r)
		}
	case reflect.Map:
		normaliseMap(v, r)
	case reflect.String:
		if r.form != "value" && r.form != "" {
			v.SetString(norm.NFC.String(v.String()))
		}
	}
}

func normaliseFields(v reflect.Value) {
	for f, field := range v.Fields() {
		if f.IsExported() && f.Tag.Get("yaml") != "-" {
			normalise(field, ruleOf(f))
		}
	}
}

// normaliseMap puts copies in the place of values, which cannot be changed
// where they are.
func normaliseMap(v reflect.Value, r rule) {
	for it := v.MapRange(); it.Next(); {
		fresh := reflect.New(v.Type().Elem()).Elem()
		fresh.Set(it.Value())
		normalise(fresh, r)
		v.SetMapIndex(it.Key(), fresh)
	}
}
