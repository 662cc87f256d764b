package secrets

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"

	"golang.org/x/crypto/chacha20poly1305"
)

// Seal closes a value under the first key, bound to what it is about: opened
// under another name it fails. XChaCha20-Poly1305, the 24-byte nonce first.
func (k *Keyring) Seal(plain []byte, about string) (sealed []byte, id string, err error) {
	id = k.ids[0]
	box, err := chacha20poly1305.NewX(k.keys[id])
	if err != nil {
		return nil, "", fmt.Errorf("seal %s: %w", about, err)
	}
	nonce := make([]byte, box.NonceSize(), box.NonceSize()+len(plain)+box.Overhead())
	if _, err := rand.Read(nonce); err != nil {
		return nil, "", fmt.Errorf("seal %s: %w", about, err)
	}
	return box.Seal(nonce, nonce, plain, []byte(about)), id, nil
}

// Open opens what a key sealed for this name.
func (k *Keyring) Open(sealed []byte, id, about string) ([]byte, error) {
	key := k.keys[id]
	if key == nil {
		return nil, fmt.Errorf("open %s: key %s is not in the keyring", about, id)
	}
	box, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", about, err)
	}
	if len(sealed) < box.NonceSize() {
		return nil, errors.New("open " + about + ": the sealed value is cut short")
	}
	plain, err := box.Open(nil, sealed[:box.NonceSize()], sealed[box.NonceSize():], []byte(about))
	if err != nil {
		return nil, fmt.Errorf("open %s: it was not sealed under key %s for this name", about, id)
	}
	return plain, nil
}

// SealTagged is Seal with the key's id in front, for values that are kept in
// one column.
func (k *Keyring) SealTagged(plain []byte, about string) ([]byte, error) {
	sealed, id, err := k.Seal(plain, about)
	if err != nil {
		return nil, err
	}
	return append([]byte{byte(len(id))}, append([]byte(id), sealed...)...), nil
}

// OpenTagged opens what SealTagged closed.
func (k *Keyring) OpenTagged(tagged []byte, about string) ([]byte, error) {
	if len(tagged) == 0 || len(tagged) < 1+int(tagged[0]) {
		return nil, errors.New("open " + about + ": the sealed value is cut short")
	}
	n := int(tagged[0])
	return k.Open(tagged[1+n:], string(tagged[1:1+n]), about)
}

// Digest is a keyed digest for one purpose: equal for equal data, and nothing
// can be guessed from it without the keyring. The oldest key is used, so that
// adding a new first key leaves what was digested valid.
func (k *Keyring) Digest(purpose string, data []byte) []byte {
	mac := hmac.New(sha256.New, k.Derive(purpose))
	mac.Write(data)
	return mac.Sum(nil)
}

// Derive makes a 32-byte key for one purpose from the oldest key. It is not to
// be written to.
func (k *Keyring) Derive(purpose string) []byte {
	if key, ok := k.derived.Load(purpose); ok {
		return key.([]byte)
	}
	oldest := k.keys[k.ids[len(k.ids)-1]]
	key, err := hkdf.Key(sha256.New, oldest, nil, "crewlet "+purpose, keySize)
	if err != nil {
		panic("derive a key: " + err.Error()) // only for a length HKDF cannot give
	}
	k.derived.Store(purpose, key)
	return key
}
