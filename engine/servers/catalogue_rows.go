package servers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"crewlet/db"
)

// toolRow is a listed tool as it is kept.
type toolRow struct {
	naming
	Title        string    `json:"title"`
	Description  string    `json:"description"`
	InputSchema  string    `json:"input_schema"`
	OutputSchema string    `json:"output_schema"`
	Annotations  string    `json:"annotations"`
	Invalid      string    `json:"invalid"`
	Digest       string    `json:"digest"`
	More         string    `json:"more"`
	Arguments    int       `json:"arguments"` // counted once here, not by each reader
	Ord          int       `json:"ord"`
	ListedAt     time.Time `json:"listed_at"`
}

func rowOf(t listedTool, in fileCatalogue, at int) *toolRow {
	hints, err := json.Marshal(t.Annotations)
	if err != nil {
		panic("hints are plain data: " + err.Error())
	}
	return &toolRow{
		naming: naming{Server: in.Server, Seat: in.Seat, Utility: t.Utility, Name: t.Name},
		Title:  t.Title, Description: t.Description, InputSchema: string(t.InputSchema), OutputSchema: string(t.OutputSchema),
		Annotations: string(hints), Invalid: t.Invalid, Digest: definition(in.Server, t), Ord: at + 1,
		More: string(t.More), Arguments: arguments(t.InputSchema), ListedAt: in.ListedAt,
	}
}

// definition is the digest of all that a model or a person decides by.
func definition(server string, t listedTool) string {
	t.More = nil // icons and the like are nothing to decide by
	text, err := json.Marshal(struct {
		Server string
		listedTool
	}{server, t})
	if err != nil {
		panic("a listed tool is valid JSON: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

const insertRows = `
	INSERT INTO server_tools (server, seat, utility, name, base, registered, resolved, title, description, input_schema, output_schema,
		annotations, invalid, digest, ord, listed_at, more, arguments)
	SELECT server, seat, utility, name, base, registered, resolved, title, description, input_schema, output_schema,
		annotations, invalid, digest, ord, listed_at, more, arguments
	FROM json_to_recordset($1::json) AS t(server uuid, seat text, utility boolean, name text, base text, registered text, resolved boolean,
		title text, description text, input_schema text, output_schema text, annotations text, invalid text, digest text,
		ord int, listed_at timestamptz, more text, arguments int)`

// insertTools sends rows in parts of some megabytes: a schema alone may be one.
func insertTools(ctx context.Context, tx *db.Tx, rows []*toolRow) error {
	const part = 4 << 20
	for begin := 0; begin < len(rows); {
		end, size := begin, 0
		for end < len(rows) && (end == begin || size < part) {
			size += len(rows[end].InputSchema) + len(rows[end].OutputSchema) + len(rows[end].Description)
			end++
		}
		list, err := json.Marshal(rows[begin:end])
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, insertRows, string(list)); err != nil {
			return err
		}
		begin = end
	}
	return nil
}

// catalogueOf makes the arguments of a listing. Foreign text is made storable
// here; schemas are JSON and stay as they are.
func catalogueOf(n note) fileCatalogue {
	cat := n.catalogue
	capabilities, err := json.Marshal(cat.Capabilities)
	if err != nil {
		panic("capabilities are plain data: " + err.Error())
	}
	in := fileCatalogue{
		Server: n.key.Server, Seat: n.key.Seat, Name: n.state.Name, Digest: cat.Digest, ListedAt: cat.ListedAt.UTC(),
		Tools: make([]listedTool, len(cat.Tools)), Dropped: cat.Dropped, Duplicates: cat.Duplicates.Count, Oversize: cat.Oversize.Count, Stuck: cat.Stuck,
		Loop: cat.Loop, Print: n.tells.Print,
		LeftOut:      cleanText(strings.Join(append(slices.Clone(cat.Duplicates.Names), cat.Oversize.Names...), ", ")),
		Capabilities: string(capabilities), Instructions: cleanText(n.tells.Instructions),
	}
	for i, t := range cat.Tools {
		in.Tools[i] = listedTool{
			Name: cleanText(t.Name), Title: cleanText(t.Title), Description: cleanText(t.Description),
			InputSchema: t.InputSchema, OutputSchema: t.OutputSchema, Annotations: t.Annotations, Invalid: cleanText(t.Invalid), More: t.More,
		}
	}
	in.Tools = append(in.Tools, utilitiesOf(cat.Capabilities)...)
	return in
}
