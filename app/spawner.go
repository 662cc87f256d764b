package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"crewlet/mcp/client"
)

// spawner makes what starts every child. Children that an earlier start of
// this node left behind, because it and its guard were killed together, are
// ended first: their mark begins with the node's id, and no other program serves
// as this node. A command ends none: those
// it would find belong to the node that serves beside it.
func spawner(ctx context.Context, n *machine, as role) (*client.Spawner, error) {
	if as == owning {
		left, err := client.Sweep(ctx, n.self.ID+".")
		if err != nil {
			return nil, fmt.Errorf("end what an earlier start left running: %w", err)
		}
		if left > 0 {
			n.log.WarnContext(ctx, "children_swept", "count", left)
		}
	}
	mark := n.self.ID + "." + strconv.FormatInt(time.Now().UnixNano(), 36) + "-" + strconv.Itoa(os.Getpid())
	return client.NewSpawner(client.SpawnerOptions{Mark: mark, Log: n.log})
}
