package document

import "slices"

func (c *checks) checkUnitIDs() {
	first := map[string]PlacedUnit{}
	for _, u := range c.units {
		id, at := u.Unit.ID, u.Path+".id"
		if _, written := c.places[at]; !written {
			at = u.Path + ".name"
		}
		switch {
		case id == "" && u.Unit.Name == "":
			continue // reported as a unit without a name
		case id == "":
			c.fault(at, "No id can be made from this name. Write id: beside it, such as id: platform.")
			continue
		case !slugShape.MatchString(id):
			c.fault(at, "%q is no id. An id is lower-case letters, digits, - and _, such as %s.", clip(id), orElse(Slug(id), "platform"))
			continue
		case id == "company":
			c.fault(at, "company is the whole company, so no unit can have it as its id. Write another id.")
			continue
		}
		if other, taken := first[id]; taken {
			c.fault(at, "The id %q belongs to the unit %s on line %d already. Ids are unique: write another id here.", id, other.Path, other.Unit.Line)
			continue
		}
		first[id] = u
	}
}

// checkProjects: a project's key belongs to one unit.
func (c *checks) checkProjects() {
	owner := map[string]PlacedUnit{}
	for _, u := range c.units {
		k := u.Unit.Project
		if k == "" {
			continue
		}
		if !projectShape.MatchString(k) {
			c.fault(u.Path+".project", "%q is no project key. A key is 2 to 10 capital letters and digits, beginning with a letter, such as ENG.", clip(k))
			continue
		}
		if other, taken := owner[k]; taken {
			c.fault(u.Path+".project", "The project %s is owned by the unit %s on line %d already. Give this unit another key.", k, other.Path, other.Unit.Line)
			continue
		}
		owner[k] = u
		c.projects = append(c.projects, k)
	}
}

// checkSpaces: a unit's space declares a container of pages; units may share
// one.
func (c *checks) checkSpaces() {
	c.spaces = []string{"company"}
	for _, u := range c.units {
		s := u.Unit.Space
		switch {
		case s == "" || slices.Contains(c.spaces, s):
		case s == "tool-skills":
			c.fault(u.Path+".space", "tool-skills holds the pages about tools, so no unit can write there. Write another space.")
		case !slugShape.MatchString(s):
			c.fault(u.Path+".space", "%q is no space. A space is lower-case letters, digits, - and _, such as %s.", clip(s), orElse(Slug(s), "engineering"))
		default:
			c.spaces = append(c.spaces, s)
		}
	}
}

func (c *checks) checkUnit(u PlacedUnit) {
	if u.Unit.Name == "" {
		c.missing(u.Path, "This unit has no name. Write name: in it.")
	}
	if u.Unit.Lead != "" {
		c.seatNamed(u.Path+".lead", u.Unit.Lead)
	}
	c.checkMCPEnv(u.Path+".mcp_env", u.Unit.MCPEnv, nil)
	for i := range u.Unit.Schedules {
		c.unitSchedule(u, i)
	}
}

// unitSchedule: a unit's schedule wakes the agent it names, or else the
// unit's lead.
func (c *checks) unitSchedule(u PlacedUnit, i int) {
	s, at := u.Unit.Schedules[i], index(u.Path+".schedules", i)
	c.checkSchedule(s, at)
	where, handle := at+".seat", s.Seat
	if handle == "" {
		where, handle = at, u.Unit.Lead
	}
	if handle == "" {
		c.missing(at, "Nobody is woken by this schedule. Write seat: and an agent's handle, or give the unit a lead.")
		return
	}
	if where == at && c.handles[handle] == nil {
		return // reported at the unit's lead
	}
	if r, ok := c.seatNamed(where, handle); ok && !r.Agent() {
		c.fault(where, "The seat %q is a person's, and a schedule wakes an agent. Write seat: and an agent's handle.", handle)
	}
}

func (c *checks) checkSchedule(s Schedule, at string) {
	if s.Name == "" {
		c.missing(at, "This schedule has no name. Write name:, so that it can be started by it.")
	} else if !slugShape.MatchString(s.Name) {
		c.fault(at+".name", "%q is no schedule's name. Write lower-case letters, digits, - and _, such as %s.", clip(s.Name), orElse(Slug(s.Name), "morning-triage"))
	} else if other, taken := c.schedules[s.Name]; taken {
		c.fault(at+".name", "The schedule %s has this name already. Schedules are started by name: write another one here.", other)
	} else {
		c.schedules[s.Name] = at
	}
	if s.Cron == "" {
		c.missing(at, "This schedule has no cron. Write cron: \"0 9 * * mon-fri\" for nine o'clock on weekdays.")
	} else if says := refusesCron(s.Cron); says != "" {
		c.fault(at+".cron", "%s Write five fields (minute, hour, day of month, month, weekday), such as \"0 9 * * mon-fri\".", says)
	}
	if s.Prompt == "" {
		c.missing(at, "This schedule says nothing to whom it wakes. Write prompt: and what is to be done.")
	}
}
