package servers

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

// fileCatalogue is what file_catalogue is asked: one whole listing.
type fileCatalogue struct {
	Server       string       `json:"server" validate:"required,uuid"`
	Seat         string       `json:"seat,omitempty"`
	Name         string       `json:"name" jsonschema:"the server's name"`
	Declared     []declared   `json:"declared" jsonschema:"the servers there are, in the document's order"`
	Digest       string       `json:"digest" validate:"required"`
	Print        string       `json:"print,omitempty" jsonschema:"what it was listed from, as a keyed digest"`
	ListedAt     time.Time    `json:"listed_at"`
	Tools        []listedTool `json:"tools"`
	Dropped      int          `json:"dropped"`
	Duplicates   int          `json:"duplicates"`
	Oversize     int          `json:"oversize"`
	Stuck        bool         `json:"stuck,omitempty" jsonschema:"the server gave one page twice; the listing ends there"`
	Loop         string       `json:"loop,omitempty" text:"raw" jsonschema:"how the listing would have gone on for ever, a sentence"`
	LeftOut      string       `json:"left_out" text:"raw"`
	Capabilities string       `json:"capabilities" text:"raw"`
	Instructions string       `json:"instructions" text:"raw"`
}

// listedTool is a tool as its server listed it.
type listedTool struct {
	Name         string             `json:"name" text:"raw"`
	Title        string             `json:"title,omitempty" text:"raw"`
	Description  string             `json:"description,omitempty" text:"raw"`
	InputSchema  json.RawMessage    `json:"input_schema"`
	OutputSchema json.RawMessage    `json:"output_schema,omitempty"`
	Annotations  client.Annotations `json:"annotations"`
	Invalid      string             `json:"invalid,omitempty" text:"raw"`
	More         json.RawMessage    `json:"more,omitempty"`
	Utility      bool               `json:"utility,omitempty"` // ours: it stands for resources or prompts
}

// Object names the server for the record.
func (a fileCatalogue) Object() string { return "server:" + a.Server }

// filed is what a listing changed, by the tools' own names.
type filed struct {
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
	Changed []string `json:"changed"`
}

func declareFileCatalogue(s *Servers) tool.Use[fileCatalogue, filed] {
	return tool.Declare(tool.Spec{
		Name:   "file_catalogue",
		Title:  "File a catalogue",
		Brief:  "Keep what an MCP server lists, and say what is new, gone or changed.",
		Access: access.EngineOnly(),
		Hints:  tool.Hints{Idempotent: true},
	}, s.catalogueFiled)
}

const (
	filedDigest = `SELECT digest FROM server_catalogues WHERE server = $1 AND seat = $2`

	putCatalogue = `
		INSERT INTO server_catalogues (server, seat, digest, listed_at, tools, dropped, duplicates, oversize, left_out, capabilities, instructions, stuck, loop, print)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
		ON CONFLICT (server, seat) DO UPDATE SET digest = excluded.digest, listed_at = excluded.listed_at, tools = excluded.tools,
			dropped = excluded.dropped, duplicates = excluded.duplicates, oversize = excluded.oversize,
			left_out = excluded.left_out, capabilities = excluded.capabilities, instructions = excluded.instructions,
			stuck = excluded.stuck, loop = excluded.loop, print = excluded.print`

	takeTools = `DELETE FROM server_tools WHERE server = $1 AND seat = $2 RETURNING utility, name, base, registered, resolved, digest`
)

// catalogueFiled replaces what the server listed before. The same listing
// again changes nothing anywhere.
func (s *Servers) catalogueFiled(ctx context.Context, c *tool.Call, in fileCatalogue) (filed, error) {
	c.About(in.Object())
	if err := lockNames(ctx, c.Tx); err != nil {
		return filed{}, err
	}
	var before string
	err := c.Tx.GetContext(ctx, &before, filedDigest, in.Server, in.Seat)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return filed{}, fmt.Errorf("read the catalogue of %s: %w", in.Name, err)
	}
	_, err = c.Tx.ExecContext(ctx, putCatalogue, in.Server, in.Seat, in.Digest, in.ListedAt, in.own(),
		in.Dropped, in.Duplicates, in.Oversize, in.LeftOut, in.Capabilities, in.Instructions, in.Stuck, in.Loop, in.Print)
	if err != nil {
		return filed{}, fmt.Errorf("file the catalogue of %s: %w", in.Name, err)
	}
	if before == in.Digest {
		c.Unchanged()
		return filed{}, nil
	}
	out, err := s.replaceTools(ctx, c.Tx, in)
	if err != nil {
		return filed{}, fmt.Errorf("file the tools of %s: %w", in.Name, err)
	}
	c.Changed("catalogue.changed", in.Object(), map[string]changes.Delta{
		"name": {To: in.Name}, "tools": {To: in.own()}, "added": {To: clipped(out.Added)},
		"removed": {From: clipped(out.Removed)}, "changed": {To: clipped(out.Changed)},
	})
	return out, nil
}

// own counts what the server itself listed.
func (a fileCatalogue) own() int {
	n := 0
	for _, t := range a.Tools {
		if !t.Utility {
			n++
		}
	}
	return n
}

// hadTool is a tool as it was filed before.
type hadTool struct {
	Utility    bool   `db:"utility"`
	Name       string `db:"name"`
	Base       string `db:"base"`
	Registered string `db:"registered"`
	Resolved   bool   `db:"resolved"`
	Digest     string `db:"digest"`
}

func (s *Servers) replaceTools(ctx context.Context, tx *db.Tx, in fileCatalogue) (filed, error) {
	var had []hadTool
	if err := tx.SelectContext(ctx, &had, takeTools, in.Server, in.Seat); err != nil {
		return filed{}, err
	}
	old := make(map[string]hadTool, len(had))
	for _, t := range had {
		old[told(t.Utility, t.Name)] = t
	}
	out := filed{Added: []string{}, Removed: []string{}, Changed: []string{}}
	rows := make([]*toolRow, len(in.Tools))
	fresh := make([]*naming, len(in.Tools))
	for i, t := range in.Tools {
		rows[i] = rowOf(t, in, i)
		name := told(t.Utility, t.Name)
		prior, known := old[name]
		rows[i].Base, rows[i].Registered, rows[i].Resolved = prior.Base, prior.Registered, prior.Resolved
		fresh[i] = &rows[i].naming
		delete(old, name)
		switch {
		case !known:
			out.Added = append(out.Added, name)
		case prior.Digest != rows[i].Digest:
			out.Changed = append(out.Changed, name)
		}
	}
	out.Removed = append(out.Removed, slices.Sorted(maps.Keys(old))...)
	slices.Sort(out.Added)
	slices.Sort(out.Changed)
	kept, err := namings(ctx, tx)
	if err != nil {
		return filed{}, err
	}
	if _, err := s.reassign(ctx, tx, kept, in.Declared, fresh); err != nil {
		return filed{}, err
	}
	return out, insertTools(ctx, tx, rows)
}

// told is what a tool is called where changes are told: a utility tool beside
// a server's own of the same name.
func told(utility bool, name string) string {
	if utility {
		return name + " (utility)"
	}
	return name
}
