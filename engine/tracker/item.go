package tracker

import (
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/lib/pq"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"crewlet/engine/org"
)

// item is a row of items, without its description.
type item struct {
	ID           string          `db:"id"`
	Project      string          `db:"project"`
	No           int64           `db:"no"`
	Type         string          `db:"type"`
	Title        string          `db:"title"`
	Edition      int             `db:"edition"` // the version at which the description was last saved
	Status       string          `db:"status"`
	Priority     int             `db:"priority"`
	Assignee     string          `db:"assignee"` // parties
	Reporter     string          `db:"reporter"`
	Unit         string          `db:"unit"`
	RoutingUnit  string          `db:"routing_unit"`
	Labels       pq.StringArray  `db:"labels"`
	URLs         pq.StringArray  `db:"urls"`
	Parent       sql.NullString  `db:"parent"` // an id
	ParentNo     sql.NullInt64   `db:"parent_no"`
	Depth        int             `db:"depth"`
	StartOn      sql.NullString  `db:"start_on"` // YYYY-MM-DD
	StartAt      sql.NullTime    `db:"start_at"`
	DueOn        sql.NullString  `db:"due_on"`
	DueAt        sql.NullTime    `db:"due_at"`
	Estimate     sql.NullInt64   `db:"estimate_minutes"`
	Points       sql.NullFloat64 `db:"points"`
	Comments     int             `db:"comments"`
	OpenAsks     int             `db:"open_asks"`
	Blockers     int             `db:"blockers"`
	Children     int             `db:"children"`
	ChildrenOpen int             `db:"children_open"`
	Handed       int             `db:"handed"`
	Version      int             `db:"version"`
	CreatedAt    time.Time       `db:"created_at"`
	UpdatedAt    time.Time       `db:"updated_at"`
	ClosedAt     sql.NullTime    `db:"closed_at"`
}

// itemColumns are the columns of an item read as i, its parent's number beside.
const itemColumns = `i.id, i.project, i.no, i.type, i.title, i.edition, i.status, i.priority, i.assignee, i.reporter,
	i.unit, i.routing_unit, i.labels, i.urls, i.parent, (SELECT p.no FROM items p WHERE p.id = i.parent) AS parent_no, i.depth,
	i.start_on::text AS start_on, i.start_at, i.due_on::text AS due_on, i.due_at, i.estimate_minutes, i.points, i.comments,
	i.open_asks, i.blockers, i.children, i.children_open, i.handed, i.version, i.created_at, i.updated_at, i.closed_at`

// drawn are the columns an item's row on a page shows, with what pages are put
// in order by: reading all takes longer than finding the rows.
var drawn = []string{
	"id", "project", "no", "type", "title", "status", "priority", "assignee", "labels", "due_on", "due_at",
	"comments", "open_asks", "blockers", "children", "children_open", "created_at", "updated_at",
}

var drawnColumns = strings.Replace("i."+strings.Join(drawn, ", i."), "i.due_on", "i.due_on::text AS due_on", 1)

// Key is the item's name among people, such as ENG-412.
func (i item) Key() string { return fmt.Sprintf("%s-%d", i.Project, i.No) }

// object names the item in the log and the record.
func (i item) object() string { return "item:" + i.Key() }

// Person is somebody as answers show them: a seat, or a person without one.
type Person struct {
	Handle string `json:"handle" jsonschema:"how to address them"`
	Name   string `json:"name"`
	Kind   string `json:"kind,omitempty" jsonschema:"agent or human"`
}

// Wrote says to a model whose words a text is.
func (p Person) Wrote() (called, kind string) {
	if p.Handle == "" {
		return p.Name, p.Kind
	}
	return p.Handle, p.Kind
}

// person is a party as answers show it; nil for nobody.
func person(dir *org.Directory, party string) *Person {
	if party == "" {
		return nil
	}
	m, ok := dir.Member(party)
	if !ok {
		return &Person{Handle: party, Name: party}
	}
	return &Person{Handle: m.Word(), Name: m.Name, Kind: m.Kind}
}

