package client

import (
	"fmt"
	"os"
	"testing"
)

// TestMain lets the test binary also be the guard and the misbehaving servers
// that the tests start, and counts at the end, over the whole machine, what
// the run left behind.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "guard":
			if err := Guard(os.Args[2], os.Stdin); err != nil {
				os.Exit(1)
			}
			os.Exit(0)
		case "server":
			serve(os.Args[2], os.Args[3:])
			os.Exit(0)
		case "engine":
			runEngine(os.Args[2], os.Args[3:]...)
			os.Exit(0)
		}
	}
	code := m.Run()
	left, err := Marked(testMark())
	if err != nil || len(left) > 0 {
		fmt.Fprintf(os.Stderr, "processes left behind: %v %v\n", left, err)
		code = 1
	}
	os.Exit(code)
}

func testMark() string { return fmt.Sprintf("test-%d.", os.Getpid()) }
