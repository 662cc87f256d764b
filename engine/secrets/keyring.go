package secrets

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// keySize is the length of one key in bytes: XChaCha20-Poly1305's.
const keySize = 32

// Keyring holds the keys secrets are sealed under. The first seals; the others
// only open what an older first key sealed.
type Keyring struct {
	ids  []string
	keys map[string][]byte

	derived sync.Map // keys for one purpose each, of which there are few: a digest is made with every call
}

var keyID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

// ParseKeyring reads entries "id:key", the key 32 bytes in unpadded base64url,
// parted by white space or commas, the sealing key first. Lines beginning with
// # are left out. No error quotes a key.
func ParseKeyring(text string) (*Keyring, error) {
	k := &Keyring{keys: map[string][]byte{}}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, entry := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\r' }) {
			if err := k.add(entry); err != nil {
				return nil, err
			}
		}
	}
	if len(k.ids) == 0 {
		return nil, fmt.Errorf("the keyring holds no key; an entry is id:key, the key 32 bytes in base64url")
	}
	return k, nil
}

func (k *Keyring) add(entry string) error {
	id, encoded, ok := strings.Cut(entry, ":")
	if !ok || !keyID.MatchString(id) {
		return fmt.Errorf("entry %d of the keyring is not id:key, the id of letters, digits, - and _", len(k.ids)+1)
	}
	key, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(encoded, "="))
	if err != nil || len(key) != keySize {
		return fmt.Errorf("key %s of the keyring is not 32 bytes in base64url", id)
	}
	if _, twice := k.keys[id]; twice {
		return fmt.Errorf("key %s stands twice in the keyring", id)
	}
	k.ids, k.keys[id] = append(k.ids, id), key
	return nil
}

// NewKeyring makes a keyring of one fresh key and the text to keep it as.
func NewKeyring(id string) (*Keyring, string, error) {
	key := make([]byte, keySize)
	if _, err := rand.Read(key); err != nil {
		return nil, "", fmt.Errorf("make a key: %w", err)
	}
	text := "# The keys Crewlet seals secrets under. Whoever reads this file can open them.\n" +
		"# Keep a copy apart from the database's. The first key seals; older ones only open.\n" +
		id + ":" + base64.RawURLEncoding.EncodeToString(key) + "\n"
	k, err := ParseKeyring(text)
	return k, text, err
}

// Has reports whether the keyring can open what this key sealed.
func (k *Keyring) Has(id string) bool { return k.keys[id] != nil }
