package search

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// pages is how many pages of everything were read, which only building does.
func (c *company) pages() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all
}

// restarted closes an index, lets something happen, and starts the next.
func (c *company) restarted(t *testing.T, x *Index, meanwhile func()) *Index {
	t.Helper()
	x.Close(context.WithoutCancel(t.Context()))
	c.mu.Lock()
	c.hears = nil
	c.mu.Unlock()
	meanwhile()
	next := c.index(t, x.o.File)
	c.mu.Lock()
	head := int64(len(c.log))
	c.mu.Unlock()
	next.await(t, head)
	return next
}

func TestAStartReadsTheFileAndCatchesUp(t *testing.T) {
	c := work()
	x := c.index(t, keptIn(t))
	x.await(t, c.erase("d"))
	built := c.pages()
	x = c.restarted(t, x, func() {
		c.write(Doc{ID: "z", Title: "Zebra button", Container: "ZOO"})
		c.erase("a")
	})
	if c.pages() != built {
		t.Error("everything was read again")
	}
	if got := found(t, x, "button", Filter{}); !slices.Equal(got, []string{"z"}) {
		t.Errorf("found %v", got)
	}
	same(t, "after a restart", x, c.rebuilt())
	if documents, bytes := x.Size(); documents != 4 || bytes < 100 {
		t.Errorf("%d documents take %d bytes", documents, bytes)
	}
	left, err := filepath.Glob(filepath.Dir(x.o.File) + "/*")
	if err != nil || len(left) != 1 {
		t.Errorf("beside the file stands %v, %v", left, err)
	}
}

func TestAFileThatIsOfNoUseIsBuiltAnew(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, c *company, file string){
		"missing":  func(t *testing.T, _ *company, file string) { must(t, os.Remove(file)) },
		"empty":    func(t *testing.T, _ *company, file string) { must(t, os.WriteFile(file, nil, 0o600)) },
		"a folder": func(t *testing.T, _ *company, file string) { must(t, os.Remove(file)); must(t, os.Mkdir(file, 0o700)) },
		"of a newer version": func(t *testing.T, _ *company, file string) {
			text := read(t, file)
			copy(text, "crewlet search 9\n")
			must(t, os.WriteFile(file, text, 0o600))
		},
		"of documents made otherwise": func(_ *testing.T, c *company, _ string) { c.stamp = "2" },
		"of a log that is kept no more": func(_ *testing.T, c *company, _ string) {
			c.write(Doc{})
			c.kept = len(c.log)
		},
		"of a database that was restored": func(_ *testing.T, c *company, _ string) {
			c.log = c.log[:4]
			for range 5 {
				c.write(Doc{ID: "a", Title: "Login button"})
			}
		},
		"of a later position": func(_ *testing.T, c *company, _ string) { c.log = c.log[:2] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := work()
			x := c.index(t, keptIn(t))
			built := c.pages()
			x = c.restarted(t, x, func() { spoil(t, c, x.o.File) })
			if c.pages() == built {
				t.Error("nothing was read again")
			}
			same(t, name, x, c.rebuilt())
		})
	}
}

// Wherever a file is damaged, that is noticed, and no more memory is taken for
// it than it has bytes.
func TestADamagedFileIsNoticed(t *testing.T) {
	c := work()
	x := c.index(t, keptIn(t))
	x.Close(context.WithoutCancel(t.Context()))
	whole := read(t, x.o.File)
	if _, err := x.read(); err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0x41
		if _, err := x.decode(bytes.NewReader(damaged), int64(len(damaged))); err == nil {
			t.Fatalf("a file with another byte at %d is read", at)
		}
	}
	for size := range whole {
		if _, err := x.decode(bytes.NewReader(whole), int64(size)); err == nil {
			t.Fatalf("the first %d bytes are read", size)
		}
	}
}

func TestAFolderThatCannotBeWrittenIsNoReasonToStop(t *testing.T) {
	c := work()
	x := c.index(t, filepath.Join(t.TempDir(), "missing", "search.idx"))
	if got := found(t, x, "button", Filter{}); len(got) != 2 {
		t.Error(got)
	}
	x.Close(context.WithoutCancel(t.Context()))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	return text
}
