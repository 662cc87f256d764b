package identity

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"crewlet/engine/refusal"
)

// shortest is the least number of characters of a password. There are no
// rules of composition: they make passwords worse.
const shortest = 12

//go:embed common.txt
var commonText string

var common = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(commonText) {
		set[strings.TrimSpace(line)] = true
	}
	return set
})

// checkPassword refuses a password that is too short or that somebody would
// try first. own are the words around its owner: login, name, address.
func checkPassword(password string, own ...string) error {
	password = prepare(password)
	plain := strings.ToLower(password)
	says := ""
	switch {
	case utf8.RuneCountInString(password) < shortest:
		says = "A password has at least 12 characters. A few words in a row are easy to remember."
	case repeats(plain) || runs(plain):
		says = "This password only repeats or counts; choose one nobody would try first, such as a few words in a row."
	case common()[plain] || common()[core(plain)]:
		says = "This password is one of the first anybody tries; choose another, such as a few words in a row."
	case mostly(plain, append(own, "crewlet")):
		says = "This password is little more than your own name or this program's; choose one that has nothing to do with either."
	default:
		return nil
	}
	return refusal.Invalid.Say("%s", says).On("password")
}

// repeats reports whether text is one short piece over and over, or made of
// very few different characters.
func repeats(text string) bool {
	runes := []rune(text)
	for size := 1; size < shortest && size <= len(runes)/2; size++ {
		whole := true
		for i := size; i < len(runes) && whole; i++ {
			whole = runes[i] == runes[i-size]
		}
		if whole {
			return true
		}
	}
	slices.Sort(runes)
	return len(slices.Compact(runes)) < 4
}

// runs reports whether nearly every character follows the one before it:
// abcdefghijkl, 9876543210987.
func runs(text string) bool {
	runes, up, down := []rune(text), 0, 0
	for i := 1; i < len(runes); i++ {
		switch runes[i] - runes[i-1] {
		case 1, -9:
			up++
		case -1, 9:
			down++
		}
	}
	return max(up, down) >= len(runes)-3
}

var lookalikes = strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t")

// core is the word inside: without the digits and signs around it, and with
// the letters that digits stand for.
func core(text string) string {
	return lookalikes.Replace(strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '@' && r != '$' }))
}

// mostly reports whether fewer than four letters or digits remain once the
// words are taken out.
func mostly(text string, words []string) bool {
	for _, word := range words {
		parts := strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		slices.SortFunc(parts, func(a, b string) int { return len(b) - len(a) })
		for _, part := range parts {
			if len(part) >= 3 {
				text = strings.ReplaceAll(text, part, "\x00")
			}
		}
	}
	if !strings.Contains(text, "\x00") {
		return false
	}
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters < 4
}
