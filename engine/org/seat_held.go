package org

import (
	"context"
	"fmt"

	"crewlet/config/document"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

const heldSeats = `SELECT s.handle, p.name FROM people p JOIN seats s ON s.id = p.seat WHERE s.declared`

// Revised takes a revision of the company document in the transaction that
// stores it. It refuses one that gives an agent the seat of a person: both
// would act under one name.
func (o *Org) Revised(ctx context.Context, c *tool.Call, doc *document.Document) error {
	var rows []struct {
		Handle string `db:"handle"`
		Name   string `db:"name"`
	}
	if err := c.Tx.SelectContext(ctx, &rows, heldSeats); err != nil {
		return fmt.Errorf("read who holds which seat: %w", err)
	}
	held := map[string]string{}
	for _, row := range rows {
		held[row.Handle] = row.Name
	}
	for _, placed := range doc.Seats() {
		if name := held[placed.Role.Handle]; name != "" && placed.Role.Agent() {
			return refusal.Conflict.Say("%s holds the seat %s, and an agent cannot hold it too. Take them out of it first, or leave it kind: human.", name, placed.Role.Handle)
		}
	}
	return nil
}
