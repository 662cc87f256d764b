package servers

import (
	"regexp"
	"strings"
)

var (
	credentialName = regexp.MustCompile(`(?i)(^|_)(token|secret|password|passwd|pwd|credentials?|api_?key|private_?key|access_?key|auth|authorization)(_|$)`)

	// Beginnings that well-known services give their credentials.
	credentialShape = regexp.MustCompile(`^(gh[pousr]_|github_pat_|glpat-|sk-|xox[abeprs]-|xapp-|AKIA|ASIA|AIza|ya29\.|tvly-|npm_|pypi-|eyJ[A-Za-z0-9_-]+\.|Bearer\s+\S|Basic\s+\S|-----BEGIN )`)
)

// LooksLikeCredential reports whether a value, written out in the company
// document for everybody who reads it, would rather be a secret. One that
// holds a reference is taken for safe.
func LooksLikeCredential(name, value string) bool {
	value = strings.TrimSpace(value)
	if strings.Contains(value, "${") {
		return false
	}
	return credentialShape.MatchString(value) || credentialName.MatchString(name) && len(value) >= 8
}
