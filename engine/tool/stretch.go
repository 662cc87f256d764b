package tool

import "unicode/utf8"

// Stretch is the part of a text that begins at a byte and fits the room, as
// JSON has it, and where the next part begins; 0 where nothing follows. A
// character is never parted.
func Stretch(text string, from, room int) (part string, next int) {
	for from > 0 && from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	for at, r := range text[from:] {
		if room -= written(r); room < 0 && at > 0 {
			return text[from : from+at], from + at
		}
	}
	return text[from:], 0
}

// written is how many bytes JSON takes for a character.
func written(r rune) int {
	switch {
	case r == '"', r == '\\', r == '\n', r == '\r', r == '\t':
		return 2
	case r < ' ', r == 0x7f, r == '\u2028', r == '\u2029':
		return 6
	}
	return utf8.RuneLen(r)
}
