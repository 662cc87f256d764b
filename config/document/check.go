package document

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"crewlet/config/nearest"
)

var (
	slugShape    = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)
	projectShape = regexp.MustCompile(`^[A-Z][A-Z0-9]{1,9}$`)
	secretShape  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// checks are the rules that need more than one value: each rule is silent
// about a value that has been reported for its shape.
type checks struct {
	*walker
	doc       *Document
	seats     []Placed
	units     []PlacedUnit
	handles   map[string]*Role
	projects  []string
	spaces    []string
	ids       map[string]bool   // of units
	schedules map[string]string // name -> path
	servers   map[string]*Server
	blocks    map[string][]map[string]string // of mcp_env, by server
	patchy    bool                           // see unclear
}

// check holds the document against every rule that can be judged on it alone.
func (d *Document) check(w *walker) {
	c := &checks{walker: w, doc: d, seats: d.Seats(), units: d.AllUnits(), schedules: map[string]string{}, ids: map[string]bool{},
		servers: map[string]*Server{}, blocks: map[string][]map[string]string{}}
	for i := range slices.Backward(d.MCPServers) { // the first of a name is the one that is meant
		c.servers[d.MCPServers[i].Name] = &d.MCPServers[i]
	}
	for _, b := range d.Credentials() {
		c.blocks[b.Server] = append(c.blocks[b.Server], b.Values)
	}
	for _, u := range c.units {
		c.ids[u.Unit.ID] = true
	}
	c.patchy = c.unclear()
	c.company()
	c.checkUnitIDs()
	c.checkHandles()
	c.checkProjects()
	c.checkSpaces()
	c.checkServerNames()
	for i := range d.MCPServers {
		if c.enough() {
			return
		}
		c.checkServer(&d.MCPServers[i], index("mcp_servers", i))
	}
	for _, u := range c.units {
		if c.enough() {
			return
		}
		c.checkUnit(u)
	}
	for _, s := range c.seats {
		if c.enough() {
			return
		}
		c.checkSeat(s)
	}
	c.checkCallers()
	c.checkProviders()
}

// fault reports a broken rule at a path, unless the value there is misshapen
// and has been reported for that.
func (c *checks) fault(at, format string, args ...any) {
	if c.wrong[""] {
		return
	}
	for p := at; p != ""; p = around(p) {
		if c.wrong[p] {
			return
		}
	}
	c.say(at, format, args...)
}

// missing reports that something is not there, unless something inside is
// misshapen: that may be it, misspelt.
func (c *checks) missing(at, format string, args ...any) {
	if c.inside[at] {
		return
	}
	c.fault(at, format, args...)
}

func (c *checks) company() {
	d := c.doc
	if d.Name == "" {
		c.missing("name", "The company has no name. Write name: and the company's name at the top.")
	}
	if _, err := time.LoadLocation(d.Timezone); err != nil || d.Timezone == "" || d.Timezone == "Local" {
		c.fault("timezone", "%q is no time zone. Write an IANA name such as Europe/Berlin, America/New_York or UTC.", clip(d.Timezone))
	}
	if d.Artifacts.Origin != "" {
		c.webAddress("artifacts.origin", d.Artifacts.Origin)
	}
}

// unknown ends a sentence about a name nobody declared: the nearest there is,
// and those there are.
func unknown(name string, known []string, none string) string {
	if len(known) == 0 {
		return none
	}
	return suggested(name, known) + listed(known)
}

func suggested(name string, known []string) string {
	if near := nearest.Name(name, known); near != "" {
		return fmt.Sprintf("Did you mean %s? ", near)
	}
	return ""
}

func listed(known []string) string {
	const shown = 20
	switch n := len(known); {
	case n == 1:
		return fmt.Sprintf("There is %s.", known[0])
	case n > shown:
		return fmt.Sprintf("There are %s and %d more.", strings.Join(known[:shown], ", "), n-shown)
	}
	return fmt.Sprintf("There are %s.", strings.Join(known, ", "))
}

// uncounted reports that an entry of a list could not be read, or has no name:
// nobody can say then what the list does not hold.
func (c *checks) uncounted(list string, names []string) bool {
	return c.wrong[list] || slices.Contains(names, "")
}

// twice reports the second of two equal names in a list.
func (c *checks) twice(at string, names []string) {
	seen := map[string]int{}
	for i, name := range names {
		if first, ok := seen[name]; ok {
			c.fault(index(at, i), "%q stands in the list already, as %s. Take one of them out.", clip(name), index(at, first))
			continue
		}
		seen[name] = i
	}
}

// globs checks a list of tool names in which * ? and [a-z] may stand.
func (c *checks) globs(at string, patterns []string) {
	c.twice(at, patterns)
	for i, p := range patterns {
		if p == "" {
			c.fault(index(at, i), "is empty. Write a tool's name, or a pattern such as read_*.")
		} else if _, err := path.Match(p, ""); err != nil {
			c.fault(index(at, i), "%q is no pattern: a [ is not closed. Write a tool's name, or a pattern such as read_*.", clip(p))
		}
	}
}
