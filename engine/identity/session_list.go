package identity

import (
	"context"
	"fmt"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ListSignIns asks for one's own browser sessions.
type ListSignIns struct{}

// SignIns are a person's sessions that have not ended, newest first.
type SignIns struct {
	SignIns []BrowserSession `json:"sign_ins"`
}

// BrowserSession is one browser somebody is signed in with. Times are UTC.
type BrowserSession struct {
	ID      string    `db:"id" json:"id"`
	Agent   string    `db:"agent" json:"agent"`
	Source  string    `db:"source" json:"source"`
	Created time.Time `db:"created_at" json:"created_at"`
	Seen    time.Time `db:"seen_at" json:"seen_at"`
	Here    bool      `json:"here"` // the one this was asked with
}

func declareListSignIns(i *Identity) tool.Use[ListSignIns, SignIns] {
	return tool.Declare(tool.Spec{
		Name:   "list_sign_ins",
		Title:  "Your sign-ins",
		Brief:  "List the browsers you are signed in with.",
		Access: access.Self(),
		Mode:   tool.Read,
	}, i.listSignIns)
}

// Nobody has hundreds of browsers; the limit is against a script that signs in
// again and again.
const sessionsOf = `
	SELECT id, agent, source, created_at, seen_at FROM browser_sessions
	WHERE person = $1 AND ended_at IS NULL AND seen_at > $2 AND created_at > $3
	ORDER BY created_at DESC LIMIT 200`

func (i *Identity) listSignIns(ctx context.Context, c *tool.Call, _ ListSignIns) (SignIns, error) {
	if _, err := sessionOf(c.By); err != nil {
		return SignIns{}, err
	}
	out := SignIns{SignIns: []BrowserSession{}}
	if err := c.Tx.SelectContext(ctx, &out.SignIns, sessionsOf, c.By.ID, c.Now.Add(-idleFor), c.Now.Add(-lastsFor)); err != nil {
		return SignIns{}, fmt.Errorf("list sign-ins of %s: %w", c.By.Name, err)
	}
	for n := range out.SignIns {
		s := &out.SignIns[n]
		s.Here = sessionObject(s.ID) == c.By.Credential
	}
	return out, nil
}
