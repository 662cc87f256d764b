package secrets

import (
	"bytes"
	"strings"
	"testing"
)

func ring(t *testing.T, ids ...string) *Keyring {
	t.Helper()
	var text strings.Builder
	for _, id := range ids {
		_, one, err := NewKeyring(id)
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(one)
	}
	k, err := ParseKeyring(text.String())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestSealedOpensUnderItsNameAlone(t *testing.T) {
	k := ring(t, "new", "old")
	sealed, id, err := k.Seal([]byte("swordfish"), "TOKEN")
	if err != nil || id != "new" || bytes.Contains(sealed, []byte("swordfish")) {
		t.Fatalf("%q under %s, %v", sealed, id, err)
	}
	bent := bytes.Clone(sealed)
	bent[len(bent)-1] ^= 1
	for name, c := range map[string]struct {
		ring      *Keyring
		sealed    []byte
		id, about string
		opens     bool
	}{
		"as it was sealed":   {k, sealed, "new", "TOKEN", true},
		"under another name": {k, sealed, "new", "OTHER", false},
		"by another key":     {k, sealed, "old", "TOKEN", false},
		"by no key":          {k, sealed, "gone", "TOKEN", false},
		"bent by one bit":    {k, bent, "new", "TOKEN", false},
		"cut short":          {k, sealed[:10], "new", "TOKEN", false},
		"another keyring":    {ring(t, "new"), sealed, "new", "TOKEN", false},
	} {
		t.Run(name, func(t *testing.T) {
			plain, err := c.ring.Open(c.sealed, c.id, c.about)
			if (err == nil) != c.opens || c.opens && string(plain) != "swordfish" {
				t.Errorf("got %q, %v", plain, err)
			}
		})
	}
	tagged, err := k.SealTagged([]byte("swordfish"), "x")
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := k.OpenTagged(tagged, "x"); err != nil || string(plain) != "swordfish" {
		t.Errorf("tagged opens as %q, %v", plain, err)
	}
	for n := range tagged {
		if _, err := k.OpenTagged(tagged[:n], "x"); err == nil {
			t.Fatalf("%d bytes of it open", n)
		}
	}
}

func TestKeyringIsReadStrictly(t *testing.T) {
	good := "a:" + strings.Repeat("A", 43)
	for name, c := range map[string]struct {
		text  string
		right bool
	}{
		"one":           {good, true},
		"in commas":     {good + ",b:" + strings.Repeat("B", 42) + "A", true},
		"with comments": {"# mine: one\n" + good + "\r\n", true},
		"empty":         {"# nothing\n", false},
		"no id":         {strings.Repeat("A", 43), false},
		"short key":     {"a:AAAA", false},
		"twice":         {good + "\n" + good, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseKeyring(c.text)
			if (err == nil) != c.right {
				t.Errorf("got %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "AAAA") {
				t.Errorf("the error quotes a key: %v", err)
			}
		})
	}
}

func TestANewFirstKeyLeavesDigestsValid(t *testing.T) {
	_, old, err := NewKeyring("old")
	if err != nil {
		t.Fatal(err)
	}
	_, fresh, err := NewKeyring("new")
	if err != nil {
		t.Fatal(err)
	}
	before, err := ParseKeyring(old)
	if err != nil {
		t.Fatal(err)
	}
	after, err := ParseKeyring(fresh + old)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before.Digest("x", []byte("d")), after.Digest("x", []byte("d"))) {
		t.Error("digests changed with the new key")
	}
	if bytes.Equal(after.Digest("x", []byte("d")), after.Digest("y", []byte("d"))) {
		t.Error("two purposes digest alike")
	}
}
