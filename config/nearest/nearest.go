// Package nearest finds the name somebody probably meant, so that a refusal
// of an unknown name can end with the right one.
package nearest

import (
	"strings"
	"unicode/utf8"
)

// longest is how many characters of a name are compared: a megabyte pasted
// where a key belongs is no spelling mistake.
const longest = 80

// most is how many known names are compared with.
const most = 500

// Name returns the known name closest to word, or "" when none is close
// enough to be a spelling of it. Case, dashes and underscores weigh nothing;
// of equally close names the first wins.
func Name(word string, known []string) string {
	if utf8.RuneCountInString(word) > longest {
		return ""
	}
	best, at := "", -1
	folded := []rune(fold(word))
	for _, k := range known[:min(len(known), most)] {
		other := []rune(fold(k))
		limit := max(1, max(utf8.RuneCountInString(word), utf8.RuneCountInString(k))/3)
		if len(folded)-len(other) > limit || len(other)-len(folded) > limit {
			continue
		}
		if d := distance(folded, other); d <= limit && (at < 0 || d < at) {
			best, at = k, d
		}
	}
	return best
}

func fold(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(s))
}

// distance counts insertions, deletions, substitutions and swaps of
// neighbours (optimal string alignment).
func distance(a, b []rune) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// Names returns up to n known names close to word, the closest first.
func Names(word string, known []string, n int) []string {
	var found []string
	left := append([]string{}, known...)
	for range n {
		near := Name(word, left)
		if near == "" {
			break
		}
		found = append(found, near)
		for i, name := range left {
			if name == near {
				left = append(left[:i], left[i+1:]...)
				break
			}
		}
	}
	return found
}
