package client

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
)

const (
	// shortestSecret is the least length, in bytes, of a value that is
	// redacted: replacing every "a" would hide nothing and spoil everything.
	shortestSecret = 4
	// shortestLine is the same for one line of a value of several.
	shortestLine = 8
)

// secretForms lists every way in which the values are likely to be printed,
// longest first.
func secretForms(secrets []string) []string {
	var all []string
	for _, secret := range secrets {
		if len(strings.TrimSpace(secret)) >= shortestSecret {
			all = append(all, formsOf(secret)...)
		}
	}
	all = slices.DeleteFunc(all, func(form string) bool { return len(form) < shortestSecret })
	slices.SortFunc(all, longestFirst)
	return slices.Compact(all)
}

func longestFirst(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) }

// formsOf are the forms of one value: as it is and, of several lines, line by
// line (stderr is kept by line), escaped inside JSON or an address, in base64.
func formsOf(secret string) []string {
	whole := strings.TrimSpace(secret)
	forms := append(writtenForms(whole), base64Forms(whole)...)
	if secret != whole {
		forms = append(forms, base64Forms(secret)...)
	}
	for line := range strings.Lines(whole) {
		if line = strings.TrimSpace(line); len(line) >= shortestLine && line != whole {
			forms = append(forms, writtenForms(line)...)
		}
	}
	return forms
}

// writtenForms are a text as it is, on one line, and inside JSON and an
// address.
func writtenForms(value string) []string {
	forms := []string{value, oneLine(value)}
	for _, slash := range []bool{false, true} {
		for _, special := range []string{"", "<>&", `<>&'+"` + "`"} {
			for _, unicode := range []string{"", "%04x", "%04X"} {
				once := jsonEscaped(value, slash, special, unicode)
				// A document inside a text of another is escaped once more.
				forms = append(forms, once, jsonEscaped(once, slash, special, unicode))
			}
		}
	}
	query := url.QueryEscape(value)
	percent := strings.ReplaceAll(query, "+", "%20")
	// What JavaScript's encodeURIComponent leaves as it is.
	component := strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(percent)
	for _, form := range []string{query, percent, component, url.PathEscape(value)} {
		forms = append(forms, form, lowerPercent(form))
	}
	return forms
}

// jsonEscaped is a text inside a JSON string: with or without `\/`, special
// ASCII characters escaped by number, and those outside of ASCII by number
// in a format, if one is given.
func jsonEscaped(value string, slash bool, special, unicode string) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}
	if slash {
		short['/'] = `\/`
	}
	number := unicode
	if number == "" {
		number = "%04x"
	}
	var b strings.Builder
	for _, c := range value {
		switch escape, ok := short[c]; {
		case c < 0x20 && !ok, strings.ContainsRune(special, c):
			fmt.Fprintf(&b, `\u`+number, c)
		case ok:
			b.WriteString(escape)
		case c < 0x80 || unicode == "":
			b.WriteRune(c)
		default:
			for _, unit := range utf16.Encode([]rune{c}) {
				fmt.Fprintf(&b, `\u`+number, unit)
			}
		}
	}
	return b.String()
}

// lowerPercent writes the digits of %XX small, as some libraries do.
func lowerPercent(text string) string {
	out := []byte(text)
	for i := 0; i+2 < len(out); i++ {
		if out[i] == '%' {
			copy(out[i+1:i+3], strings.ToLower(text[i+1:i+3]))
		}
	}
	return string(out)
}

// base64Forms are a value in base64: whole, and what of it is fixed when it
// stands behind other text, as a password does behind its user's name.
func base64Forms(value string) []string {
	var forms []string
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		whole := enc.EncodeToString([]byte(value))
		forms = append(forms, whole, strings.TrimRight(whole, "="))
		if len(value) < shortestLine {
			continue
		}
		for before := range 3 {
			shifted := enc.WithPadding(base64.NoPadding).EncodeToString(append(make([]byte, before), value...))
			// The first and the last character may hold bits of a neighbour.
			from, to := (before*8+5)/6, (before+len(value))*8/6
			forms = append(forms, shifted[from:to])
		}
	}
	return forms
}
