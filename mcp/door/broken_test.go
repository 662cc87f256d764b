package door_test

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// broken is a use case whose own code fails before the runner could say so.
func broken() tool.Tool {
	t := tool.Declare(tool.Spec{
		Name: "break_down", Title: "Break down", Brief: "Break down.", Access: access.Self(), Audience: tool.Operators, Mode: tool.Read,
	}, func(context.Context, *tool.Call, struct{}) (struct{}, error) { return struct{}{}, nil }).Any()
	t.Do = nil // calling it panics
	return t
}
