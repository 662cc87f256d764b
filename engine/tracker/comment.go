package tracker

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"crewlet/engine/access"
	"crewlet/engine/org"
)

// maxComment is how long a comment may be, in bytes.
const maxComment = 32 << 10

// commentPage is how many comments an item's page holds.
const commentPage = 20

// Comment is what somebody said about an item, as every door answers it.
type Comment struct {
	ID         string     `json:"id"`
	Author     *Person    `json:"author,omitempty"`
	AuthorKind string     `json:"author_kind" jsonschema:"agent, human, operator or system"`
	Body       string     `json:"body" said:"author" jsonschema:"Markdown; empty once removed"`
	At         time.Time  `json:"at"`
	EditedAt   *time.Time `json:"edited_at,omitempty"`
	Removed    bool       `json:"removed,omitempty"`
	RemovedBy  *Person    `json:"removed_by,omitempty"`
	Version    int        `json:"version"`
	Ask        *Asked     `json:"ask,omitempty" jsonschema:"the question this comment asks"`
	Answers    *Answered  `json:"answers,omitempty" jsonschema:"the question this comment answers"`
	Mine       bool       `json:"mine,omitempty" jsonschema:"you wrote it"`
}

// Answered is the question a comment answers, and what it chose.
type Answered struct {
	Ask    string   `json:"ask"` // id
	Choice []Option `json:"choice"`
}

// commentRow is a comment as the database answers it, as JSON.
type commentRow struct {
	ID         string     `json:"id"`
	Author     string     `json:"author"` // a party
	AuthorName string     `json:"author_name"`
	AuthorAs   string     `json:"author_as"`
	Body       string     `json:"body"`
	At         time.Time  `json:"at"`
	EditedAt   *time.Time `json:"edited_at"`
	RemovedAt  *time.Time `json:"removed_at"`
	RemovedBy  string     `json:"removed_by"`
	Version    int        `json:"version"`
	Ask        *askRow    `json:"ask"`
	Answers    *struct {
		ID      string   `json:"id"`
		Options []Option `json:"options"`
		Choice  []string `json:"choice"`
	} `json:"answers"`
}

// commentShape is a comment c of an item i as commentRow reads it.
const commentShape = `json_build_object('id', c.id, 'author', c.author, 'author_name', c.author_name, 'author_as', c.author_as,
	'body', c.body, 'at', c.at, 'edited_at', c.edited_at, 'removed_at', c.removed_at, 'removed_by', c.removed_by, 'version', c.version,
	'ask', (SELECT ` + askShape + ` FROM asks a WHERE a.id = c.id),
	'answers', (SELECT json_build_object('id', a.id, 'options', a.options::json, 'choice', a.choice) FROM asks a WHERE a.answer = c.id))`

// commentsJSON is the newest comments of an item read as i, the newest first,
// and one more than a page holds.
const commentsJSON = `(SELECT coalesce(json_agg(x.said ORDER BY x.id DESC), '[]') FROM (
	SELECT c.id, ` + commentShape + ` AS said FROM comments c WHERE c.item = i.id ORDER BY c.id DESC LIMIT 21) AS x)`

// readComments reads what commentsJSON answers, and the cursor of those that
// did not fit: the id of the oldest that did, empty where nothing is older.
func readComments(raw []byte, dir *org.Directory, to access.Principal, limit int) ([]Comment, string, error) {
	var rows []commentRow
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, "", fmt.Errorf("read comments: %w", err)
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		next = rows[limit-1].ID
	}
	comments := []Comment{}
	for _, row := range rows {
		comments = append(comments, row.told(dir, to))
	}
	return comments, next, nil
}

// told is a comment as an answer to somebody.
func (r commentRow) told(dir *org.Directory, to access.Principal) Comment {
	out := Comment{
		ID: r.ID, Author: author(dir, r.Author, r.AuthorName), AuthorKind: r.AuthorAs, Body: r.Body, At: r.At.UTC(), EditedAt: r.EditedAt,
		Removed: r.RemovedAt != nil, RemovedBy: person(dir, r.RemovedBy), Version: r.Version, Mine: slices.Contains(to.Parties(), r.Author),
	}
	if r.Ask != nil {
		asked := r.Ask.told(dir, to)
		out.Ask = &asked
	}
	if r.Answers != nil {
		out.Answers = &Answered{Ask: r.Answers.ID, Choice: chosenOf(r.Answers.Options, r.Answers.Choice)}
	}
	return out
}

// author is who wrote something: as the directory has them, else by the name
// they had when they wrote it.
func author(dir *org.Directory, party, name string) *Person {
	if party == "" {
		return &Person{Name: name}
	}
	if _, ok := dir.Member(party); !ok {
		return &Person{Handle: party, Name: name}
	}
	return person(dir, party)
}

// excerptLength is how much of a text a notice shows, in characters.
const excerptLength = 120

// excerpt is the beginning of a text on one line.
func excerpt(text string) string {
	line := strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(line) <= excerptLength {
		return line
	}
	runes := []rune(line)
	return strings.TrimSpace(string(runes[:excerptLength])) + "…"
}
