package db_test

import (
	"testing"

	"crewlet/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }
