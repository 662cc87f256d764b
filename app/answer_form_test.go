package main

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// form is a page's form as it stands in an answer: every field with what is in it.
func (a answer) form(t *testing.T, action, holds string) url.Values {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Data == "form" && attribute(n, "action") == action && (holds == "" || held(n).Has(holds)) {
			return held(n)
		}
	}
	t.Fatalf("%d and no form to %s with %s:\n%s", a.status, action, holds, a.body)
	return nil
}

// held is what a form holds, choices and boxes among it.
func held(form *html.Node) url.Values {
	values := url.Values{}
	for n := range form.Descendants() {
		name := attribute(n, "name")
		switch {
		case name == "" || n.Data == "button":
		case n.Data == "select":
			values[name] = picked(n)
		case n.Data == "textarea":
			text := ""
			if n.FirstChild != nil {
				text = n.FirstChild.Data
			}
			values.Add(name, text)
		case attribute(n, "type") == "checkbox" || attribute(n, "type") == "radio":
			if has(n, "checked") {
				values.Add(name, attribute(n, "value"))
			}
		default:
			values.Add(name, attribute(n, "value"))
		}
	}
	return values
}

// picked is what a list stands at: its first option where none is chosen.
func picked(list *html.Node) []string {
	var first, chosen []string
	for o := range list.Descendants() {
		if o.Data == "option" && first == nil {
			first = []string{attribute(o, "value")}
		}
		if o.Data == "option" && has(o, "selected") {
			chosen = []string{attribute(o, "value")}
		}
	}
	if chosen == nil {
		return first
	}
	return chosen
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

var fieldError = regexp.MustCompile(`(?s)<p class="field-error" id="([^"]+)-error"`)

// blamed are the fields an answer has a sentence at, by their ids.
func (a answer) blamed() string {
	var ids []string
	for _, m := range fieldError.FindAllStringSubmatch(a.body, -1) {
		ids = append(ids, strings.TrimPrefix(m[1], "f-"))
	}
	return strings.Join(ids, " ")
}
