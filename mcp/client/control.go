package client

import "encoding/hex"

// stripControl takes control characters out of JSON text, raw ones and their
// escapes. Line ends and tabs stay. A text without any is returned as it is.
func stripControl(text []byte) []byte {
	at := nextControl(text, 0)
	if at < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	from := 0
	for at >= 0 {
		out = append(out, text[from:at]...)
		from = at + controlLength(text[at:])
		at = nextControl(text, from)
	}
	return append(out, text[from:]...)
}

// nextControl finds the next control character from an index on, or -1.
func nextControl(text []byte, from int) int {
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && controlLength(text[i:]) > 0:
			return i
		case c == '\\':
			i++ // whatever is escaped, a backslash too, is passed over
		case c >= 0x20 && c < 0x7f, c == '\n', c == '\r', c == '\t':
		case controlLength(text[i:]) > 0:
			return i
		}
	}
	return -1
}

// controlLength is how many bytes the control character at the beginning
// takes, 0 when there is none.
func controlLength(text []byte) int {
	switch c := text[0]; {
	case c == '\\':
		return escapeLength(text)
	case c == 0xc2 && len(text) > 1 && text[1] >= 0x80 && text[1] <= 0x9f: // U+0080 to U+009F
		return 2
	case c < 0x80 && isControl(c):
		return 1
	}
	return 0
}

// escapeLength is the same for what begins with a backslash.
func escapeLength(text []byte) int {
	if len(text) > 1 && (text[1] == 'b' || text[1] == 'f') {
		return 2
	}
	if len(text) < 6 || text[1] != 'u' {
		return 0
	}
	var unit [2]byte
	if _, err := hex.Decode(unit[:], text[2:6]); err == nil && unit[0] == 0 && isControl(unit[1]) {
		return 6
	}
	return 0
}

func isControl(c byte) bool {
	return c < 0x20 && c != '\n' && c != '\r' && c != '\t' || c >= 0x7f && c <= 0x9f
}
