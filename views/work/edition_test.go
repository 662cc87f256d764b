package work

import (
	"strings"
	"testing"

	"crewlet/views/ui"
)

// drawn is a side of a row, what it has alone in brackets.
func drawn(text []span) string {
	var b strings.Builder
	for _, s := range text {
		if s.Changed {
			s.Text = "[" + s.Text + "]"
		}
		b.WriteString(s.Text)
	}
	return b.String()
}

func TestWhatDiffersInALineIsMarkedBetweenWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ was, is, left, right string }{
		"a word":             {"the old bridge hums", "the new bridge hums", "the [old] bridge hums", "the [new] bridge hums"},
		"part of a word":     {"it is singing loud", "it is sinking loud", "it is [singing] loud", "it is [sinking] loud"},
		"an end":             {"check the sail", "check the sail twice", "check the sail[]", "check the sail[ twice]"},
		"a beginning":        {"the sail", "check the sail", "[]the sail", "[check ]the sail"},
		"a word twice":       {"very good", "very very good", "very []good", "very [very ]good"},
		"nothing alike":      {"one", "two", "one", "two"},
		"little alike":       {"entirely other words here.", "a line.", "entirely other words here.", "a line."},
		"letters and marks":  {"größer als A", "größer als B", "größer als [A]", "größer als [B]"},
		"from right to left": {"שלום עולם", "שלום לך", "שלום [עולם]", "שלום [לך]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			left, right := marked(c.was, c.is)
			if drawn(left) != c.left || drawn(right) != c.right {
				t.Errorf("%q and %q, want %q and %q", drawn(left), drawn(right), c.left, c.right)
			}
		})
	}
}

func TestLinesStandBesideWhatReplacedThem(t *testing.T) {
	t.Parallel()
	rows := sides([]ui.DiffLine{
		{Kind: ui.Gap, Text: "2 unchanged lines"}, {Old: 3, New: 3, Text: "same"}, {Kind: ui.Removed, Old: 4, Text: "a b"}, {Kind: ui.Removed, Old: 5, Text: "gone"},
		{Kind: ui.Added, New: 4, Text: "a c"}, {Old: 6, New: 5, Text: "same"}, {Kind: ui.Added, New: 6, Text: "new"},
	})
	want := []string{"is-gap 0 0", "is-same 3 3", "is-changed 4 4", "is-removed 5 0", "is-same 6 5", "is-added 0 6"}
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d: %+v", len(rows), len(want), rows)
	}
	for i, row := range rows {
		if got := strings.Join([]string{row.class(), no(row.Old), no(row.New)}, " "); got != want[i] {
			t.Errorf("row %d is %s, want %s", i, got, want[i])
		}
	}
	if drawn(rows[2].Was) != "a [b]" || drawn(rows[2].Is) != "a [c]" || rows[3].Is != nil || rows[5].Was != nil {
		t.Errorf("rows %+v", rows)
	}
}

func no(n int) string { return string(rune('0' + n)) }
