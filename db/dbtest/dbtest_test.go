package dbtest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"crewlet/db"
)

// asProgram makes this test binary start a cluster, say where, and wait to be
// killed.
const asProgram = "TEST_CLUSTER_FOREVER"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		c, err := newCluster(context.Background(), "")
		if err != nil {
			panic(err)
		}
		fmt.Println(c.dir)
		select {}
	}
	Main(m)
}

func TestEachTestHasItsOwnMigratedDatabase(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			d := New(t)
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				var position int64
				if err := tx.GetContext(t.Context(), &position, `SELECT position FROM log_head`); err != nil {
					return err
				}
				_, err := tx.ExecContext(t.Context(), `CREATE TABLE mine ()`)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestAnotherProcessReachesTheDatabase(t *testing.T) {
	t.Parallel()
	d, err := db.Open(t.Context(), db.Options{URL: URL(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Migrate(t.Context()); err != nil { // there is nothing left to do
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func TestAKilledTestLeavesNothing(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	dir := strings.TrimSpace(line)
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // says that it was killed
	if err != nil || !strings.HasPrefix(filepath.Base(dir), folderPrefix) {
		t.Fatalf("it said %q, %v", line, err)
	}
	beat := time.NewTicker(10 * time.Millisecond)
	defer beat.Stop()
	for range 3000 {
		sweep(filepath.Dir(dir)) // as the next test process does
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			return
		}
		<-beat.C
	}
	t.Errorf("%s is still there", dir)
}
