package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A keyring that others may read is refused, as ssh refuses such a key, and the
// refusal says what to do.
func TestKeyringIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keyring")
	if _, err := keyring(path, false); err != nil {
		t.Fatalf("a first start: %v", err)
	}
	for mode, fine := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o640: false, 0o604: false, 0o620: false, 0o644: false} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		_, err := keyring(path, true)
		if fine != (err == nil) {
			t.Errorf("mode %o: got %v", mode, err)
		}
		if err != nil && !strings.Contains(err.Error(), "chmod 600 "+path) {
			t.Errorf("mode %o: %q does not say what to do", mode, err)
		}
	}
}
