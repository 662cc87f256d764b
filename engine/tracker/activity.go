package tracker

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"crewlet/engine/org"
	"crewlet/engine/refusal"
)

// historyPage is how many changes an item's page holds.
const historyPage = 50

// Event is one change of work, as the log has it.
type Event struct {
	Position   int64           `json:"position"`
	At         time.Time       `json:"at"`
	Kind       string          `json:"kind" jsonschema:"such as item.updated or comment.added"`
	Item       string          `json:"item,omitempty" jsonschema:"key of the item; empty where the project itself changed"`
	Title      string          `json:"title,omitempty" jsonschema:"of the item, as it is now"`
	Project    string          `json:"project"`
	Author     *Person         `json:"author,omitempty"`
	AuthorKind string          `json:"author_kind" jsonschema:"agent, human, operator or system"`
	Changed    json.RawMessage `json:"changed" said:"author" jsonschema:"field to from and to; long text as its size, sets as what joined and left"`
}

// eventRow is a change as the database answers it, as JSON.
type eventRow struct {
	Position   int64           `json:"position"`
	At         time.Time       `json:"at"`
	Kind       string          `json:"kind"`
	Object     string          `json:"object"`
	Title      string          `json:"title"`
	Project    string          `json:"project"`
	Actor      string          `json:"actor"`
	ActorName  string          `json:"actor_name"`
	RecordedAs string          `json:"recorded_as"`
	Deltas     json.RawMessage `json:"deltas"`
}

// eventShape is a change h as eventRow reads it, and titledShape the same with
// the title of its item: on a page of one item that is said already.
const (
	eventColumns = `'position', h.position, 'at', h.at, 'kind', h.kind, 'object', h.object, 'project', h.project,
	'actor', h.actor, 'actor_name', h.actor_name, 'recorded_as', h.recorded_as, 'deltas', h.deltas`
	eventShape  = `json_build_object(` + eventColumns + `)`
	titledShape = `json_build_object(` + eventColumns + `, 'title', (
		SELECT i.title FROM items i
		WHERE i.project = h.project AND i.no = CASE WHEN h.object LIKE 'item:%' THEN split_part(h.object, '-', 2)::bigint END))`
)

// historyJSON is the newest changes of an item read as i, the newest first,
// and one more than a page holds.
const historyJSON = `(SELECT coalesce(json_agg(x.happened ORDER BY x.position DESC), '[]') FROM (
	SELECT h.position, ` + eventShape + ` AS happened FROM changes h
	WHERE h.object = 'item:' || i.project || '-' || i.no ORDER BY h.position DESC LIMIT 51) AS x)`

// readHistory reads what historyJSON answers, and the cursor of those that did
// not fit, empty where nothing is older.
func readHistory(raw []byte, dir *org.Directory) ([]Event, string, error) {
	var rows []eventRow
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, "", fmt.Errorf("read history: %w", err)
	}
	events, next := paged(dir, rows, historyPage)
	return events, next, nil
}

// paged is a page of changes, and its cursor: the position of the last.
func paged(dir *org.Directory, rows []eventRow, limit int) ([]Event, string) {
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		next = strconv.FormatInt(rows[limit-1].Position, 10)
	}
	events := []Event{}
	for _, row := range rows {
		events = append(events, row.told(dir))
	}
	return events, next
}

func (r eventRow) told(dir *org.Directory) Event {
	key, _ := strings.CutPrefix(r.Object, "item:")
	if key == r.Object {
		key = ""
	}
	return Event{
		Position: r.Position, At: r.At.UTC(), Kind: r.Kind, Item: key, Title: r.Title, Project: r.Project, Author: author(dir, r.Actor, r.ActorName),
		AuthorKind: r.RecordedAs, Changed: r.Deltas,
	}
}

// readPosition reads the cursor of a page of changes.
func readPosition(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	position, err := strconv.ParseInt(text, 10, 64)
	if err != nil || position < 1 {
		return 0, refusal.Invalid.Say("This cursor is not one of this list's. Leave it out to begin at the top.").On("cursor")
	}
	return position, nil
}
