// Package layout draws what is around every page: the document's head, the
// navigation, the palette and the keyboard help; and the few pages that stand
// alone. It decides nothing: what to show arrives in plain structs.
package layout

import (
	"slices"
	"strconv"
	"strings"
)

// Shell is what a page inside the dashboard says about itself.
type Shell struct {
	Title   string // of the page, such as "Secrets"; plain text
	Company string // the company's name; "Crewlet" when there is none yet
	Here    string // the Key of the place lit in the navigation
	Viewer  Viewer
	// Elsewhere says that the company keeps its work in another program: the
	// tracker's places are left out.
	Elsewhere bool
	Crumbs    []Crumb // the way to this page, without the page itself

	// Done is said once at the top and in the live region, after a write:
	// "The secret GITHUB_TOKEN is stored."
	Done string
	// Landed is the key of the form whose write led here; the browser then
	// forgets the draft it kept for that form.
	Landed string

	// Topics are live topics the page follows besides those of its regions.
	Topics []string
	// AsOf is the position of the log this page was read at; the stream
	// resumes from there, so nothing between drawing and connecting is missed.
	AsOf int64
	// Wide gives the page the whole width: editors and large tables.
	Wide bool
}

// Viewer is who looks, as far as a page shows it.
type Viewer struct {
	Name   string // as people write it, such as "Jane Doe"
	Login  string
	Grants []string // such as "config:read"; places that need others are left out
}

// Crumb is one step of the way to a page.
type Crumb struct {
	Label string
	Href  string
}

// Place is one page the navigation and the palette lead to.
type Place struct {
	Key   string // what Shell.Here names
	Label string
	Href  string
	Icon  string
	Go    string // pressed after g; one letter
	Needs string // the grant without which it is not offered; "" for everybody
}

// tracked reports whether a place is the tracker's.
func (p Place) tracked() bool {
	return slices.Contains([]string{"inbox", "mine", "work", "projects", "history"}, p.Key)
}

// Group is places under one heading.
type Group struct {
	Label  string
	Places []Place
}

// Groups returns the navigation as this viewer has it. A place the viewer may
// not read is left out here and refused there: this only spares the click.
func (s Shell) Groups() []Group {
	groups := []Group{
		{"", []Place{
			{"inbox", "Inbox", "/inbox", "inbox", "i", ""},
			{"mine", "My work", "/work/mine", "mine", "m", ""},
			{"work", "All work", "/work", "work", "w", ""},
			{"projects", "Projects", "/work/projects", "project", "j", ""},
			{"history", "History", "/work/history", "history", "h", ""},
			{"company", "Company", "/company", "company", "c", ""},
		}},
		{"Settings", []Place{
			{"tools", "MCP Tools", "/settings/tools", "tools", "t", ""},
			{"secrets", "Secrets", "/settings/secrets", "secrets", "s", "secrets:read"},
			{"configuration", "Configuration", "/settings/configuration", "configuration", "f", "config:read"},
			{"people", "People", "/settings/people", "person", "p", "people:manage"},
			{"tokens", "Tokens", "/settings/tokens", "tokens", "k", ""},
			{"audit", "Audit", "/settings/audit", "audit", "a", "audit:read"},
		}},
		{"Account", []Place{
			{"sign-ins", "Sign-ins", "/account/sign-ins", "sign-ins", "n", ""},
		}},
	}
	for i := range groups {
		groups[i].Places = slices.DeleteFunc(groups[i].Places, func(p Place) bool {
			return p.Needs != "" && !slices.Contains(s.Viewer.Grants, p.Needs) || s.Elsewhere && p.tracked()
		})
	}
	return slices.DeleteFunc(groups, func(g Group) bool { return len(g.Places) == 0 })
}

// mayCreate reports whether the key that files an item leads anywhere.
func (s Shell) mayCreate() bool {
	return slices.Contains(s.Viewer.Grants, "work:write") && !s.Elsewhere
}

// frame is all that what stands beside the page depends on.
func (s Shell) frame() string {
	v := s.Viewer
	return strings.Join([]string{"frame", s.company(), s.Here, v.Name, v.Login, strings.Join(v.Grants, " "), strconv.FormatBool(s.Elsewhere)}, "\x00")
}

// above is all that what opens over the page depends on.
func (s Shell) above() string { return "above " + strconv.FormatBool(s.mayCreate()) }

// heading is what the browser's tab shows.
func (s Shell) heading() string {
	if s.Title == "" {
		return s.company()
	}
	return s.Title + " · " + s.company()
}

func (s Shell) company() string {
	if s.Company == "" {
		return "Crewlet"
	}
	return s.Company
}

func (s Shell) asOf() string { return strconv.FormatInt(s.AsOf, 10) }

func (s Shell) topics() string { return strings.Join(s.Topics, " ") }

// htmxConfig keeps htmx within a policy without inline styles, makes Back ask
// the server, and swaps no failure where a form did not ask for it by hx-status.
// A live change leaves open what somebody opened: <details> keep "open".
const htmxConfig = `{"includeIndicatorCSS":false,"history":"reload","noSwap":[204,304,"4xx","5xx"],` +
	`"morphIgnore":["data-htmx-powered","open"]}`
