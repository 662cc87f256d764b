package history

import (
	"slices"
	"strings"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
)

// Event is one row of the log as a caller who follows it sees it: that
// something happened, to what and by whom. What it changed is read from the
// thing itself.
type Event struct {
	Position  int64     `db:"position" json:"position"`
	At        time.Time `db:"at" json:"at"` // UTC
	Kind      string    `db:"kind" json:"kind"`
	Object    string    `db:"object" json:"object"`
	Actor     string    `db:"actor" json:"actor"` // the principal: person:<id>
	ActorName string    `db:"actor_name" json:"actor_name"`
}

// EventPage is a stretch of the log, in commit order.
type EventPage struct {
	Events []Event `json:"events"`
	Next   int64   `json:"next"`           // send it as after; nothing between is ever missed
	More   bool    `json:"more,omitempty"` // the log goes on after next: ask again at once
}

// sight is which rows of the log a caller sees. A row is seen by whoever may
// follow one of its topics; those every row has say nothing about it, but who
// reads the record sees all.
type sight struct {
	by     access.Principal
	all    bool
	may    map[string]bool // kinds of topic
	wanted []string        // only rows of these topics; all where there are none
}

// sightOf refuses topics that are none, and those the caller may not follow.
func sightOf(by access.Principal, wanted []string) (sight, error) {
	s := sight{by: by, may: map[string]bool{}, wanted: wanted}
	for kind, row := range topicRows() {
		s.may[kind] = access.May(row, by) == nil
	}
	s.all = s.may["audit"]
	for _, topic := range wanted {
		row, known := TopicRow(topic)
		if !known {
			return s, refusal.Invalid.Say("There is no topic %q; there are %s.", topic, strings.Join(topicKinds(), ", ")).On("topics")
		}
		if err := access.May(row, by); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s sight) sees(c changes.Change) bool {
	topics := Topics(c)
	if len(s.wanted) > 0 && !slices.ContainsFunc(s.wanted, func(topic string) bool { return slices.Contains(topics, topic) }) {
		return false
	}
	return s.all || slices.ContainsFunc(topics, func(topic string) bool { return s.opens(topic, c) })
}

// opens reports whether a topic lets the caller see the row. What is one's own
// to follow holds only what one did, or what happened to oneself.
func (s sight) opens(topic string, c changes.Change) bool {
	kind, _, _ := strings.Cut(topic, ":")
	switch kind {
	case "audit", "changes":
		return false
	case "account", "inbox":
		_, whose, _ := strings.Cut(c.Object, ":") // inbox: and queue: name whose they are
		return c.Actor == s.by.Key() || c.Object == s.by.Key() || slices.Contains(s.by.Parties(), whose)
	default:
		return s.may[kind]
	}
}
