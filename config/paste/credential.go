package paste

import (
	"net/url"
	"regexp"
	"strings"
)

var (
	// The last word of a key says what it holds: MAX_TOKENS and TOKEN_FILE are
	// no credentials, GITHUB_TOKEN is one.
	credentialKey = regexp.MustCompile(`(?i)(^|[^a-z])(token|secret|password|passwd|pwd|passphrase|pat|credentials?|cookie|authorization|apikey|key)$`)
	camelEnd      = regexp.MustCompile(`[a-z](Token|Secret|Password|Passwd|Key)$`)
	openKey       = regexp.MustCompile(`(?i)(public|project|space|issue|cache|sort|primary|partition|object|routing)[_-]?key$`)

	// Beginnings that well-known services give their credentials, keys in PEM,
	// tokens in three parts, and addresses with a password in them.
	credentialShape = regexp.MustCompile(`^(gh[opsur]_|github_pat_|glpat-|sk-|sk_live_|sk_test_|rk_live_|xox[abceprsd]-|xapp-|AKIA|ASIA|AIza|ya29\.|tvly-|npm_|pypi-|ntn_|lin_api_|hf_|dop_v1_|shpat_|ATATT|SG\.|fc-|BSA[A-Za-z0-9_-]{20}|eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.|-----BEGIN )`)
	passwordInURL   = regexp.MustCompile(`^[a-z][a-z0-9+.-]*://[^/\s:@]*:[^/\s@]+@`)

	placeholder = regexp.MustCompile(`(?i)^$|^<.*>$|^\[.*\]$|^\{.*\}$|\.\.\.|…|x{4}|\*{3}|your|^my[-_ ]|[-_ ]here$|placeholder|change[-_ ]?me|replace|^insert|^enter|^paste|^todo`)

	scheme = regexp.MustCompile(`(?i)^(bearer|basic|token|apikey|api-key|bot)\s+(\S.*)$`)
)

// IsCredential reports whether a value, written out where everybody who reads
// the company document sees it, would rather be a secret: by the key it
// stands under, or by its own shape. What holds a reference is safe already.
func IsCredential(key, value string) bool {
	value = strings.TrimSpace(value)
	if holdsReference(value) {
		return false
	}
	if m := scheme.FindStringSubmatch(value); m != nil && strings.EqualFold(key, "authorization") {
		return true
	}
	return credentialShape.MatchString(afterScheme(value)) || passwordInURL.MatchString(value) || namesCredential(key) && !isSwitch(value)
}

// InCommand is where in a command line something looks like a credential: 0 for
// the command itself, one more than its index for an argument, -1 for nowhere.
func InCommand(command string, args []string) int {
	all := append([]string{command}, args...)
	for i := range all {
		if exposed(all, i) {
			return i
		}
	}
	return -1
}

// exposed reports whether a word of a command line looks like a credential: by
// itself, as the value of the flag before it, or as NAME=value.
func exposed(all []string, i int) bool {
	arg := all[i]
	name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	flag := ""
	if i > 1 && strings.HasPrefix(all[i-1], "-") && !strings.HasPrefix(arg, "-") {
		flag = strings.TrimLeft(all[i-1], "-")
	}
	return IsCredential("", arg) || flag != "" && arg != "" && IsCredential(flag, arg) || value != "" && IsCredential(name, value)
}

// InAddress names the part of an address that looks like a credential: a
// parameter of its query, or "password"; "" when nothing does. References in it
// are as good as any text.
func InAddress(address string) string {
	if passwordInURL.MatchString(address) && IsCredential("", address) {
		return "password"
	}
	address, _, _ = strings.Cut(address, "#")
	_, query, _ := strings.Cut(address, "?")
	for part := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(value); err == nil {
			value = plain
		}
		if value != "" && IsCredential(key, value) {
			return key
		}
	}
	return ""
}

func namesCredential(key string) bool {
	return (credentialKey.MatchString(key) || camelEnd.MatchString(key)) && !openKey.MatchString(key)
}

// isSwitch reports whether a value turns something on or off and tells
// nothing.
func isSwitch(value string) bool {
	switch strings.ToLower(value) {
	case "true", "false", "yes", "no", "on", "off", "none", "0", "1":
		return true
	}
	return false
}

// isPlaceholder reports whether a credential was never filled in.
func isPlaceholder(value string) bool {
	return placeholder.MatchString(strings.TrimSpace(value))
}

func afterScheme(value string) string {
	if m := scheme.FindStringSubmatch(value); m != nil {
		return m[2]
	}
	return value
}

func holdsReference(value string) bool { return strings.Contains(value, "${") }
