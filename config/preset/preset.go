// Package preset holds ready-made declarations of MCP servers people often
// use. A preset is a start: everything in it may be typed over, and any name
// will do. Packages, addresses and variables are those their authors
// document.
package preset

import (
	"maps"
	"slices"
	"strings"

	"crewlet/config/document"
)

// Preset is one ready-made declaration.
type Preset struct {
	Name    string
	Title   string
	Brief   string // what it brings, and what has to be known, in a sentence or two
	Needs   string // what must be on the node's PATH; "" when nothing is
	Server  document.Server
	Secrets []string // names the declaration refers to, to be stored first
	// Launch is how many of Server.Args start the program. Those after them
	// are its own, an example: other arguments take their place.
	Launch int
	// Seat is what each seat gives under mcp_env, of a server with one child
	// per seat; see SeatEnv.
	Seat map[string]string
}

// Find returns the preset of a name.
func Find(name string) (Preset, bool) {
	all := List()
	at := slices.IndexFunc(all, func(p Preset) bool { return p.Name == name })
	if at < 0 {
		return Preset{}, false
	}
	return all[at], true
}

// Names lists the presets by name, in the order of List.
func Names() []string {
	var all []string
	for _, p := range List() {
		all = append(all, p.Name)
	}
	return all
}

// SeatEnv is what one seat gives under mcp_env: each credential a secret of
// the seat's own.
func (p Preset) SeatEnv(handle string) map[string]string {
	env := maps.Clone(p.Seat)
	fill := strings.NewReplacer("{seat}", handle, "{SEAT}", strings.ToUpper(strings.ReplaceAll(handle, "-", "_")))
	for key, value := range env {
		env[key] = fill.Replace(value)
	}
	return env
}
