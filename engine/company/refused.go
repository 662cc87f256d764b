package company

import (
	"context"
	"errors"
	"fmt"
	"time"

	"crewlet/config/document"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// misread refuses a text with everything wrong with it.
func misread(problems document.Problems) *refusal.Refusal {
	says := problems[0].String()
	switch more := len(problems) - 1; {
	case more == 1:
		says += " There is one more problem."
	case more > 1:
		says += fmt.Sprintf(" There are %d more problems.", more)
	}
	return refusal.Invalid.Say("%s", capital(says)).On("text").With("problems", listed(problems))
}

// Problem is one thing wrong with a text, as every door tells it.
type Problem struct {
	Path    string `json:"path"`   // such as mcp_servers[2].optional_keys[0]
	Line    int    `json:"line"`   // 1-based, in the text that was sent
	Column  int    `json:"column"` // 1-based, in characters
	Message string `json:"message"`
}

func listed(problems document.Problems) []Problem {
	list := make([]Problem, len(problems))
	for i, p := range problems {
		list[i] = Problem{Path: p.Path, Line: p.Line, Column: p.Column, Message: p.Says}
	}
	return list
}

func capital(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

// advanced refuses a write over a revision that is not the newest, with what
// changed since.
func (s *Company) advanced(ctx context.Context, c *tool.Call, base int64, now Revision) error {
	if now.ID == 0 {
		return refusal.RevisionAdvanced.Say("There is no revision yet, so nothing can be written over revision %d; leave if_match out.", base).With("revision_id", 0)
	}
	no := refusal.RevisionAdvanced.
		Say("%s wrote revision %d %s: %q. Yours was written over revision %d; look at what changed, then send it over revision %d.",
			now.AuthorName, now.ID, now.At.UTC().Format("on 2 January 2006 at 15:04 UTC"), now.Summary, base, now.ID).
		With("revision_id", now.ID).With("author", now.AuthorName).With("at", now.At.UTC().Format(time.RFC3339)).With("summary", now.Summary)
	old, err := revision(ctx, c.Tx, base)
	if refusal.Is(err, refusal.NotFound) {
		return refusal.RevisionAdvanced.Say("There is no revision %d; the newest is %d.", base, now.ID).With("revision_id", now.ID)
	}
	if err != nil {
		return err
	}
	return no.With("diff", unified(old, now))
}

// matched refuses a write that does not say what it was written over.
func (in Writing) matched(now Revision) error {
	if now.ID == 0 || in.IfMatch != 0 {
		return nil
	}
	return refusal.Invalid.Say("Say which revision this was written over, so that nobody's work is lost: if_match, or the header If-Match. The newest is %d.", now.ID).
		On("if_match").With("revision_id", now.ID)
}

// unedited says, beside an argument, why an edit could not be made.
func unedited(err error, field string) error {
	if problems, ok := problemsOf(err); ok {
		return misread(problems)
	}
	return refusal.Invalid.Say("%s", capital(err.Error())).On(field)
}

func problemsOf(err error) (document.Problems, bool) {
	return errors.AsType[document.Problems](err)
}
