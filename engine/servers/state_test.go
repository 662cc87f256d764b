package servers

import "testing"

func TestStateOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		disabled bool
		nodes    int
		n        counted
		want     State
	}{
		"all up":                      {nodes: 2, n: counted{up: 2}, want: Running},
		"one up, one failed":          {nodes: 2, n: counted{up: 1, failed: 1}, want: PartlyFailing},
		"up, failed and waiting":      {nodes: 3, n: counted{up: 1, failed: 1, waiting: 1}, want: PartlyFailing},
		"all failed":                  {nodes: 2, n: counted{failed: 2}, want: Failing},
		"failed and waiting, none up": {nodes: 2, n: counted{failed: 1, waiting: 1}, want: Failing},
		"failed and starting":         {nodes: 2, n: counted{failed: 1, starting: 1}, want: Failing},
		"waiting beside one up":       {nodes: 2, n: counted{up: 1, waiting: 1}, want: Waiting},
		"all waiting":                 {nodes: 1, n: counted{waiting: 1}, want: Waiting},
		"none launched":               {nodes: 1, want: NotStarted},
		"starting":                    {nodes: 1, n: counted{starting: 1}, want: NotStarted},
		"up beside one starting":      {nodes: 2, n: counted{up: 1, starting: 1}, want: Running},
		"no live node":                {want: NotReported},
		"disabled":                    {disabled: true, nodes: 1, n: counted{failed: 1}, want: Disabled},
		"disabled, no live node":      {disabled: true, want: Disabled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := stateOf(!c.disabled, c.nodes, c.n); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestHealthOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state, failure string
		want           health
	}{
		"running":                {"running", "", asUp},
		"failed":                 {"failed", "It ended.", asFailed},
		"held back":              {"held_back", "No token.", asFailed},
		"starting":               {"starting", "", asStarting},
		"trying again":           {"starting", "It ended.", asFailed},
		"replaced by a new spec": {"replacing", "", asStarting},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := healthOf(c.state, c.failure); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestTransition(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before was
		now    recordServerState
		want   string
	}{
		"first start":               {was{}, recordServerState{State: "starting", Phase: "fetching"}, "server.starting"},
		"next phase":                {was{State: "starting", Phase: "fetching"}, recordServerState{State: "starting", Phase: "listing"}, "server.starting"},
		"same phase":                {was{State: "starting", Phase: "listing"}, recordServerState{State: "starting", Phase: "listing"}, ""},
		"up":                        {was{State: "starting"}, recordServerState{State: "running"}, "server.started"},
		"still up, relisted":        {was{State: "running"}, recordServerState{State: "running"}, ""},
		"death":                     {was{State: "running"}, recordServerState{State: "failed", Error: "a"}, "server.exited"},
		"failed start":              {was{State: "starting"}, recordServerState{State: "failed", Error: "a"}, "server.failed"},
		"a retry begins":            {was{State: "failed", Error: "a"}, recordServerState{State: "starting", Error: "a"}, ""},
		"a retry fails the same":    {was{State: "starting", Error: "a"}, recordServerState{State: "failed", Error: "a"}, ""},
		"a retry fails otherwise":   {was{State: "starting", Error: "a"}, recordServerState{State: "failed", Error: "b"}, "server.failed"},
		"a retry is up":             {was{State: "starting", Error: "a"}, recordServerState{State: "running"}, "server.started"},
		"held back":                 {was{State: "running"}, recordServerState{State: "held_back", Error: "a"}, "server.held_back"},
		"held back still":           {was{State: "held_back", Error: "a"}, recordServerState{State: "held_back", Error: "a"}, ""},
		"held back for another":     {was{State: "held_back", Error: "a"}, recordServerState{State: "held_back", Error: "b"}, "server.held_back"},
		"stopped":                   {was{State: "stopping"}, recordServerState{State: "stopped"}, "server.stopped"},
		"no longer held, not there": {was{State: "held_back", Error: "a"}, recordServerState{State: "stopped"}, ""},
		"stopping":                  {was{State: "running"}, recordServerState{State: "stopping"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := transition(c.before, c.now); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
