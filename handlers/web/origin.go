package web

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Origin is where people reach this dashboard, such as https://crew.example,
// for addresses that are copied out of a page. A proxy may ask for a page under
// a name of its own, so the node's own address wins; but one that leads nowhere
// from another machine says less than the name the caller used.
func Origin(r *http.Request) string {
	door := visitOf(r).door
	switch {
	case door.Base != nil && !loopback(door.Base):
		return strings.TrimSuffix(door.Base.String(), "/")
	case door.Secure:
		return "https://" + r.Host
	default:
		return "http://" + r.Host
	}
}

// loopback reports whether an address leads back to the machine it is used on.
func loopback(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}
