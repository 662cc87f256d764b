package embedded

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// install makes what looks like an installation of PostgreSQL. Its callers do
// not run in parallel: a child forked while a script is written would keep it
// from being run.
func install(t *testing.T, version string, parts ...string) string {
	t.Helper()
	dir := filepath.Join(parts...)
	must(t, os.MkdirAll(dir, 0o755))
	for name, says := range map[string]string{"postgres": "postgres (PostgreSQL) " + version, "initdb": "", "pg_config": dir} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho '"+says+"'\n"), 0o755))
	}
	return dir
}

// The order of the places, and that a later one is asked only when no earlier
// one fits.
func TestWhereProgramsAreFound(t *testing.T) {
	root := t.TempDir()
	s := search{packaged: filepath.Join(root, "lib", "*", "bin"), npm: filepath.Join(root, "node_modules")}
	t.Setenv("PATH", filepath.Join(root, "path"))
	npm := s.fromNPM // the platform's own folder
	must(t, os.MkdirAll(filepath.Join(s.npmPackage(), "native"), 0o755))
	must(t, os.WriteFile(filepath.Join(s.npmPackage(), "native", "pg-symlinks.json"), []byte("[]"), 0o644))
	install(t, "18.4", npm()[0])
	want := func(name string, major int, dir string) {
		t.Helper()
		if got, err := s.find(major); err != nil || got.dir != dir {
			t.Errorf("%s: %s, %v; want %s", name, got.dir, err, dir)
		}
	}
	want("npm alone", 0, npm()[0])
	onPath := install(t, "17.2", root, "path")
	want("PATH before npm", 0, onPath)
	old := install(t, "14.1", root, "lib", "14", "bin")
	want("a package too old", 0, onPath)
	packaged := install(t, "15.8 (Debian 15.8-0+deb12u1)", root, "lib", "15", "bin")
	want("packages before PATH", 0, packaged)
	newer := install(t, "16.1", root, "lib", "16", "bin")
	want("the highest package", 0, newer)
	want("the package that fits the data", 15, packaged)
	want("an old package that fits its data", 14, old)
	want("PATH that fits the data", 17, onPath)
	want("npm that fits the data", 18, npm()[0])
	s.told = install(t, "17.9", root, "told", "bin")
	want("the folder told", 0, s.told)
	s.told = filepath.Join(root, "told")
	want("the folder above the one told", 0, filepath.Join(s.told, "bin"))
}

func TestProgramsNotFound(t *testing.T) {
	root := t.TempDir()
	t.Setenv("PATH", root)
	old := install(t, "14.1", root, "lib", "14", "bin")
	for name, c := range map[string]struct {
		search search
		major  int
		says   []string
	}{
		"nowhere":            {search{npm: "/x/node_modules"}, 0, []string{"none was found", "apt-get install postgresql", "make run", "/x/node_modules", "CREWLET_PG_BIN", "CREWLET_DATABASE_URL"}},
		"only old ones":      {search{packaged: old}, 0, []string{"found only 14 in " + old, "15 or newer"}},
		"none for the data":  {search{packaged: old}, 16, []string{"made by PostgreSQL 16", "found only 14", "apt-get install postgresql-16"}},
		"told, but empty":    {search{told: root, packaged: old}, 0, []string{"CREWLET_PG_BIN is " + root, "initdb is not there", "/usr/lib/postgresql/15/bin"}},
		"told, but the data": {search{told: old}, 15, []string{"14 in CREWLET_PG_BIN", "made by PostgreSQL 15"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.search.find(c.major)
			if err == nil {
				t.Fatal("found")
			}
			for _, part := range c.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("it says %q, without %q", err, part)
				}
			}
		})
	}
}

func TestTheLinksOfTheNPMPackage(t *testing.T) {
	for name, c := range map[string]struct {
		list string
		ok   bool
	}{
		"as published": {`[{"source":"native/lib/libx.so.1.2","target":"native/lib/libx.so.1"}]`, true},
		"outside":      {`[{"source":"native/lib/libx.so.1.2","target":"../../evil"}]`, false},
		"broken":       {`[{`, false},
	} {
		t.Run(name, func(t *testing.T) {
			pkg := t.TempDir()
			lib := filepath.Join(pkg, "native", "lib")
			must(t, os.MkdirAll(lib, 0o755))
			must(t, os.WriteFile(filepath.Join(lib, "libx.so.1.2"), []byte("x"), 0o644))
			must(t, os.WriteFile(filepath.Join(pkg, "native", "pg-symlinks.json"), []byte(c.list), 0o644))
			for range 2 { // the second time they are there
				if err := linkLibraries(pkg); (err == nil) != c.ok {
					t.Fatalf("got %v", err)
				}
			}
			told := search{told: install(t, "15.18", pkg, "native", "bin")}
			if _, err := told.find(0); err != nil {
				t.Errorf("told where the package is: %v", err)
			}
			text, err := os.ReadFile(filepath.Join(lib, "libx.so.1"))
			if c.ok && (err != nil || string(text) != "x") {
				t.Errorf("the link leads to %q, %v", text, err)
			}
		})
	}
}
