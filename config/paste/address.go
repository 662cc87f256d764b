package paste

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

var longSegment = regexp.MustCompile(`^[A-Za-z0-9_=-]{32,}$`)

// address takes what is secret out of a url: a password before the host, a
// key in the query, a long random part of the path.
func (r *reading) address(written string) string {
	proto, rest, ok := strings.Cut(written, "://")
	if !ok {
		return written
	}
	end := strings.IndexAny(rest+"/", "/?#")
	host, rest := rest[:end], rest[end:]
	if at := strings.LastIndex(host, "@"); at >= 0 && !holdsReference(host[:at]) {
		r.basic(host[:at])
		host = host[at+1:]
	}
	where, query, asked := strings.Cut(rest, "?")
	parts := strings.Split(where, "/")
	for i, part := range parts {
		if longSegment.MatchString(part) && strings.ContainsAny(part, "0123456789") {
			parts[i] = r.conceal("url", "URL_KEY", part)
		}
	}
	where = strings.Join(parts, "/")
	if !asked {
		return proto + "://" + host + where
	}
	params := strings.Split(query, "&")
	for i, param := range params {
		if key, value, ok := strings.Cut(param, "="); ok && IsCredential(key, value) {
			params[i] = key + "=" + r.conceal("url", snake(key), value)
		}
	}
	return proto + "://" + host + where + "?" + strings.Join(params, "&")
}

// basic makes a header of a user and a password, which no url may hold here.
func (r *reading) basic(userinfo string) {
	plain, err := url.PathUnescape(userinfo)
	if err != nil {
		plain = userinfo
	}
	if slices.ContainsFunc(r.headers, func(p pair) bool { return strings.EqualFold(p.key, "authorization") }) {
		return
	}
	r.headers = append(r.headers, pair{"Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte(plain))})
	r.note("The user and password in the address were made a header, Authorization: Basic.")
}

// snake parts a camelCase word.
func snake(word string) string {
	var b strings.Builder
	for i, c := range word {
		if i > 0 && c >= 'A' && c <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(c)
	}
	return b.String()
}