// everybody is whom work could be given to, as answers show them.
func everybody(dir *org.Directory) []Person {
	var all []Person
	for _, m := range dir.Members() {
		all = append(all, *person(dir, m.Party))
	}
	return all
}

// Item is an item as every door answers it.
type Item struct {
	Key          string    `json:"key"`
	Type         string    `json:"type"`
	Title        string    `json:"title"`
	Status       string    `json:"status"`
	StatusGroup  string    `json:"status_group"`
	Priority     string    `json:"priority"`
	Assignee     *Person   `json:"assignee,omitempty"`
	Reporter     *Person   `json:"reporter,omitempty"`
	Project      string    `json:"project"`
	Unit         string    `json:"unit,omitempty" jsonschema:"the unit it was filed into"`
	RoutingUnit  string    `json:"routing_unit,omitempty" jsonschema:"the unit whose lead hears of it"`
	Labels       []string  `json:"labels"`
	References   []string  `json:"references,omitempty" jsonschema:"addresses outside"`
	Parent       string    `json:"parent,omitempty"`
	Start        string    `json:"start,omitempty" jsonschema:"a day, or an instant in UTC"`
	Due          string    `json:"due,omitempty" jsonschema:"a day, or an instant in UTC"`
	Estimate     *int64    `json:"estimate_minutes,omitempty"`
	Points       *float64  `json:"points,omitempty"`
	Comments     int       `json:"comments"`
	OpenAsks     int       `json:"open_asks"`
	Blocked      bool      `json:"blocked" jsonschema:"whether it waits on work that is not finished"`
	Subtasks     int       `json:"subtasks"`
	SubtasksOpen int       `json:"subtasks_open"`
	Version      int       `json:"version" jsonschema:"send it back as if_match"`
	CreatedAt    time.Time `json:"created_at"`
	UpdatedAt    time.Time `json:"updated_at"`
	Ask          *Asked    `json:"ask,omitempty" jsonschema:"the question filed with it just now"`
}

// told is a row as an answer.
func (i item) told(dir *org.Directory) Item {
	out := Item{
		Key: i.Key(), Type: i.Type, Title: i.Title, Status: i.Status, StatusGroup: groupOf(i.Status), Priority: priorities[i.Priority],
		Assignee: person(dir, i.Assignee), Reporter: person(dir, i.Reporter), Project: i.Project, Unit: i.Unit, RoutingUnit: i.RoutingUnit,
		Labels: append([]string{}, i.Labels...), References: i.URLs, Start: when(i.StartOn, i.StartAt), Due: when(i.DueOn, i.DueAt),
		Comments: i.Comments, OpenAsks: i.OpenAsks, Blocked: i.Blockers > 0, Subtasks: i.Children, SubtasksOpen: i.ChildrenOpen,
		Version: i.Version, CreatedAt: i.CreatedAt.UTC(), UpdatedAt: i.UpdatedAt.UTC(),
	}
	if i.ParentNo.Valid {
		out.Parent = fmt.Sprintf("%s-%d", i.Project, i.ParentNo.Int64)
	}
	if i.Estimate.Valid {
		out.Estimate = &i.Estimate.Int64
	}
	if i.Points.Valid {
		out.Points = &i.Points.Float64
	}
	return out
}

// when is a date as it is answered: the instant when there is one, else the day.
func when(on sql.NullString, at sql.NullTime) string {
	if at.Valid {
		return at.Time.UTC().Format(time.RFC3339)
	}
	return on.String
}

// folded is a title as duplicates are found by: case, accents' spelling and
// runs of blanks do not tell two titles apart.
func folded(title string) string {
	return strings.Join(strings.Fields(cases.Fold().String(norm.NFKC.String(title))), " ")
}
