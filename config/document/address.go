package document

import (
	"net/netip"
	"net/url"
	"strings"
)

// webAddress checks an absolute http(s) address, and never quotes it.
func (c *checks) webAddress(at, value string) {
	if says := refusesAddress(value); says != "" {
		c.fault(at, "%s", says)
	}
}

// refusesAddress says why a value is no address a request could go to, or
// "". References stand for something that fits wherever they are; a value
// that begins with one is judged when it is resolved.
func refusesAddress(value string) string {
	if strings.HasPrefix(value, "${") && isReference(value[:strings.IndexByte(value+"}", '}')+1]) {
		return ""
	}
	filled, _ := Expand(value, func(string) (string, bool) { return "1", true })
	u, err := url.Parse(filled)
	switch {
	case err == nil && u.User != nil, strings.Contains(beforePath(filled), "@"):
		return "holds a user name or password before the @. Take it out; write a credential under headers, as ${NAME}."
	case err != nil || !u.IsAbs() || u.Opaque != "":
		return "is no absolute address. Write it like https://example.com/mcp."
	case u.Scheme != "http" && u.Scheme != "https":
		return "must begin with https:// or http://."
	case u.Hostname() == "":
		return "names no host. Write it like https://example.com/mcp."
	case u.Fragment != "":
		return "has a part after #, which is never sent. Take it out."
	}
	return ""
}

// beforePath is the part of an address in which an @ would end a password.
func beforePath(value string) string {
	_, rest, _ := strings.Cut(value, "://")
	return rest[:strings.IndexAny(rest+"/", "/?#")]
}

// plainHTTP reports whether a value is an http address that leaves this
// machine.
func plainHTTP(value string) bool {
	filled, _ := Expand(value, func(string) (string, bool) { return "1", true })
	u, err := url.Parse(filled)
	if err != nil || u.Scheme != "http" {
		return false
	}
	host := u.Hostname()
	ip, err := netip.ParseAddr(host)
	return !strings.EqualFold(host, "localhost") && (err != nil || !ip.Unmap().IsLoopback())
}
