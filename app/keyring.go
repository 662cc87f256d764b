package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/google/uuid"

	"crewlet/engine/secrets"
)

// keyring reads the sealing keys, making the file on the first start. Where
// secrets are stored already a missing file is refused: a new one could open
// none of them.
func keyring(path string, needed bool) (*secrets.Keyring, error) {
	text, err := readOwn(path)
	if errors.Is(err, fs.ErrNotExist) && needed {
		return nil, fmt.Errorf("secrets are stored, and the keyring they were sealed with is not at %s; put it back, or name its place in CREWLET_KEYRING", path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return newKeyring(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the keyring: %w", err)
	}
	ring, err := secrets.ParseKeyring(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return ring, nil
}

// readOwn reads a file that nobody but its owner may read or write.
func readOwn(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return nil, fmt.Errorf("%s may be read or written by others than its owner (its mode is %#o), and whoever reads it can open every secret; run \"chmod 600 %s\", and rotate what others may have read", path, mode, path)
	}
	return io.ReadAll(file)
}

// newKeyring writes the file whole or not at all: two programs that start at
// once end with one keyring. The key's name is random, so that two keyrings
// are never taken for each other.
func newKeyring(path string) (*secrets.Keyring, error) {
	_, text, err := secrets.NewKeyring("k" + uuid.NewString()[:8])
	if err != nil {
		return nil, err
	}
	temp := path + "." + uuid.NewString()
	if err := os.WriteFile(temp, []byte(text), 0o600); err != nil {
		return nil, fmt.Errorf("write the keyring: %w", err)
	}
	defer func() { _ = os.Remove(temp) }()
	if err := os.Link(temp, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("write the keyring: %w", err)
	}
	return keyring(path, true)
}
