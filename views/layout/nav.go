package layout

import (
	"unicode"
	"unicode/utf8"
)

// shown is the name people know, or the login of someone without one.
func (v Viewer) shown() string {
	if v.Name == "" {
		return v.Login
	}
	return v.Name
}

// initial is the first letter or digit of a name, upper case.
func initial(name string) string {
	for _, r := range name {
		if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return string(unicode.ToUpper(r))
		}
	}
	return "C"
}
