package paste_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crewlet/config/document"
	"crewlet/config/paste"
)

// FuzzRead: a text is servers with legal names that differ, or one problem on
// a line it has; what is concealed is referred to.
func FuzzRead(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.in.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, err := paste.Read(text)
		if (err == nil) != (len(entries) > 0) {
			t.Fatalf("%d entries, and %v", len(entries), err)
		}
		if problems, ok := errors.AsType[document.Problems](err); err != nil {
			if !ok || len(problems) != 1 || problems[0].Line < 1 || problems[0].Line > strings.Count(string(text), "\n")+1 || problems[0].Says == "" {
				t.Fatalf("a problem of nowhere: %#v", err)
			}
		}
		seen := map[string]bool{}
		for _, e := range entries {
			if says := document.RefusesServerName(e.Name); says != "" || seen[e.Name] || e.Server.Name != e.Name {
				t.Errorf("%q is no name: %s", e.Name, says)
			}
			seen[e.Name] = true
			said := fmt.Sprint(e.Server.URL, e.Server.Env, e.Server.Headers, e.Server.Auth)
			for _, s := range e.Secrets {
				if !strings.Contains(said, "${"+s.Name+"}") {
					t.Errorf("nothing refers to %s in %s", s.Name, said)
				}
			}
		}
	})
}
