package demo

import (
	"reflect"
	"testing"
	"time"

	"crewlet/engine/tracker"
)

// Whenever somebody looks, it is the same story, and all of it has happened.
func TestTheStoryIsTheSameAtAnyTime(t *testing.T) {
	first := time.Date(2031, 4, 16, 9, 30, 0, 0, time.UTC)
	told, err := Story(first)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Story(first)
	if err != nil || !reflect.DeepEqual(told, again) {
		t.Errorf("told twice it is another story: %v", err)
	}
	moved := 100*day + 7*time.Hour
	later, err := Story(first.Add(moved))
	if err != nil || len(later) != len(told) {
		t.Fatalf("later there are %d steps, not %d: %v", len(later), len(told), err)
	}
	kinds := map[string]int{}
	for i, step := range told {
		if step.At.After(first) || i > 0 && step.At.Before(told[i-1].At) {
			t.Errorf("step %d is at %s, out of order", i, step.At)
		}
		if !later[i].At.Equal(step.At.Add(moved)) || later[i].By != step.By {
			t.Errorf("step %d is by %s at %s; later by %s at %s", i, step.By, step.At, later[i].By, later[i].At)
		}
		switch in := step.In.(type) {
		case tracker.CreateItem:
			kinds["items"]++
		case tracker.CommentOnItem:
			kinds["comments"]++
			if in.Key == "" {
				t.Errorf("step %d says something about nothing", i)
			}
		case tracker.UpdateItem:
			kinds["changes"]++
			if in.Key == "" {
				t.Errorf("step %d changes nothing", i)
			}
		}
	}
	if kinds["items"] != 200 || kinds["comments"] < 150 || kinds["changes"] < 150 {
		t.Errorf("there are %v", kinds)
	}
	t.Log(len(told), kinds)
}
