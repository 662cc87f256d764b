package document

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

var callerShape = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)

func (c *checks) checkCallers() {
	tokens := c.doc.Callers.Tokens
	for _, name := range slices.Sorted(maps.Keys(tokens)) {
		at, caller := key("callers.tokens", name), tokens[name]
		switch {
		case name == "instance":
			c.fault(at, "instance is this installation itself. Call the Caller something else.")
		case len(name) > 40 || !callerShape.MatchString(name):
			c.fault(at, "is no Caller's name. Write lower-case letters, digits and dashes, at most 40 characters, such as release-bot.")
		}
		if caller.May == nil {
			c.missing(at, "This Caller may do nothing. Write may: {start: [a-seat]}, or another scope (start, read, answer, cancel, steer).")
		} else {
			c.checkMay(at+".may", *caller.May)
		}
		if caller.Seat != "" {
			if r, ok := c.seatNamed(at+".seat", caller.Seat); ok && r.Agent() {
				c.fault(at+".seat", "The seat %q is an agent's, and a Caller acts for a person. Name a seat of kind: human.", caller.Seat)
			}
		}
		c.globs(at+".approve", caller.Approve)
	}
	c.checkIssuers()
}

func (c *checks) checkIssuers() {
	seen := map[[2]string]int{}
	for i, is := range c.doc.Callers.Issuers {
		at := index("callers.issuers", i)
		switch {
		case is.Issuer == "":
			c.missing(at, "This entry names no issuer. Write issuer: and the address its tokens carry, such as https://gitlab.example.com.")
		default:
			if c.webAddress(at+".issuer", is.Issuer); plainHTTP(is.Issuer) {
				c.fault(at+".issuer", "is http: its keys could be replaced on the way. Write https.")
			}
		}
		if is.Audience == "" {
			c.missing(at, "This entry names no audience. Write audience: and the one its tokens are made for.")
		}
		if len(is.Groups) == 0 {
			c.missing(at, "This entry has no groups, so it opens nothing. Write groups: {a-group: {start: [a-seat]}}.")
		}
		id := [2]string{is.Issuer, is.Audience}
		if first, twice := seen[id]; twice && is.Issuer != "" {
			c.fault(at, "has the issuer and audience of %s. Put all its groups in one entry.", index("callers.issuers", first))
		}
		seen[id] = i
		for _, group := range slices.Sorted(maps.Keys(is.Groups)) {
			c.checkMay(key(at+".groups", group), is.Groups[group])
		}
	}
}

// checkMay: a scope opens what exists. Lower case is a seat, upper case a
// project.
func (c *checks) checkMay(at string, may May) {
	lists := []struct {
		scope string
		names Choice
	}{{"start", may.Start}, {"read", may.Read}, {"cancel", may.Cancel}, {"steer", may.Steer}}
	opens := may.Answer.All || len(may.Answer.Items) > 0
	for _, l := range lists {
		opens = opens || !l.names.Empty()
		c.twice(at+"."+l.scope, l.names.Names)
		for i, name := range l.names.Names {
			c.seatOrProject(index(at+"."+l.scope, i), name)
		}
	}
	if !opens {
		c.missing(at, "No scope is given, so this opens nothing. Write one of start, read, answer, cancel, steer, each \"all\" or a list.")
	}
	for i, item := range may.Answer.Items {
		c.checkAnswer(index(at+".answer", i), item)
	}
}

func (c *checks) checkAnswer(at string, item Answer) {
	where := at
	if _, narrowed := c.places[at+".project"]; narrowed {
		where = at + ".project"
	}
	if item.Project == "" {
		c.missing(at, "This item names no project. Write {project: ENG, asks: [question]}.")
	} else {
		c.seatOrProject(where, item.Project)
	}
	c.twice(at+".asks", item.Kinds.Names)
	for j, kind := range item.Kinds.Names {
		if !slices.Contains(AskKinds(), kind) {
			c.fault(index(at+".asks", j), "%s", notOneOf(kind, AskKinds()))
		}
	}
}

func (c *checks) seatOrProject(at, name string) {
	if name == "" {
		c.fault(at, "is empty. Name a seat by its handle, or a project by its key.")
	} else if first := name[:1]; first == strings.ToUpper(first) && first != strings.ToLower(first) {
		if !slices.Contains(c.projects, name) && !c.patchy {
			c.fault(at, "There is no project %q. %s", clip(name), unknown(name, c.projects, "No unit declares a project yet."))
		}
	} else {
		c.seatNamed(at, name)
	}
}
