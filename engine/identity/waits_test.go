package identity

import (
	"strconv"
	"testing"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
)

func TestWaitsGrowAndNeverLockOut(t *testing.T) {
	t.Parallel()
	w, now, who := newWaits(), time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), try{"jane.doe", "192.0.2.1"}
	want := []time.Duration{0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60}
	for n, seconds := range want {
		if wait := w.begin(who, now); wait != 0 {
			t.Fatalf("try %d has to wait %v", n, wait)
		}
		wait := seconds * time.Second
		if wait > 0 {
			if got := w.begin(who, now.Add(wait-1)); got != 1 {
				t.Errorf("after try %d: %v left, want 1ns", n, got)
			}
			if w.begin(try{who.name, "192.0.2.2"}, now) != 0 {
				t.Error("another source waits along")
			}
			w.right(try{who.name, "192.0.2.2"})
		}
		now = now.Add(wait)
	}
	w.begin(who, now)
	w.right(who)
	if wait := w.begin(who, now) + w.begin(who, now); wait != 0 {
		t.Errorf("after a right one: %v", wait)
	}
	w.begin(who, now)
	if w.begin(who, now) == 0 {
		t.Error("many at once do not wait")
	}
	if wait := w.begin(who, now.Add(forgotten)); wait != 0 {
		t.Errorf("after an hour: %v", wait)
	}
	w.undecided(who)
	w.begin(who, now.Add(forgotten))
	if wait := w.begin(who, now.Add(forgotten)); wait != 0 {
		t.Errorf("an undecided try counted: %v", wait)
	}
}

func TestWaitsAreBounded(t *testing.T) {
	t.Parallel()
	w, now := newWaits(), time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for n := range waitsLimit + 10 {
		w.begin(try{strconv.Itoa(n), ""}, now.Add(time.Duration(n)*time.Millisecond))
	}
	if len(w.tries) != waitsLimit || w.tries[try{"0", ""}] != nil || w.tries[try{strconv.Itoa(waitsLimit), ""}] == nil {
		t.Errorf("%d are kept", len(w.tries))
	}
	w.begin(try{"later", ""}, now.Add(2*forgotten))
	if len(w.tries) != 1 {
		t.Errorf("%d are kept after all were forgotten", len(w.tries))
	}
}

func TestSignInWaitsPerNameAndSource(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.admin()
	wrong := SignIn{Login: "jane.doe", Password: "not the password", Browser: From("192.0.2.1", "")}
	right := wrong
	right.Password = passphrase
	for range freeTries {
		_, err := do(b, b.SignIn, access.Principal{}, wrong)
		refuses(t, err, refusal.Unauthenticated, "")
	}
	_, err := do(b, b.SignIn, access.Principal{}, right)
	refuses(t, err, refusal.RateLimited, "")
	if after := refusal.Of(err).RetryAfter; after != firstWait {
		t.Errorf("retry after %v", after)
	}
	elsewhere := right
	elsewhere.Source = "192.0.2.2"
	must(b, b.SignIn, access.Principal{}, elsewhere)
	b.pass(firstWait)
	must(b, b.SignIn, access.Principal{}, right)
}
