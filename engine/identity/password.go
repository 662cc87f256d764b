package identity

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"
)

// cost is argon2id with 64 MiB, three passes, one lane.
var cost = argon2id.Params{Memory: 64 * 1024, Iterations: 3, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hasher makes and checks password hashes, a few at a time, with no
// transaction open.
type hasher struct {
	cost argon2id.Params
	line *line
	// decoy is checked when there is nobody of the name, so that this takes as
	// long as a wrong password. Nothing is known to hash to it.
	decoy string
}

func newHasher(cost argon2id.Params) hasher {
	encode := base64.RawStdEncoding.EncodeToString
	return hasher{
		cost: cost, line: newLine(),
		decoy: fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", cost.Memory, cost.Iterations, cost.Parallelism,
			encode(make([]byte, cost.SaltLength)), encode(make([]byte, cost.KeyLength))),
	}
}

// hash encodes a password for keeping, in its turn.
func (h hasher) hash(ctx context.Context, source, password string) (string, error) {
	leave, err := h.line.enter(ctx, source)
	if err != nil {
		return "", err
	}
	defer leave()
	encoded, err := argon2id.CreateHash(prepare(password), &h.cost)
	if err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return encoded, nil
}

// matches checks a password against its encoded hash, in its turn.
func (h hasher) matches(ctx context.Context, source, password, encoded string) (bool, error) {
	leave, err := h.line.enter(ctx, source)
	if err != nil {
		return false, err
	}
	defer leave()
	ok, err := argon2id.ComparePasswordAndHash(prepare(password), encoded)
	if err != nil {
		return false, fmt.Errorf("check a password: %w", err)
	}
	return ok, nil
}

// prepare makes a password the same bytes however it was typed: every kind of
// space is a space, and composed is composed (RFC 8265, OpaqueString).
func prepare(password string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Zs, r) {
			return ' '
		}
		return r
	}, password))
}
