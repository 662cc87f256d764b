package client

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"syscall"
)

// forbidden is an address that a spec does not let us reach.
type forbidden struct {
	addr netip.Addr
	kind string
}

func (e forbidden) Error() string {
	if e.kind == "unusable" {
		return fmt.Sprintf("its address %s is no address of one machine", e.addr)
	}
	return fmt.Sprintf("its address %s is %s; allow_private_addresses: true lets this server be reached there", e.addr, e.kind)
}

// reach is which addresses a spec may be found at.
type reach struct{ private, loopback bool }

// control is asked by the dialer for each address it is about to connect to,
// after the name was resolved: a name that resolves to something else the
// second time is seen here too.
func (r reach) control(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("the address %q cannot be read: %w", address, err)
	}
	return r.check(at.Addr())
}

func (r reach) check(addr netip.Addr) error {
	kind := kindOf(plain(addr))
	switch {
	case kind == "" || kind == "loopback" && r.loopback:
		return nil
	case r.private && kind != "unusable":
		return nil
	}
	return forbidden{plain(addr), kind}
}

// The ranges that lead to machines of our own, beside those net/netip names.
var (
	shared    = netip.MustParsePrefix("100.64.0.0/10") // carriers' and clouds' inside
	thisNet   = netip.MustParsePrefix("0.0.0.0/8")
	protocols = netip.MustParsePrefix("192.0.0.0/24")
	benches   = netip.MustParsePrefix("198.18.0.0/15")
	future    = netip.MustParsePrefix("240.0.0.0/4")
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour = netip.MustParsePrefix("2002::/16")
	siteLocal = netip.MustParsePrefix("fec0::/10")
)

// plain is the IPv4 address inside an IPv6 one that stands for it.
func plain(addr netip.Addr) netip.Addr {
	addr = addr.WithZone("").Unmap()
	if addr.Is4() {
		return addr
	}
	b := addr.As16()
	switch {
	case nat64.Contains(addr):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case sixToFour.Contains(addr):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return addr
}

// kindOf names what is not on the public network, "" for what is.
func kindOf(addr netip.Addr) string {
	switch {
	case addr.IsLoopback(), addr.IsUnspecified(): // "any" connects to this machine
		return "loopback"
	case addr.IsMulticast(), future.Contains(addr):
		return "unusable"
	case addr.IsLinkLocalUnicast():
		return "link-local"
	case addr.IsPrivate(), siteLocal.Contains(addr), shared.Contains(addr), thisNet.Contains(addr),
		protocols.Contains(addr), benches.Contains(addr):
		return "private"
	}
	return ""
}

// endpoint reads the address of a spec. What is wrong with it no retry mends.
func endpoint(spec Spec) (*url.URL, error) {
	u, err := url.Parse(spec.URL)
	switch {
	case spec.URL == "":
		return nil, fmt.Errorf("no url is given: %w", errHopeless)
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		// The text itself may hold a secret and is not repeated.
		return nil, fmt.Errorf("its url is not an absolute http or https address: %w", errHopeless)
	case u.User != nil:
		return nil, fmt.Errorf("its url holds a user or password, which belong in headers: %w", errHopeless)
	}
	u.Fragment = ""
	return u, nil
}

// sameOrigin reports whether two addresses are of one server.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && net.JoinHostPort(a.Hostname(), port(a)) == net.JoinHostPort(b.Hostname(), port(b))
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}
