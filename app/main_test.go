package main

import (
	"os"
	"strings"
	"testing"

	"crewlet/db/dbtest"
)

// The test binary is the program too: started with a command it is crewlet,
// which is how the guard and the tests of whole processes start it.
func TestMain(m *testing.M) {
	if asked(os.Args) {
		return
	}
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") {
		main()
		return
	}
	dbtest.Main(m)
}
