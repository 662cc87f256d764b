package tracker

import (
	"context"
	"fmt"

	"crewlet/engine/tool"
)

// freed are the open items that waited on one and wait on nothing else. Their
// counts of blockers are kept already.
const freed = `
	SELECT ` + itemColumns + ` FROM item_links l JOIN items i ON i.id = l.item
	WHERE l.other = $1 AND l.kind = 'waiting_on' AND i.open AND i.blockers = 0 ORDER BY i.id`

// unblocked tells those whose work waited on an item that is finished now, and
// on nothing else: whoever has it, or who reported what nobody has, the author
// of the change included.
func (t *Tracker) unblocked(ctx context.Context, c *tool.Call, it item) error {
	var free []item
	if err := c.Tx.SelectContext(ctx, &free, freed, it.ID); err != nil {
		return fmt.Errorf("read who waited on %s: %w", it.Key(), err)
	}
	for _, one := range free {
		r := reasons{}
		r.add(one.Assignee, byUnblocking)
		if one.Assignee == "" {
			r.add(one.Reporter, byUnblocking)
		}
		told := notice{Kind: "item.unblocked", Summary: fmt.Sprintf("finished %s, which this waited on", it.Key())}
		if err := t.tell(ctx, c, one, told, r); err != nil {
			return err
		}
	}
	return nil
}
