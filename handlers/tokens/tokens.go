// Package tokens serves Settings › Tokens.
package tokens

import (
	"crewlet/engine/identity"
	"crewlet/engine/tool"
)

// Handlers serve the area's addresses.
type Handlers struct {
	Run      *tool.Runner
	Identity *identity.Identity
}
