package org

import (
	"strings"
	"unicode"
)

// Visible reports whether anything of a text is drawn: a name or a title that
// nobody can see leaves a link without a text.
func Visible(text string) bool { return strings.ContainsFunc(text, drawn) }

// blank are letters and a symbol, by their class, that fonts draw nothing for.
const blank = "\u115f\u1160\u2800\u3164\uffa0"

func drawn(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.IsMark(r) && !strings.ContainsRune(blank, r)
}
