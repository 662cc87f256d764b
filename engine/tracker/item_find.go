package tracker

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"crewlet/db"
	"crewlet/engine/refusal"
)

var keyShape = regexp.MustCompile(`^([A-Z][A-Z0-9]{1,9})-([1-9][0-9]{0,17})$`)

// parseKey reads ENG-412 as it was typed, in any case.
func parseKey(key string) (project string, no int64, ok bool) {
	m := keyShape.FindStringSubmatch(strings.ToUpper(strings.TrimSpace(key)))
	if m == nil {
		return "", 0, false
	}
	no, err := strconv.ParseInt(m[2], 10, 64)
	return m[1], no, err == nil
}

// itemObject names an item for the record of a call that was refused.
func itemObject(key string) string {
	if project, no, ok := parseKey(key); ok {
		return fmt.Sprintf("item:%s-%d", project, no)
	}
	return "item:"
}

const (
	itemByKey  = `SELECT ` + itemColumns + ` FROM items i WHERE i.project = $1 AND i.no = $2`
	itemLocked = itemByKey + ` FOR UPDATE OF i`
)

// findItem reads the item a call addresses.
func (t *Tracker) findItem(ctx context.Context, tx *db.Tx, key string) (item, error) {
	return oneItem(ctx, tx, itemByKey, key)
}

// lockItem is findItem, and holds the row until the transaction ends.
func (t *Tracker) lockItem(ctx context.Context, tx *db.Tx, key string) (item, error) {
	return oneItem(ctx, tx, itemLocked, key)
}

func oneItem(ctx context.Context, tx *db.Tx, query, key string) (item, error) {
	var it item
	project, no, ok := parseKey(key)
	if !ok {
		return it, noItem(key)
	}
	err := tx.GetContext(ctx, &it, query, project, no)
	if errors.Is(err, sql.ErrNoRows) {
		return it, noItem(key)
	}
	if err != nil {
		return it, fmt.Errorf("read item %s-%d: %w", project, no, err)
	}
	return it, nil
}

// noItem refuses a call about an item that is not there.
func noItem(key string) error {
	if _, _, ok := parseKey(key); !ok {
		return refusal.NotFound.Say("An item is addressed by its key, such as ENG-412.").On("key")
	}
	return refusal.NotFound.Say("There is no item %s.", strings.ToUpper(strings.TrimSpace(key))).On("key")
}

// named reads an item that an argument names beside the one addressed: one that
// is missing makes the argument wrong.
func (t *Tracker) named(ctx context.Context, tx *db.Tx, key, argument string) (item, error) {
	it, err := t.findItem(ctx, tx, key)
	if refusal.Is(err, refusal.NotFound) {
		return it, refusal.Invalid.Say("%s", refusal.Of(err).Says).On(argument)
	}
	return it, err
}
