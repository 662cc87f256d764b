package document

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	variableShape = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
	headerShape   = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
)

// checkValues checks one block of variables or headers: names, spelling and
// references. A sentence here never quotes a value.
func (c *checks) checkValues(at string, values map[string]string, headers bool) {
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		here := key(at, name)
		if headers {
			c.checkHeader(here, name, values[name])
			if other, twice := seen[strings.ToLower(name)]; twice {
				c.fault(here, "is the header %s once more: header names have no case. Keep one of the two spellings.", other)
			}
			seen[strings.ToLower(name)] = name
		} else if !variableShape.MatchString(name) {
			c.fault(here, "is no variable's name. Write letters, digits and _, such as API_TOKEN.")
		} else if strings.HasPrefix(name, "CREWLET_") {
			c.fault(here, "Names that begin with CREWLET_ are this program's own. Call the variable something else.")
		}
		c.references(here, values[name], false)
	}
}

func (c *checks) checkHeader(at, name, value string) {
	if !headerShape.MatchString(name) {
		c.fault(at, "is no header's name. Write letters, digits and dashes, such as Authorization.")
	}
	if strings.ContainsAny(value, "\r\n") {
		c.fault(at, "has a line break in its value. A header is one line: take it out.")
	}
}

// references refuses a reference written the shell's way.
func (c *checks) references(at, value string, url bool) {
	name, found := withDefault(value)
	switch {
	case found && url:
		c.fault(at, "gives %s a default, and references have none. Write ${%s} alone.", name, name)
	case found:
		c.fault(at, "gives %s a default, and references have none. Write ${%s} alone, and list the key under optional_keys if the server can do without it.", name, name)
	}
}

// checkOptional: an entry of optional_keys names a key whose value has a
// reference, in the entry itself or in a block of a unit or a seat; one that
// leaves nothing out is a mistake.
func (c *checks) checkOptional(s *Server, at string) {
	blocks := []map[string]string{s.Values()}
	blocks = append(blocks, c.blocks[s.Name]...)
	seen := map[string]int{}
	for i, name := range s.OptionalKeys {
		here := index(at+".optional_keys", i)
		id := s.sameKey(name)
		if first, twice := seen[id]; twice {
			c.fault(here, "%q stands in the list already, as %s. Take one of them out.", clip(name), index(at+".optional_keys", first))
			continue
		}
		seen[id] = i
		if says := s.leavesNothingOut(name, blocks); says != "" {
			c.fault(here, "%s", says)
		}
	}
}

// sameKey folds what is one key: header names have no case.
func (s *Server) sameKey(name string) string {
	if s.Transport() == "stdio" {
		return name
	}
	return strings.ToLower(name)
}

func (s *Server) leavesNothingOut(name string, blocks []map[string]string) string {
	what, carried, holder := "env", false, ""
	if s.Transport() != "stdio" {
		what = "headers"
	}
	var known []string
	for _, b := range blocks {
		for k, v := range b {
			known = append(known, k)
			if s.sameKey(k) == s.sameKey(name) {
				if carried = true; len(namesIn(v)) > 0 {
					return ""
				}
			}
			if slices.Contains(namesIn(v), name) && (holder == "" || k < holder) {
				holder = k
			}
		}
	}
	slices.Sort(known)
	switch {
	case carried:
		return "The value of " + clip(name) + " has no ${NAME} in it, so it is never left out. Take it out of optional_keys."
	case holder != "":
		return clip(name) + " is a variable's name. Write the key whose value it stands in: " + clip(holder) + "."
	case slices.Contains(namesIn(s.URL), name):
		return clip(name) + " is used by the url, which cannot be left out. Take it out of optional_keys."
	}
	return "There is no key " + clip(name) + " under " + what + ". " + unknown(name, slices.Compact(known), "Take it out of optional_keys.")
}
