package db_test

import (
	"testing"

	"crewlet/db/dbtest"
)

func TestOnceIsOneStatementThatReads(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	var n int
	var list []int
	one := d.Once()
	if err := one.GetContext(t.Context(), &n, `SELECT 1`); err != nil || n != 1 {
		t.Errorf("the first: %d, %v", n, err)
	}
	if one.GetContext(t.Context(), &n, `SELECT 2`) == nil || one.SelectContext(t.Context(), &list, `SELECT 2`) == nil {
		t.Error("another is run")
	}
	if err := d.Once().SelectContext(t.Context(), &list, `SELECT 3`); err != nil || len(list) != 1 {
		t.Errorf("a list: %v, %v", list, err)
	}
	if err := d.Once().SelectBuilt(t.Context(), &list, `SELECT 4`); err != nil || list[0] != 4 {
		t.Errorf("one put together: %v, %v", list, err)
	}
	if _, err := d.Once().ExecContext(t.Context(), `DELETE FROM people`); err == nil {
		t.Error("a write is run")
	}
	if err := d.Once().GetContext(t.Context(), &n, `UPDATE people_head SET version = 9 RETURNING version`); err == nil {
		t.Error("a write that answers is run")
	}
}
