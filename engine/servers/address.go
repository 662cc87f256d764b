package servers

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"crewlet/config/document"
	"crewlet/config/paste"
)

// misdirected says what is wrong with where an http server resolves to; empty
// when nothing is. Nothing has been sent then. The address may hold a secret
// and is not repeated. Which addresses of a network are allowed is decided
// when they are dialled.
func (r *resolver) misdirected(entry *document.Server, res resolved) string {
	u, err := url.Parse(res.url)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return "Held back: its url does not resolve to an absolute address that begins with http:// or https://. Nothing was sent."
	case u.User != nil:
		return "Held back: its url resolves to one with a user name or a password in it. Send credentials as a header. Nothing was sent."
	case u.Scheme != "https" && !loopbackHost(u.Hostname()) && carriesCredential(res):
		return "Held back: its url resolves to plain http and a credential goes with it. Use https, or take the credential out. Nothing was sent."
	}
	return r.elsewhere(res, u.Hostname())
}

// telling are words in the name of a header that carries a credential.
var telling = []string{"auth", "cookie", "key", "token", "secret"}

// elsewhere says which secret may not be sent to a host.
func (r *resolver) elsewhere(res resolved, host string) string {
	for _, name := range res.used {
		hosts := r.stored[name].Hosts
		if len(hosts) == 0 || slices.ContainsFunc(hosts, func(h string) bool {
			return strings.EqualFold(strings.TrimSuffix(h, "."), strings.TrimSuffix(host, "."))
		}) {
			continue
		}
		return fmt.Sprintf("Held back: the secret %s may be sent to %s and to no other host, and this server's url is elsewhere. "+
			"Change the url, or the secret's hosts under Settings › Secrets. Nothing was sent.", name, strings.Join(hosts, ", "))
	}
	return ""
}

// carriesCredential reports whether a header, or a sealed value in the address,
// is not for everybody on the way.
func carriesCredential(res resolved) bool {
	if res.secret["url"] {
		return true
	}
	for name, value := range res.values {
		name = strings.ToLower(name)
		if res.secret[name] || paste.IsCredential(name, value) || slices.ContainsFunc(telling, func(word string) bool { return strings.Contains(name, word) }) {
			return true
		}
	}
	return false
}

func loopbackHost(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
