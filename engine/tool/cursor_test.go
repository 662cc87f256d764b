package tool

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"crewlet/engine/changes"
	"crewlet/engine/refusal"
)

// Twelve writers, a third of whose calls are rolled back, and readers that
// follow the log while it grows: nobody misses a row, no key lands twice.
func TestNoCursorSkips(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	var mu sync.Mutex
	u := Declare(Spec{Name: "write_note", Brief: "Write a note.", Access: writeNote(&runs).Access, Once: true},
		func(_ context.Context, c *Call, in noteArgs) (note, error) {
			for range in.Also {
				c.Changed("note.written", "note:"+in.Text, nil)
			}
			if in.Text == "no" {
				return note{}, refusal.Conflict.Say("Rolled back.")
			}
			return note{Text: in.Text}, nil
		})
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	feed := changes.NewFeed(r.DB, slog.New(slog.DiscardHandler), 0)
	var heard []int64
	told := make(chan int64, 10_000)
	feed.Subscribe(func(rows []changes.Change) {
		mu.Lock()
		defer mu.Unlock()
		for _, row := range rows {
			heard = append(heard, row.Position)
		}
		told <- rows[len(rows)-1].Position
	})
	var fed sync.WaitGroup
	fed.Go(func() { _ = feed.Run(ctx) })

	const writers, each = 12, 40
	var want int64
	var wrote sync.WaitGroup
	for range writers {
		wrote.Go(func() {
			for i := range each {
				in := noteArgs{Text: "a", Also: 1 + rand.IntN(3)}
				if i%3 == 0 {
					in.Text = "no"
				}
				key := NewKey()
				for range 2 { // every call is sent twice
					if _, err := Do(ctx, r, u, call(key), in); err != nil && in.Text != "no" {
						t.Error(err)
					}
				}
				if in.Text != "no" {
					mu.Lock()
					want += int64(in.Also)
					mu.Unlock()
				}
			}
		})
	}
	var last int64
	follow := func() {
		rows, err := changes.After(ctx, r.DB, last, 100)
		if err != nil {
			t.Error(err)
		}
		for _, row := range rows {
			if row.Position != last+1 {
				t.Errorf("after %d comes %d", last, row.Position)
			}
			last = row.Position
		}
	}
	done := make(chan struct{})
	go func() { wrote.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		follow()
	}
	for last < want && ctx.Err() == nil {
		follow()
	}
	for at := int64(0); at < want; {
		select {
		case at = <-told:
		case <-ctx.Done():
			t.Fatal("the feed never came to the end")
		}
	}
	stop()
	fed.Wait()
	if last != want || int64(len(heard)) != want {
		t.Errorf("the reader saw %d and the feed %d of %d rows", last, len(heard), want)
	}
	for i, position := range heard {
		if position != int64(i+1) {
			t.Fatalf("the feed skipped to %d after %d", position, i)
		}
	}
}
