package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The caps of a listing. What lies past them is counted.
const (
	maxTools  = 2000
	maxSchema = 1 << 20 // bytes
	maxPages  = 1000
	maxBarren = 20 // pages in a row that lead on and bring nothing new
	maxNamed  = 50 // names kept of what was left out
)

// listing gathers the pages of one tools/list.
type listing struct {
	cat    Catalogue
	redact *redactor
	seen   map[string]bool
}

// list asks for every page of the tools and returns the catalogue, sealed.
func (l *link) list(ctx context.Context, clock Clock) (*Catalogue, error) {
	began := clock.Now()
	g := &listing{redact: l.redact, seen: map[string]bool{}}
	g.cat.Capabilities = l.capabilities()
	if g.cat.Capabilities.Tools {
		if err := g.pages(ctx, l); err != nil {
			return nil, err
		}
	}
	g.cat.ListedAt = clock.Now()
	g.cat.Took = g.cat.ListedAt.Sub(began)
	g.cat.seal()
	return &g.cat, nil
}

// pages follows the cursors. A server that would go on for ever is stopped,
// with what there is; what it listed again on its rounds is no duplicate.
func (g *listing) pages(ctx context.Context, l *link) error {
	cursors := map[string]bool{}
	cursor, barren, before := "", 0, g.cat
	for page := 1; ; page++ {
		next, err := g.page(ctx, l, cursor)
		if err != nil || next == "" {
			return err
		}
		if barren++; g.cat.met() > before.met() {
			barren, before = 0, g.cat
		}
		if g.cat.Loop = loop(page, barren, cursors[next]); g.cat.Loop != "" {
			g.cat.Stuck, g.cat.Duplicates = true, before.Duplicates
			l.called.log().Warn("server_listing_endless", "cause", g.cat.Loop)
			return nil
		}
		cursors[next] = true
		cursor = next
	}
}

// loop says how a listing goes round, "" when it does not.
func loop(page, barren int, seen bool) string {
	switch {
	case seen:
		return fmt.Sprintf("Page %d of its tools leads back to a page before.", page)
	case barren >= maxBarren:
		return fmt.Sprintf("The last %d of the %d pages of its tools brought nothing new, and each leads on to another.", barren, page)
	case page >= maxPages:
		return fmt.Sprintf("Its tools are on more than %d pages.", maxPages)
	}
	return ""
}

func (g *listing) page(ctx context.Context, l *link, cursor string) (next string, err error) {
	ctx, raw := withRaw(ctx)
	defer l.conn.results().forget(raw)
	if _, err := l.session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor}); err != nil {
		return "", err
	}
	var page struct {
		Tools      *[]json.RawMessage `json:"tools"`
		NextCursor string             `json:"nextCursor"`
	}
	if err := json.Unmarshal(g.redact.raw(raw.text), &page); err != nil {
		return "", fmt.Errorf("its answer to tools/list cannot be read: %w", err)
	}
	if page.Tools == nil {
		return "", errors.New("its answer to tools/list has no tools")
	}
	for _, text := range *page.Tools {
		g.add(text)
	}
	var on struct {
		Cursor string `json:"nextCursor"` // goes back to the server as it came
	}
	if page.NextCursor != "" && json.Unmarshal(raw.text, &on) == nil {
		return on.Cursor, nil
	}
	return page.NextCursor, nil
}

// add keeps one tool, or counts why not.
func (g *listing) add(text json.RawMessage) {
	t, err := decodeTool(text)
	switch {
	case errors.Is(err, errOversize):
		g.cat.Oversize.add(t.Name)
	case err != nil:
		g.cat.Dropped++
	case g.seen[t.Name]:
		g.cat.Duplicates.add(t.Name)
	case len(g.cat.Tools) >= maxTools:
		g.cat.Dropped++
	default:
		g.seen[t.Name] = true
		t.InputSchema, t.OutputSchema = slices.Clone(t.InputSchema), slices.Clone(t.OutputSchema)
		g.cat.Tools = append(g.cat.Tools, t)
	}
}

// met is how many tools were met for the first time, as far as can be told.
func (c *Catalogue) met() int { return len(c.Tools) + c.Dropped + c.Oversize.Count }
