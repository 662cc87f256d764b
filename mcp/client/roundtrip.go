package client

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/net/http/httpguts"
)

// The limits, in real time, of making a connection.
const (
	dialTimeout = 10 * time.Second
	tlsTimeout  = 10 * time.Second
)

// carrier is the round-tripper under every request to one server. It alone
// holds the credentials, and gives them to nobody but the server's own origin.
type carrier struct {
	to      *url.URL
	headers http.Header
	under   *http.Transport
}

// newCarrier makes the HTTP client of one link. Nothing of it is shared: no
// connection, no cookie. A proxy of the environment is not used, since the
// addresses behind it could not be checked. It says who asks, with our version,
// where the declaration does not say otherwise.
func newCarrier(spec Spec, to *url.URL, version string) (*http.Client, error) {
	headers := http.Header{"User-Agent": {"crewlet/" + version}}
	for name, value := range spec.Headers {
		if !httpguts.ValidHeaderFieldName(name) {
			return nil, fmt.Errorf("%q is no name of a header: %w", name, errHopeless)
		}
		if !httpguts.ValidHeaderFieldValue(value) {
			return nil, fmt.Errorf("the value of the header %s holds a line end or another control character: %w", name, errHopeless)
		}
		headers.Set(name, value)
	}
	dialer := &net.Dialer{
		Timeout: dialTimeout, KeepAlive: 30 * time.Second,
		Control: reach{spec.AllowPrivate, spec.AllowLoopback}.control,
	}
	c := &carrier{to: to, headers: headers, under: &http.Transport{
		DialContext: dialer.DialContext, TLSHandshakeTimeout: tlsTimeout, ForceAttemptHTTP2: true,
		MaxIdleConnsPerHost: 4, IdleConnTimeout: 90 * time.Second, MaxResponseHeaderBytes: 256 << 10,
	}}
	return &http.Client{Transport: c, CheckRedirect: c.redirected}, nil
}

// RoundTrip adds the credentials.
func (c *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	if !sameOrigin(r.URL, c.to) {
		return nil, fmt.Errorf("a request to another address, %s, is not made", r.URL.Host)
	}
	r = r.Clone(r.Context())
	for name, values := range c.headers {
		if _, ours := r.Header[name]; ours {
			continue // the protocol's own headers are not a credential's place
		}
		r.Header[name] = values
		if name == "Host" {
			r.Host = values[0]
		}
	}
	return c.under.RoundTrip(r)
}

// CloseIdleConnections ends what waits for more requests.
func (c *carrier) CloseIdleConnections() { c.under.CloseIdleConnections() }

// strayed is a redirect that is not followed.
type strayed string

func (e strayed) Error() string { return string(e) }

// redirected follows no redirect, within the server's own origin neither: what
// is declared is what is asked, with its credentials and arguments.
func (c *carrier) redirected(r *http.Request, _ []*http.Request) error {
	to := r.URL.Scheme + "://" + r.URL.Host
	if sameOrigin(r.URL, c.to) {
		return strayed(fmt.Sprintf("it redirects to the path %s of its own origin, %s. Redirects are not followed: declare that address as its url", r.URL.EscapedPath(), to))
	}
	return strayed(fmt.Sprintf("it redirects to %s, which is another server. Redirects are not followed: declare the address it is to be reached at as its url", to))
}
