package db_test

import (
	"testing"

	"crewlet/db/dbtest"
)

func TestReads(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	var n int
	if err := d.GetContext(t.Context(), &n, `SELECT $1::int + 1`, 41); err != nil || n != 42 {
		t.Fatal(n, err)
	}
}
