package document

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// reservedHandles are words that mean something else wherever a handle may
// stand: in a query, in a scope, in the record.
func reservedHandles() []string {
	return []string{"me", "none", "all", "system", "operator", "company"}
}

// checkHandles: a handle is one segment, at most 64 characters, and belongs
// to one seat of the whole company. A seat without one is called by the slug
// of its name, which counts the same.
func (c *checks) checkHandles() {
	c.handles = map[string]*Role{}
	first := map[string]Placed{}
	for _, s := range c.seats {
		if c.enough() {
			return
		}
		handle, at := s.Role.Handle, s.Path+".handle"
		if _, written := c.places[at]; !written {
			at = s.Path + ".name"
		}
		switch {
		case handle == "" && s.Role.Name == "":
			continue // reported as a seat without a name
		case handle == "":
			c.fault(at, "No handle can be made from this name. Write handle: beside it, such as handle: backend-lead.")
			continue
		case !slugShape.MatchString(handle):
			c.fault(at, "%q is no handle. A handle is lower-case letters, digits, - and _, such as %s.", clip(handle), orElse(Slug(handle), "backend-lead"))
			continue
		case slices.Contains(reservedHandles(), handle):
			c.fault(at, "%q means something else here, so no seat can be called by it. Write another handle.", handle)
			continue
		}
		if other, taken := first[handle]; taken {
			c.fault(at, "The handle %q belongs to the seat %s on line %d already. Handles are unique: write another one here, such as handle: %s.",
				handle, other.Path, other.Role.Line, free(handle, first))
			continue
		}
		first[handle] = s
		c.handles[handle] = s.Role
	}
}

// free is the handle with the lowest number behind it that nobody has.
func free(handle string, taken map[string]Placed) string {
	for n := 2; ; n++ {
		next := handle + "-" + strconv.Itoa(n)
		if _, ok := taken[next]; !ok {
			return next
		}
	}
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// seatNamed checks a reference to a seat and hands the seat back.
func (c *checks) seatNamed(at, handle string) (*Role, bool) {
	r, ok := c.handles[handle]
	if !ok && !c.patchy {
		c.fault(at, "There is no seat with the handle %q. %s", clip(handle), unknown(handle, c.handleList(), "No seat is declared yet: declare it under roles."))
	}
	return r, ok
}

// unclear reports that part of the chart of units and seats could not be read,
// or is misspelt: nobody can say then who is not in it.
func (c *checks) unclear() bool {
	known := append(keysOf(reflect.TypeFor[Role]()), keysOf(reflect.TypeFor[Unit]())...)
	naming := []string{"roles", "units", "children", "name", "handle", "id", "project", "space"}
	for at := range c.wrong {
		last := at[strings.LastIndexByte(at, '.')+1:]
		chart := strings.HasPrefix(at, "units") || strings.HasPrefix(at, "roles")
		if chart && (slices.Contains(naming, last) || !slices.Contains(known, last)) {
			return true
		}
	}
	return slices.ContainsFunc(c.seats, func(s Placed) bool { return s.Role.Name == "" && s.Role.Handle == "" })
}

func (c *checks) handleList() []string {
	var out []string
	for _, s := range c.seats {
		if c.handles[s.Role.Handle] == s.Role {
			out = append(out, s.Role.Handle)
		}
	}
	return out
}
