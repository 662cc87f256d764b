package identity

import (
	"context"
	"fmt"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ListTokens asks for the tokens there are.
type ListTokens struct{}

// TokenList is every token that works or stopped working lately, newest first.
type TokenList struct {
	Tokens []Token `json:"tokens"`
	// Node are those of this node's own file, by id; they end when their entry
	// is removed.
	Node []NodeToken `json:"node"`
}

// NodeToken is a token of the node's own file.
type NodeToken struct {
	ID     string   `json:"id"`
	Grants []string `json:"grants"`
}

// shownFor is how long a token that ended is still listed.
const shownFor = 30 * 24 * time.Hour

func declareListTokens(i *Identity) tool.Use[ListTokens, TokenList] {
	return tool.Declare(tool.Spec{
		Name:     "list_tokens",
		Title:    "Tokens",
		Brief:    "List every token, programs' and people's own: label, grants, who made each, until when, last use. Values are never shown.",
		Access:   access.Operator(access.PeopleManage),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, i.listTokens)
}

const listTokens = `
	SELECT ` + tokenColumns + ` FROM tokens
	WHERE (revoked_at IS NULL OR revoked_at > $1) AND (expires_at IS NULL OR expires_at > $1)
	ORDER BY id DESC LIMIT 500`

func (i *Identity) listTokens(ctx context.Context, c *tool.Call, _ ListTokens) (TokenList, error) {
	out := TokenList{Tokens: []Token{}, Node: []NodeToken{}}
	if err := c.Tx.SelectContext(ctx, &out.Tokens, listTokens, c.Now.Add(-shownFor)); err != nil {
		return TokenList{}, fmt.Errorf("list tokens: %w", err)
	}
	for _, t := range i.node {
		out.Node = append(out.Node, NodeToken{ID: t.id, Grants: (t.grants & i.max).List()})
	}
	return out, nil
}
