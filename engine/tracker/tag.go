package tracker

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"crewlet/config/nearest"
	"crewlet/db"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// Tag is a label a project has declared.
type Tag struct {
	Slug     string `json:"slug" db:"slug"`
	Label    string `json:"label" db:"label"`
	Archived bool   `json:"archived,omitempty" db:"archived"`
}

var apart = regexp.MustCompile(`[^\p{L}\p{N}]+`)

// slugged is a label as it is addressed: lower case, runs of anything but
// letters and digits made one hyphen.
func slugged(label string) string {
	return strings.Trim(apart.ReplaceAllString(folded(label), "-"), "-")
}

const tagsOf = `SELECT slug, label, archived_at IS NOT NULL AS archived FROM tags WHERE project = $1 ORDER BY lower(label), slug`

func tagsIn(ctx context.Context, tx *db.Tx, project string) ([]Tag, error) {
	tags := []Tag{}
	if err := tx.SelectContext(ctx, &tags, tagsOf, project); err != nil {
		return nil, fmt.Errorf("read the labels of %s: %w", project, err)
	}
	return tags, nil
}

// labelled finds the slugs that a project's labels are named by, by slug or
// label in any case. A label nobody declared is refused with the nearest
// there are, or declared when the caller asks for that.
func (t *Tracker) labelled(ctx context.Context, c *tool.Call, project string, words []string, create bool) ([]string, error) {
	if len(words) == 0 {
		return nil, nil
	}
	tags, err := tagsIn(ctx, c.Tx, project)
	if err != nil {
		return nil, err
	}
	var slugs, missing []string
	for _, word := range words {
		i := slices.IndexFunc(tags, func(tag Tag) bool { return tag.Slug == slugged(word) || folded(tag.Label) == folded(word) })
		switch {
		case i < 0:
			missing = append(missing, strings.TrimSpace(word))
		case tags[i].Archived:
			return nil, refusal.Invalid.Say("The label %q is archived and takes no new work.", tags[i].Label).On("labels")
		case !slices.Contains(slugs, tags[i].Slug):
			slugs = append(slugs, tags[i].Slug)
		}
	}
	if len(missing) > 0 && !create {
		return nil, undeclared(project, missing, tags)
	}
	made, err := declareTags(ctx, c, project, missing)
	return append(slugs, made...), err
}

// declareTags adds labels to a project, each once, and answers their slugs.
func declareTags(ctx context.Context, c *tool.Call, project string, labels []string) ([]string, error) {
	var slugs []string
	for _, label := range labels {
		if slices.Contains(slugs, slugged(label)) {
			continue
		}
		tag, err := declareTag(ctx, c, project, label)
		if err != nil {
			return nil, err
		}
		slugs = append(slugs, tag.Slug)
	}
	return slugs, nil
}

func undeclared(project string, missing []string, tags []Tag) error {
	var labels []string
	for _, tag := range tags {
		if !tag.Archived {
			labels = append(labels, tag.Label)
		}
	}
	near := nearest.Names(missing[0], labels, 3)
	says := fmt.Sprintf("%s has no label %q.", project, missing[0])
	if len(near) > 0 {
		says += " The nearest are " + strings.Join(near, ", ") + "."
	}
	return refusal.Invalid.Say("%s Send labels_create_missing to declare it.", says).On("labels").With("nearest", append([]string{}, near...))
}

const insertTag = `
	INSERT INTO tags (project, slug, label)
	SELECT $1, $2, $3 WHERE (SELECT count(*) FROM tags WHERE project = $1) < $4
	ON CONFLICT DO NOTHING RETURNING slug, label, false AS archived`

// declareTag adds a label to a project.
func declareTag(ctx context.Context, c *tool.Call, project, label string) (Tag, error) {
	label = strings.TrimSpace(label)
	slug := slugged(label)
	if slug == "" || len(slug) > 64 || len(label) > 100 {
		return Tag{}, refusal.Invalid.Say("A label holds letters or digits and is at most 64 bytes long; %q is not one.", label).On("labels")
	}
	var made []Tag
	if err := c.Tx.SelectContext(ctx, &made, insertTag, project, slug, label, maxTags); err != nil {
		return Tag{}, fmt.Errorf("declare the label %s of %s: %w", slug, project, err)
	}
	if len(made) == 0 {
		return Tag{}, refusal.Conflict.Say("%s has a label like %q already, or all of the %d it may have.", project, label, maxTags).On("labels")
	}
	c.Changed("project.updated", "project:"+project, map[string]changes.Delta{"labels": {To: label}})
	return made[0], nil
}
