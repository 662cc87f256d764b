package tracker

import (
	"context"
	"fmt"
	"strings"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// mostFound is how many items a query's words narrow a list to at most.
const mostFound = 1000

// Words is what is asked of the keyword index.
type Words struct {
	Query    string
	Projects []string // none: everywhere
	Open     bool     // unfinished items alone
	Limit    int
	Position int64 // what the index has to know of; it waits a moment for it
}

// Found is what the index answers: keys, the best first.
type Found struct {
	Keys   []string
	Total  int
	Behind bool // the index does not know of Position yet
	// Snippet cuts the part of a text that fits, and says which of its bytes do.
	Snippet func(text string) (string, [][2]int)
}

// SearchItems is what search_work_items is asked.
type SearchItems struct {
	Q       string `json:"q" validate:"required,max=500" jsonschema:"words, \"a phrase\", -not, or a key"`
	Project string `json:"project,omitempty" validate:"max=200" jsonschema:"keys, parted by commas; everywhere when left out"`
	Open    bool   `json:"open,omitempty" jsonschema:"unfinished items alone"`
	Limit   int    `json:"limit,omitempty" validate:"min=0,max=50" jsonschema:"at most so many; 20 when left out"`
}

// FoundItem is an item that fits, with the part of its text that does.
type FoundItem struct {
	Item
	DescribedBy []Person `json:"description_by" jsonschema:"who saved the description the snippet is of"`
	Snippet     string   `json:"snippet,omitempty" said:"description_by"`
	Marks       [][2]int `json:"marks,omitempty" jsonschema:"bytes of the snippet itself that fit, from and to"`
}

// ItemsFound are the items that fit, the best first.
type ItemsFound struct {
	Items  []FoundItem `json:"items"`
	Total  int         `json:"total"`
	Behind bool        `json:"behind,omitempty" jsonschema:"the newest changes may be missing"`
	AsOf   int64       `json:"as_of"`
}

func declareSearchItems(t *Tracker) tool.Use[SearchItems, ItemsFound] {
	return tool.Declare(tool.Spec{
		Name:     "search_work_items",
		Title:    "Search items",
		Brief:    "Find work items by words in their key, title, description and comments, the best first.",
		Access:   access.Read(access.StateRead),
		Audience: tool.Operators | tool.Seats,
		Mode:     tool.Read,
	}, t.searchItems)
}

const itemsByKey = `
	SELECT ` + itemColumns + `, i.description, ` + writersJSON + ` AS writers FROM items i
	JOIN unnest($1::text[], $2::bigint[]) AS k(project, no) ON k.project = i.project AND k.no = i.no`

// projects are the keys asked for; nil is everywhere.
func (in SearchItems) projects() []string {
	if in.Project == "" {
		return nil
	}
	return strings.FieldsFunc(strings.ToUpper(in.Project), func(r rune) bool { return r == ',' || r == ' ' })
}

func (t *Tracker) searchItems(ctx context.Context, c *tool.Call, in SearchItems) (ItemsFound, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return ItemsFound{}, err
	}
	if in.Limit == 0 {
		in.Limit = 20
	}
	ask := Words{Query: in.Q, Projects: in.projects(), Open: in.Open, Limit: in.Limit, Position: c.Landed.Position}
	found, err := t.from.Search(ctx, ask)
	if err != nil {
		return ItemsFound{}, err
	}
	var rows []struct {
		item
		Description string `db:"description"`
		Writers     []byte `db:"writers"`
	}
	if len(found.Keys) == 0 {
		if err := (named{projects: ask.Projects, container: "project"}).refused(ctx, c.Tx); err != nil {
			return ItemsFound{}, err
		}
	}
	projects, numbers := splitKeys(found.Keys)
	if err := c.Tx.SelectContext(ctx, &rows, itemsByKey, projects, numbers); err != nil {
		return ItemsFound{}, fmt.Errorf("read the items found: %w", err)
	}
	out := ItemsFound{Items: []FoundItem{}, Total: found.Total, Behind: found.Behind, AsOf: c.Landed.Position}
	for _, key := range found.Keys {
		for _, row := range rows {
			if row.Key() == key {
				it := FoundItem{Item: row.told(dir)}
				if it.DescribedBy, err = readWriters(row.Writers, dir); err != nil {
					return ItemsFound{}, err
				}
				it.Snippet, it.Marks = found.Snippet(row.Description)
				out.Items = append(out.Items, it)
			}
		}
	}
	return out, nil
}
