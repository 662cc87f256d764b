package identity

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"crewlet/engine/refusal"
)

func TestPasswordRule(t *testing.T) {
	t.Parallel()
	for password, taken := range map[string]bool{
		"green kettle under stairs":    true,
		"Xk9$mQ2!vLp0":                 true,
		"zwölf Boxkämpfer":             true,
		"日本語日本語の長い秘密鍵":                 true,
		"jane.doe likes long walks":    true,
		"elevenchars":                  false,
		"éééééééééééé":                 false, // twelve, but all one
		"passwordpassword":             false,
		"P@ssw0rd1234":                 false,
		"Password123456!":              false,
		"sunshine2026":                 false,
		"123456789012":                 false,
		"abcdefghijklm":                false,
		"987654321098":                 false,
		"aaaaaaaaaaaa":                 false,
		"abcabcabcabcab":               false,
		"xk9mQ2xk9mQ2":                 false,
		"qwertyuiop123":                false,
		"correct horse battery staple": false,
		"crewletcrewlet!":              false,
		"Crewlet-2026-!!":              false,
		"jane.doe.jane":                false,
		"Doe1234567890":                false,
		"jane@example.com":             false,
	} {
		t.Run(password, func(t *testing.T) {
			t.Parallel()
			err := checkPassword(password, "jane.doe", "Jane Doe", "jane@example.com")
			if (err == nil) != taken {
				t.Errorf("got %v", err)
			}
			if err != nil {
				refuses(t, err, refusal.Invalid, "password")
			}
		})
	}
}

func TestCommonPasswordsAreWrittenAsTheyAreLookedUp(t *testing.T) {
	t.Parallel()
	long := 0
	for word := range common() {
		if word != strings.ToLower(prepare(word)) {
			t.Errorf("%q would never be met", word)
		}
		if utf8.RuneCountInString(word) >= shortest {
			long++
		}
	}
	if long < 300 {
		t.Errorf("only %d of them are long enough to be tried", long)
	}
}

func TestHashingIsBounded(t *testing.T) {
	t.Parallel()
	l := newLine()
	for range hashing { // both places are taken
		if _, err := l.enter(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	queued := make(chan error)
	for n := range waiting - hashing {
		go func() {
			_, err := l.enter(gone, fmt.Sprint(n))
			queued <- err
		}()
	}
	eventually(t, "the line is full", func() bool { return l.length() == waiting })
	_, err := l.enter(t.Context(), "b")
	refuses(t, err, refusal.Unavailable, "")
	cancel()
	for range waiting - hashing {
		if err := <-queued; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	if l.length() != hashing {
		t.Errorf("%d still stand in line", l.length()-hashing)
	}
}

func TestNobodyFillsTheLineAlone(t *testing.T) {
	t.Parallel()
	l := newLine()
	gone, cancel := context.WithCancel(t.Context())
	var queued sync.WaitGroup
	for range perPlace {
		queued.Go(func() { _, _ = l.enter(gone, "a") })
	}
	eventually(t, "one source has all its places", func() bool { return l.length() == perPlace })
	_, err := l.enter(t.Context(), "a")
	refuses(t, err, refusal.Unavailable, "")
	if !l.join("b") {
		t.Error("another source finds no place")
	}
	cancel()
	queued.Wait()
}

func TestPasswordsAreHashedAsThePolicySays(t *testing.T) {
	t.Parallel()
	h := newHasher(cost)
	made, err := h.hash(t.Context(), "a", passphrase)
	if err != nil {
		t.Fatal(err)
	}
	const head = "$argon2id$v=19$m=65536,t=3,p=1$"
	if !strings.HasPrefix(made, head) || !strings.HasPrefix(h.decoy, head) || len(made) != len(h.decoy) {
		t.Errorf("hashed as %s, while nobody's is %s", made[:len(head)], h.decoy)
	}
	yes, err := h.matches(t.Context(), "a", passphrase, made)
	no, err2 := h.matches(t.Context(), "a", passphrase, h.decoy)
	if !yes || no || errors.Join(err, err2) != nil {
		t.Errorf("matches itself %v, the decoy %v: %v, %v", yes, no, err, err2)
	}
}
