package document

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// limit is the largest text that is read, in bytes.
const limit = 1 << 20

const bom = "\ufeff"

// plainText is the text as the YAML readers are given it: no byte order
// mark, LF line ends. Lines and columns are those of the author's text.
func plainText(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte(bom))
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

// checkText refuses what no YAML reader should be handed. It takes what
// plainText returns.
func checkText(text []byte) Problems {
	if len(text) > limit {
		return Problems{{Line: 1, Column: 1, Says: fmt.Sprintf("The document is %d bytes long; at most 1 MiB (%d bytes) is read.", len(text), limit)}}
	}
	if bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return Problems{{Line: 1, Column: 1, Says: "The document is in UTF-16. Save it as UTF-8."}}
	}
	var found Problems
	line, column := 1, 1
	for len(text) > 0 && len(found) < mostProblems {
		r, size := utf8.DecodeRune(text)
		if says := unwelcome(r, size); says != "" {
			found = append(found, Problem{Line: line, Column: column, Says: says})
		}
		if column++; r == '\n' {
			line, column = line+1, 1
		}
		text = text[size:]
	}
	return found
}

// unwelcome says why a character may not stand in a document. The line
// separators are among them because editors and YAML readers do not agree on
// where lines end after one.
func unwelcome(r rune, size int) string {
	switch {
	case r == utf8.RuneError && size == 1:
		return "A byte here is not UTF-8. Save the document as UTF-8."
	case r == '\n' || r == '\t':
		return ""
	case r == 0:
		return "There is a NUL character here. Take it out."
	case r == '\r':
		return "A carriage return stands here without a line feed. End lines with LF, or with CRLF."
	case isControl(r) || r == 0xfffe || r == 0xffff:
		return fmt.Sprintf("There is a control character here (U+%04X). Take it out.", r)
	case r == 0xfeff:
		return "There is an invisible byte order mark here (U+FEFF). Take it out."
	}
	return ""
}

// isControl counts the two separators among the control characters: they end
// a line for some readers.
func isControl(r rune) bool {
	return r < ' ' || (r >= 0x7f && r < 0xa0) || r == 0x2028 || r == 0x2029
}

// controlIn finds a control character in a value that came out of an escape.
// Line breaks and tabs pass where several lines do.
func controlIn(s string, lines bool) (rune, bool) {
	for _, r := range s {
		if lines && (r == '\n' || r == '\t' || r == '\r') {
			continue
		}
		if isControl(r) || r == utf8.RuneError {
			return r, true
		}
	}
	return 0, false
}
