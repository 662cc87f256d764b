package tracker

import (
	"context"
	"fmt"

	"github.com/lib/pq"

	"crewlet/db"
	"crewlet/engine/refusal"
)

// named is what a query names by key, id or slug and may not be there.
type named struct {
	projects, projectsOf, labels []string // projectsOf and numbers are the keys of parents
	numbers                      []int64
	container                    string // the argument the projects came in
	no                           draft  // what is known to be missing without a look
}

// unknownNamed finds what is named and is not there. A label is known if any
// project has it.
const unknownNamed = `
	SELECT 'project' AS what, p AS name FROM unnest($1::text[]) AS p WHERE NOT EXISTS (SELECT 1 FROM projects WHERE key = p)
	UNION ALL
	SELECT 'parent', k.project || '-' || k.no FROM unnest($2::text[], $3::bigint[]) AS k(project, no)
	WHERE NOT EXISTS (SELECT 1 FROM items i WHERE i.project = k.project AND i.no = k.no)
	UNION ALL
	SELECT 'labels', s FROM unnest($4::text[]) AS s WHERE NOT EXISTS (SELECT 1 FROM tags WHERE slug = s)`

// refused tells an empty answer from a question about what does not exist:
// whoever mistypes a key would conclude that there is no work. It is asked
// only where nothing fits, so a list with items pays nothing for it.
func (n named) refused(ctx context.Context, tx *db.Tx) error {
	if len(n.projects)+len(n.numbers)+len(n.labels) == 0 {
		return n.no.refused()
	}
	var missing []struct{ What, Name string }
	err := tx.SelectContext(ctx, &missing, unknownNamed, pq.StringArray(n.projects), pq.StringArray(n.projectsOf), pq.Int64Array(n.numbers), pq.StringArray(n.labels))
	if err != nil {
		return fmt.Errorf("look for what a query names: %w", err)
	}
	no := n.no
	for _, one := range missing {
		switch one.What {
		case "project":
			no.note(refusal.Invalid.Say("There is no project %s. list_projects tells their keys.", one.Name).On(n.container))
		case "parent":
			no.note(refusal.Invalid.Say("There is no item %s.", one.Name).On("parent"))
		case "labels":
			no.note(refusal.Invalid.Say("No project has the label %q. describe_project tells those of one.", one.Name).On("labels"))
		}
	}
	return no.refused()
}
