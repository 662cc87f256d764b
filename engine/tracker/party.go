package tracker

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lib/pq"

	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// partyNamed is whom a word means: "me", "none", or a name the directory
// resolves to one member and no other.
func partyNamed(c *tool.Call, dir *org.Directory, word, argument string) (string, error) {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "", "none":
		return "", nil
	case "me", "@me":
		if own := c.By.Party(); own != "" {
			return own, nil
		}
	}
	m, err := dir.Resolve(word, argument)
	return m.Party, err
}

// partiesNamed are several, each once.
func partiesNamed(c *tool.Call, dir *org.Directory, words []string, argument string) ([]string, error) {
	var parties []string
	for _, word := range words {
		party, err := partyNamed(c, dir, word, argument)
		if err != nil {
			return nil, err
		}
		if party != "" && !slices.Contains(parties, party) {
			parties = append(parties, party)
		}
	}
	return parties, nil
}

// calledBy is a party as the log shows it: the word it is addressed by, then.
func calledBy(dir *org.Directory, party string) any {
	if party == "" {
		return nil
	}
	return person(dir, party).Handle
}

func calledAll(dir *org.Directory, parties []string) []string {
	names := []string{}
	for _, party := range parties {
		names = append(names, person(dir, party).Handle)
	}
	return names
}

const (
	inRole   = `SELECT party FROM item_parties WHERE item = $1 AND role = $2 ORDER BY party`
	joinItem = `
		INSERT INTO item_parties (item, party, role) SELECT $1, p, $2 FROM unnest($3::text[]) AS p
		ON CONFLICT DO NOTHING RETURNING party`
	leaveItem = `DELETE FROM item_parties WHERE item = $1 AND role = $2 AND party = ANY ($3) RETURNING party`
)

// joined is who began and who ceased to follow an item.
type joined struct{ In, Out []string }

// follow has parties join and leave an item in a role. Joining past the most
// there may be is refused; leaving never is. The item's row is locked.
func (t *Tracker) follow(ctx context.Context, c *tool.Call, dir *org.Directory, it item, role, argument string, add, remove []string) (joined, error) {
	var j joined
	coming, err := partiesNamed(c, dir, add, argument)
	if err != nil {
		return j, err
	}
	going, err := partiesNamed(c, dir, remove, argument)
	if err != nil {
		return j, err
	}
	if len(going) > 0 {
		if err := c.Tx.SelectContext(ctx, &j.Out, leaveItem, it.ID, role, pq.StringArray(going)); err != nil {
			return j, fmt.Errorf("leave %s: %w", it.Key(), err)
		}
	}
	if len(coming) == 0 {
		return j, nil
	}
	if err := c.Tx.SelectContext(ctx, &j.In, joinItem, it.ID, role, pq.StringArray(coming)); err != nil {
		return j, fmt.Errorf("join %s: %w", it.Key(), err)
	}
	var now []string
	if err := c.Tx.SelectContext(ctx, &now, inRole, it.ID, role); err != nil {
		return j, fmt.Errorf("count who follows %s: %w", it.Key(), err)
	}
	if len(now) > maxWatchers {
		return j, refusal.Invalid.Say("An item has at most %d %s; %s would have %d.", maxWatchers, argument, it.Key(), len(now)).On(argument)
	}
	return j, nil
}
