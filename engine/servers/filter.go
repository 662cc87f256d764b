package servers

import (
	"encoding/json"
	"maps"
	"path"
	"slices"

	"crewlet/config/document"
	"crewlet/mcp/client"
)

// included asks the lists of the document; include wins over exclude.
func included(lists document.ServerTools, name string) bool {
	if len(lists.Include) > 0 {
		return anyMatch(lists.Include, name)
	}
	return !anyMatch(lists.Exclude, name)
}

func anyMatch(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return pattern == name || err == nil && ok
}

// own are the tools a server itself listed.
func (f *facts) own(id string) []toolFact {
	var list []toolFact
	for _, t := range f.tools {
		if t.Server == id && !t.Utility {
			list = append(list, t)
		}
	}
	return list
}

// unlisted are the override keys that no listed tool answers to. Before the
// first listing nothing can be said.
func (f *facts) unlisted(entry *document.Server, id string) []string {
	listed := f.own(id)
	list := []string{}
	if len(listed) == 0 {
		return list
	}
	for _, key := range slices.Sorted(maps.Keys(entry.ToolAnnotations)) {
		if !slices.ContainsFunc(listed, func(t toolFact) bool { return t.Name == key }) {
			list = append(list, key)
		}
	}
	return list
}

// uncovered are the include entries that name nothing listed, and the tools
// that neither list knows of where there is an include list: new ones, often.
func (f *facts) uncovered(entry *document.Server, id string) (unmatched, unknown []string) {
	unmatched, unknown = []string{}, []string{}
	listed := f.own(id)
	if len(listed) == 0 {
		return unmatched, unknown
	}
	for _, p := range entry.Tools.Include {
		if !slices.ContainsFunc(listed, func(t toolFact) bool { return matches(p, t.Name) }) {
			unmatched = append(unmatched, p)
		}
	}
	for _, t := range listed {
		if len(entry.Tools.Include) > 0 && !anyMatch(entry.Tools.Include, t.Name) && !anyMatch(entry.Tools.Exclude, t.Name) {
			unknown = append(unknown, t.Name)
		}
	}
	return unmatched, unknown
}

// cost is about how many tokens a model is told a server's offered tools with.
func (f *facts) cost(entry *document.Server, id string) int {
	bytes := 0
	for _, t := range f.tools {
		if t.Server == id && f.withheld(t, entry) == "" {
			bytes += t.Bytes
		}
	}
	return bytes / 4
}

// utilities counts the tools that are registered for a server's resources and
// prompts.
func (f *facts) utilities(entry *document.Server, id string) int {
	n := 0
	for _, t := range f.tools {
		if t.Server == id && t.Utility && f.withheld(t, entry) == "" {
			n++
		}
	}
	return n
}

// withheld says why a tool is offered to nobody; empty when it is offered.
func (f *facts) withheld(t toolFact, entry *document.Server) string {
	switch {
	case t.Utility:
		return switchedOff(entry.Tools, t.Name, f.registers(t.Server, entry))
	case t.Invalid != "":
		return t.Invalid
	case len(entry.Tools.Include) > 0 && !anyMatch(entry.Tools.Include, t.Name):
		return "Its server's include list (tools.include) does not name it."
	case !included(entry.Tools, t.Name):
		return "Its server's exclude list (tools.exclude) names it."
	default:
		return ""
	}
}

// registers reports whether a server offers any tool of its own, or has none
// to offer.
func (f *facts) registers(id string, entry *document.Server) bool {
	listed := f.own(id)
	return len(listed) == 0 || slices.ContainsFunc(listed, func(t toolFact) bool { return included(entry.Tools, t.Name) })
}

// nothing says why a server that was listed offers no tool of its own; empty
// when it offers one.
func (f *facts) nothing(entry *document.Server, id string) string {
	at := slices.IndexFunc(f.catalogues, func(c catalogueFact) bool { return c.Server == id })
	if at < 0 {
		return ""
	}
	listed := f.own(id)
	if len(listed) == 0 {
		var has client.Capabilities
		if json.Unmarshal([]byte(f.catalogues[at].Capabilities), &has) == nil && !has.Tools {
			return "It answered, and announces no tools."
		}
		return "It answered, and lists no tools."
	}
	var why []string
	for _, t := range listed {
		says := f.withheld(t, entry)
		if says == "" {
			return ""
		}
		if !slices.Contains(why, says) {
			why = append(why, says)
		}
	}
	says := "None of the " + tools(len(listed)) + " it lists is offered."
	if len(listed) == 1 {
		says = "The one tool it lists is not offered."
	}
	if len(why) == 1 {
		return says + " " + why[0]
	}
	return says + " Each says why on the server's page."
}
