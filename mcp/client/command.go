package client

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// errHopeless marks a spec that no retry can launch.
var errHopeless = errors.New("cannot be launched")

// findCommand is the file a spec's command means: itself when it holds a
// slash, else the first executable of that name on the PATH of the child's
// own environment.
func findCommand(spec Spec) (string, error) {
	switch {
	case spec.Command == "":
		return "", fmt.Errorf("no command is given: %w", errHopeless)
	case strings.ContainsRune(spec.Command, 0):
		return "", fmt.Errorf("the command holds a NUL byte: %w", errHopeless)
	case strings.Contains(spec.Command, "/"):
		file := spec.Command
		if !filepath.IsAbs(file) && spec.Dir != "" {
			file = filepath.Join(spec.Dir, file)
		}
		if err := executable(file); err != nil {
			return "", fmt.Errorf("cannot run %s: %w", spec.Command, err)
		}
		return filepath.Abs(file)
	}
	for _, dir := range filepath.SplitList(lookup(spec.Env, "PATH")) {
		// An empty or relative entry would mean "wherever we happen to be".
		if !filepath.IsAbs(dir) {
			continue
		}
		if file := filepath.Join(dir, spec.Command); executable(file) == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf("not found on PATH: %s", spec.Command)
}

func executable(file string) error {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		var pathErr *fs.PathError
		if errors.As(err, &pathErr) {
			return pathErr.Err // the file is named by whoever asked
		}
		return err
	case info.IsDir():
		return errors.New("it is a directory")
	case info.Mode().Perm()&0o111 == 0:
		return errors.New("it is not executable")
	}
	return nil
}
