package tool

import (
	"encoding/json"
	"testing"
)

func TestATextIsPartedBetweenCharacters(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text       string
		from, room int
		part       string
		next       int
	}{
		"all of it":              {"abc", 0, 3, "abc", 0},
		"nothing":                {"", 0, 3, "", 0},
		"its beginning":          {"abc", 0, 2, "ab", 2},
		"its end":                {"abc", 2, 9, "c", 0},
		"past its end":           {"abc", 3, 9, "", 0},
		"a character, whole":     {"aéb", 0, 2, "a", 1},
		"from within one":        {"aéb", 2, 9, "b", 0},
		"what JSON writes twice": {"a\n\"b", 0, 4, "a\n", 2},
		"one too wide":           {"日本", 0, 1, "日", 3},
	} {
		t.Run(name, func(t *testing.T) {
			if part, next := Stretch(c.text, c.from, c.room); part != c.part || next != c.next {
				t.Errorf("got %q, %d", part, next)
			}
		})
	}
}

func TestRoomIsCountedAsJSONTakesIt(t *testing.T) {
	t.Parallel()
	for r := rune(1); r < 0x3000; r++ {
		if r >= 0xd800 && r < 0xe000 {
			continue
		}
		text, err := Encode(string(r))
		if err != nil || len(text)-2 > written(r) || !json.Valid(text) {
			t.Fatalf("%q takes %s, counted as %d", r, text, written(r))
		}
	}
}
