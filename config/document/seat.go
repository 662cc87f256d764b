package document

// Role is a seat: the place of one agent or one person in the company.
type Role struct {
	Name             string     `yaml:"name" is:"line,120"`
	Handle           string     `yaml:"handle" is:"line,64"`      // a slug of the name when left out
	Kind             string     `yaml:"kind" oneof:"agent human"` // agent when left out
	Email            string     `yaml:"email" is:"line,254"`
	Contacts         Contacts   `yaml:"contacts" is:"line,200"`
	Goal             string     `yaml:"goal" is:"text"`
	Backstory        string     `yaml:"backstory" is:"text"`
	Responsibilities Texts      `yaml:"responsibilities" is:"text"`
	Guidelines       Texts      `yaml:"behavioral_guidelines" is:"text"`
	Manages          []string   `yaml:"manages" is:"line,64"` // handles of seats, or ids of units
	Project          string     `yaml:"project" is:"line,10"` // the unit's when left out
	Space            string     `yaml:"space" is:"line,64"`   // the unit's when left out
	Model            string     `yaml:"model" is:"line,200"`  // provider/model; the company's default when left out
	MCPEnv           MCPEnv     `yaml:"mcp_env" is:"value"`
	Tools            []SeatTool `yaml:"tools"` // nil: everything; see HasTools
	Approve          []string   `yaml:"approve" is:"line,200"`
	Sandbox          *Sandbox   `yaml:"sandbox"`
	Schedules        []Schedule `yaml:"schedules"`
	Budget           Budget     `yaml:"budget"`
	Line             int        `yaml:"-"`
}

// Contacts are a seat's names elsewhere, by the place: slack, github.
type Contacts map[string]string

// SeatTool lists what a seat may use of one server.
type SeatTool struct {
	Server string `yaml:"server" is:"line,40"`
	Tools  Choice `yaml:"tools" word:"*" is:"line,200"` // bare names
}

// Sandbox is the box a seat's coding runs happen in.
type Sandbox struct {
	Kind    string   `yaml:"kind" oneof:"process container remote"` // process when left out
	Image   string   `yaml:"image" is:"line,300"`
	URL     string   `yaml:"url" is:"line,2000"`
	Command string   `yaml:"command" is:"value,4096"` // the coding agent, and its arguments
	Args    []string `yaml:"args" is:"value"`
	Secrets []string `yaml:"secrets" is:"line,200"` // names of secrets the box is given
	Timeout Duration `yaml:"timeout" upto:"24h"`    // 30m when left out
}

// Agent reports whether the seat is an agent's; otherwise it is a person's.
func (r *Role) Agent() bool { return r.Kind == "agent" }

// Placed is a seat with where it stands.
type Placed struct {
	Role *Role
	Unit *Unit  // nil for a seat of the company itself
	Path string // such as units[0].roles[1]
}

// Seats lists every seat in the document's order: the company's own first,
// then each unit's before those of its children.
func (d *Document) Seats() []Placed {
	var out []Placed
	for i := range d.Roles {
		out = append(out, Placed{&d.Roles[i], nil, index("roles", i)})
	}
	for _, u := range d.AllUnits() {
		for i := range u.Unit.Roles {
			out = append(out, Placed{&u.Unit.Roles[i], u.Unit, index(u.Path+".roles", i)})
		}
	}
	return out
}

// PlacedUnit is a unit with where it stands.
type PlacedUnit struct {
	Unit, Parent *Unit  // Parent is nil at the top
	Path         string // such as units[0].children[2]
}

// AllUnits lists every unit, each before its children.
func (d *Document) AllUnits() []PlacedUnit {
	return below(nil, d.Units, "units")
}

func below(parent *Unit, units []Unit, path string) []PlacedUnit {
	var out []PlacedUnit
	for i := range units {
		here := index(path, i)
		out = append(out, PlacedUnit{&units[i], parent, here})
		out = append(out, below(&units[i], units[i].Children, here+".children")...)
	}
	return out
}

// Server finds a declared MCP server by its name.
func (d *Document) Server(name string) (*Server, bool) {
	for i := range d.MCPServers {
		if d.MCPServers[i].Name == name {
			return &d.MCPServers[i], true
		}
	}
	return nil, false
}
