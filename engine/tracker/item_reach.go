package tracker

import (
	"context"
	"fmt"
	"strings"

	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/tool"
)

// reachedByCreate is who hears of a new item. One in nobody's hands is for the
// lead to give away.
func (t *Tracker) reachedByCreate(ctx context.Context, c *tool.Call, dir *org.Directory, it item, description string) (reasons, error) {
	r, err := t.audience(ctx, c, dir, it)
	if err != nil {
		return nil, err
	}
	if it.Assignee != "" {
		for party, why := range r {
			if why == byLead {
				delete(r, party)
			}
		}
	}
	for _, party := range mentionedIn(dir, description) {
		r.add(party, byMention)
	}
	return r, nil
}

// reached is who hears of an update.
func (e *edit) reached(ctx context.Context) (reasons, error) {
	r, err := e.t.audience(ctx, e.c, e.dir, e.now)
	if err != nil {
		return nil, err
	}
	for _, party := range e.joined {
		r.add(party, byWatching)
	}
	if e.was.Assignee != e.now.Assignee {
		r.add(e.was.Assignee, byUnassigning)
	}
	for _, party := range e.mentioned() {
		r.add(party, byMention)
	}
	return r, nil
}

// summary is the change in one line, as an inbox shows it.
func (e *edit) summary() string {
	var says []string
	for _, field := range []string{"status", "assignee", "priority", "due", "start", "title", "parent", "type"} {
		d, ok := e.deltas[field]
		if !ok {
			continue
		}
		if field == "assignee" && e.in.Reason != "" {
			says = append(says, fmt.Sprintf("assignee %s: %s", shown(d), e.in.Reason))
			continue
		}
		says = append(says, field+" "+shown(d))
	}
	for _, field := range []string{"description", "labels", "watchers", "collaborators", "waiting_on", "blocking", "linked", "duplicates", "references", "estimate_minutes", "points", "routing_unit"} {
		if _, ok := e.deltas[field]; ok {
			says = append(says, "changed "+strings.ReplaceAll(field, "_", " "))
		}
	}
	return clipped(strings.Join(says, ", "))
}

func shown(d changes.Delta) string {
	if d.To == nil || d.To == "" {
		return "cleared"
	}
	return fmt.Sprintf("to %v", d.To)
}

// clipped keeps a line to what a row of an inbox holds.
func clipped(line string) string {
	const most = 300
	runes := []rune(strings.Join(strings.Fields(line), " "))
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return string(runes)
}
