package db_test

import (
	"testing"

	"crewlet/db/dbtest"
)

type fault = dbtest.Fault

const (
	cutBefore    = dbtest.CutBefore
	cutAfter     = dbtest.CutAfter
	freezeBefore = dbtest.FreezeBefore
	freezeAfter  = dbtest.FreezeAfter
)

// through leads to the server of an address over a network that fails once, at
// the first message that holds the trigger.
func through(t *testing.T, address string, f fault, trigger string) string {
	t.Helper()
	p := dbtest.Between(t, address)
	p.Strike(f, trigger)
	return p.URL
}
