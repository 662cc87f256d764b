package identity

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"

	"crewlet/db"
	"crewlet/engine/refusal"
)

// cost is argon2id with 64 MiB, three passes, one lane.
var cost = argon2id.Params{Memory: 64 * 1024, Iterations: 3, Parallelism: 1, SaltLength: 16, KeyLength: 32}

const (
	hashing = 2  // hashes made at once: 128 MiB
	waiting = 10 // callers at once, those being served included; each holds a connection
)

// hasher makes and checks password hashes, a few at a time. It is entered from
// inside a transaction, so the line before it is short.
type hasher struct {
	cost        argon2id.Params
	line, slots chan struct{}
	// decoy is checked when there is nobody of the name, so that this takes as
	// long as a wrong password. Nothing is known to hash to it.
	decoy string
}

func newHasher(cost argon2id.Params) hasher {
	encode := base64.RawStdEncoding.EncodeToString
	return hasher{
		cost: cost, line: make(chan struct{}, waiting), slots: make(chan struct{}, hashing),
		decoy: fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", cost.Memory, cost.Iterations, cost.Parallelism,
			encode(make([]byte, cost.SaltLength)), encode(make([]byte, cost.KeyLength))),
	}
}

// hash encodes a password for keeping, while a transaction waits.
func (h hasher) hash(ctx context.Context, tx *db.Tx, password string) (encoded string, err error) {
	err = h.during(ctx, tx, func() (err error) {
		encoded, err = argon2id.CreateHash(prepare(password), &h.cost)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return encoded, nil
}

// matches checks a password against its encoded hash, while a transaction waits.
func (h hasher) matches(ctx context.Context, tx *db.Tx, password, encoded string) (ok bool, err error) {
	err = h.during(ctx, tx, func() (err error) {
		ok, err = argon2id.ComparePasswordAndHash(prepare(password), encoded)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("check a password: %w", err)
	}
	return ok, nil
}

const alive = `SELECT 1`

// during does one piece of work in its turn. A transaction that says nothing
// for five seconds is ended by the server, and on a busy machine hashing takes
// as long: so it says something each second.
func (h hasher) during(ctx context.Context, tx *db.Tx, work func() error) error {
	done := make(chan error, 1)
	go func() {
		leave, err := h.enter(ctx)
		if err == nil {
			err = work()
			leave()
		}
		done <- err
	}()
	beat := time.NewTicker(time.Second)
	defer beat.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-beat.C:
			var one int
			if err := tx.GetContext(ctx, &one, alive); err != nil {
				<-done
				return err
			}
		}
	}
}

func (h hasher) enter(ctx context.Context) (leave func(), err error) {
	select {
	case h.line <- struct{}{}:
	default:
		return nil, refusal.Unavailable.Say("Many people are signing in at this moment. Try again in a few seconds.").After(3 * time.Second)
	}
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots; <-h.line }, nil
	case <-ctx.Done():
		<-h.line
		return nil, ctx.Err()
	}
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
