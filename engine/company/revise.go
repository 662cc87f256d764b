package company

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"crewlet/config/document"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// MaxText is the largest document in bytes.
const MaxText = 1 << 20

// maxSummary is the longest summary in characters.
const maxSummary = 300

// Writing is what every change of the company document is asked besides what
// it changes.
type Writing struct {
	IfMatch int64  `json:"if_match,omitempty" jsonschema:"number of the revision this was written over, as get_config answers it"`
	Summary string `json:"summary,omitempty" jsonschema:"one line that says why, as people will read it in the history"`
	DryRun  bool   `json:"dry_run,omitempty" jsonschema:"check everything and store nothing"`
}

// Object names the document for the record of a call that was refused.
func (Writing) Object() string { return Object }

// Written is what a change of the document came to.
type Written struct {
	RevisionID int64     `json:"revision_id"` // the new one; the one in force when nothing was stored
	Warnings   []Warning `json:"warnings"`    // what is allowed and will not work yet
	Created    bool      `json:"created,omitempty"`
}

// draft is a text on its way to being a revision.
type draft struct {
	text  string
	fixed Identities // ids that are decided: a rename's, or those gone back to
	// told turns problems with the text into this use case's own words.
	told func(document.Problems) *refusal.Refusal
}

// decides reports whether the use case knows which ids the names stand for.
func (d draft) decides() bool { return d.fixed.Servers != nil || d.fixed.Seats != nil }

// revise is every change of the document: it holds the newest revision, makes
// the next text of it, checks it whole, and stores it. Anything in the way is
// told with all there is to know.
func (s *Company) revise(ctx context.Context, c *tool.Call, in Writing, draw func(now Revision) (draft, error)) (Written, error) {
	now, err := lockNewest(ctx, c.Tx)
	if err != nil {
		return Written{}, err
	}
	if in.IfMatch != 0 && in.IfMatch != now.ID {
		return Written{}, s.advanced(ctx, c, in.IfMatch, now)
	}
	next, err := draw(now)
	if err != nil {
		return Written{}, err
	}
	doc, err := check(next, in)
	if err != nil {
		return Written{}, err
	}
	warnings, err := s.warnings(ctx, c.Tx, now, next, doc)
	if err != nil {
		return Written{}, err
	}
	if in.DryRun || same(now, next) {
		c.Unchanged()
		return Written{RevisionID: now.ID, Warnings: warnings}, nil
	}
	if err := summarised(in.Summary); err != nil {
		return Written{}, err
	}
	rev := Revision{
		ID: now.ID + 1, Parent: now.ID, Text: next.text, Summary: strings.TrimSpace(in.Summary),
		Author: c.By.Key(), AuthorName: c.By.Name, At: c.Now,
	}
	if rev.IDs, err = identify(ctx, c.Tx, doc, rev.ID, now.IDs, next.fixed); err != nil {
		return Written{}, err
	}
	if err := store(ctx, c, rev); err != nil {
		return Written{}, err
	}
	s.tell(c, now, rev, doc)
	return Written{RevisionID: rev.ID, Warnings: warnings}, s.revised(ctx, c, doc)
}

// revised tells whoever keeps what the document declares.
func (s *Company) revised(ctx context.Context, c *tool.Call, doc *document.Document) error {
	if s.from.Revised == nil {
		return nil
	}
	return s.from.Revised(ctx, c, doc)
}

// check reads the text as strictly as it will ever be read.
func check(next draft, in Writing) (*document.Document, error) {
	if len(next.text) > MaxText {
		return nil, refusal.Invalid.Say("A company document is at most 1 MiB; this one is %d bytes.", len(next.text)).On("text")
	}
	doc, problems := document.Parse([]byte(next.text))
	if len(problems) == 0 {
		return doc, nil
	}
	told := next.told
	if told == nil {
		told = misread
	}
	no := told(problems)
	if !in.DryRun && summarised(in.Summary) != nil {
		no = no.Beside("summary", whySummary)
	}
	return nil, no
}

const whySummary = "Say in one line why, such as \"Add the GitHub server\"; the history shows it."

func summarised(summary string) error {
	switch {
	case strings.TrimSpace(summary) == "":
		return refusal.SummaryRequired.Say(whySummary).On("summary")
	case utf8.RuneCountInString(summary) > maxSummary:
		return refusal.Invalid.Say("A summary is one line of at most %d characters.", maxSummary).On("summary")
	}
	return nil
}

// same reports whether the draft is the revision in force, ids included.
func same(now Revision, next draft) bool {
	if now.ID == 0 || next.text != now.Text {
		return false
	}
	return agrees(next.fixed.Servers, now.IDs.Servers) && agrees(next.fixed.Seats, now.IDs.Seats)
}

func agrees(fixed, now map[string]string) bool {
	for name, id := range fixed {
		if now[name] != id {
			return false
		}
	}
	return true
}

const (
	insertRevision = `
		INSERT INTO revisions (id, parent, text, summary, author, author_name, at, ids)
		VALUES ($1, nullif($2, 0), $3, $4, $5, $6, $7, $8)`
	raiseHead = `UPDATE company_head SET revision = $1 WHERE one`
)

func store(ctx context.Context, c *tool.Call, rev Revision) error {
	_, err := c.Tx.ExecContext(ctx, insertRevision, rev.ID, rev.Parent, rev.Text, rev.Summary, rev.Author, rev.AuthorName, rev.At, rev.IDs)
	if err != nil {
		return fmt.Errorf("store revision %d: %w", rev.ID, err)
	}
	if _, err := c.Tx.ExecContext(ctx, raiseHead, rev.ID); err != nil {
		return fmt.Errorf("make revision %d the newest: %w", rev.ID, err)
	}
	return nil
}

// tell puts what the revision changed into the log.
func (s *Company) tell(c *tool.Call, was, now Revision, doc *document.Document) {
	c.Changed(revisedKind, Object, map[string]changes.Delta{
		"revision": {From: was.ID, To: now.ID}, "summary": {To: now.Summary},
	})
	old := &document.Document{}
	if before, err := s.parsedBefore(was); err == nil {
		old = before
	}
	tellServers(c, now.ID, was.IDs.Servers, now.IDs.Servers, old, doc)
	tellSeats(c, was.IDs.Seats, now.IDs.Seats)
}

// parsedBefore is what the revision written over says. One that this version
// no longer reads may be written over all the same.
func (s *Company) parsedBefore(was Revision) (*document.Document, error) {
	s.mu.Lock()
	held := s.held
	s.mu.Unlock()
	if held != nil && held.ID == was.ID {
		return held.Document, nil
	}
	doc, problems := document.Parse([]byte(was.Text))
	return doc, problems.Or()
}
