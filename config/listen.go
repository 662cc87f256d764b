package config

import (
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

const listenDefault = "127.0.0.1:8080"

func (r *reading) listen() string {
	v := r.value("CREWLET_LISTEN")
	if v == "" {
		return listenDefault
	}
	if _, _, err := splitListen(v); err != nil {
		r.say("CREWLET_LISTEN", "%q is not a host and a port (%v). Write it like 127.0.0.1:8080, or [::1]:8080.", short(v), err)
		return listenDefault
	}
	return v
}

// splitListen parts an address into its host and its port. Port 0 asks the
// system for a free one.
func splitListen(v string) (host string, port int, err error) {
	host, p, err := net.SplitHostPort(v)
	if err != nil {
		if a, ok := errors.AsType[*net.AddrError](err); ok {
			return "", 0, errors.New(a.Err) // without the address, which the sentence has already
		}
		return "", 0, err
	}
	port, err = strconv.Atoi(p)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, errors.New("a port is a number from 0 to 65535")
	}
	if strings.ContainsAny(host, " /@") {
		return "", 0, errors.New("the host has a character no host has")
	}
	return host, port, nil
}

// loopback reports whether host can be reached from this machine alone. An
// empty host means every interface; a name is taken for loopback only when
// it is localhost, since what another name resolves to may change.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// base is the address people use: the one given, or one made from Listen.
func (r *reading) base(s Settings) *url.URL {
	if given := r.address("CREWLET_BASE_URL"); given != nil {
		return given
	}
	host, port, err := splitListen(s.Listen)
	if err != nil {
		return nil
	}
	if ip, err := netip.ParseAddr(host); host == "" || (err == nil && ip.IsUnspecified()) {
		host = "localhost"
	}
	scheme := "http"
	if s.TLSCert != "" {
		scheme = "https"
	}
	return &url.URL{Scheme: scheme, Host: net.JoinHostPort(host, strconv.Itoa(port))}
}

// together checks what settings require of each other.
func (r *reading) together(s Settings) {
	cert, key := r.value("CREWLET_TLS_CERT"), r.value("CREWLET_TLS_KEY")
	if (cert == "") != (key == "") {
		missing, present := "CREWLET_TLS_KEY", "CREWLET_TLS_CERT"
		if cert == "" {
			missing, present = present, missing
		}
		r.say(missing, "is not set, but %s is. TLS needs both: the certificate's file and its key's.", present)
	}
	if s.TLSCert != "" && s.TLSKey != "" && len(r.problems) == 0 {
		r.pair(s.TLSCert, s.TLSKey)
	}
	if !s.Loopback() && cert == "" && key == "" {
		r.reachable(s)
	}
	if s.ReplicaURL != "" && s.DatabaseURL == "" {
		r.say("CREWLET_REPLICA_URL", "names a replica, but CREWLET_DATABASE_URL is not set: the embedded database has none. Set both, or neither.")
	}
}

// reachable checks a node without TLS of its own that others can reach: a proxy
// has to speak it in front, and links and cookies follow the proxy's address.
func (r *reading) reachable(s Settings) {
	if r.value("CREWLET_TRUSTED_PROXY") == "" {
		r.say("CREWLET_LISTEN", "%s can be reached from other machines, and passwords would cross the network in the clear. "+
			"Set CREWLET_TLS_CERT and CREWLET_TLS_KEY, or CREWLET_TRUSTED_PROXY to the networks of the proxy that speaks TLS in front of this node, "+
			"or listen on 127.0.0.1.", s.Listen)
		return
	}
	if r.value("CREWLET_BASE_URL") == "" {
		r.say("CREWLET_BASE_URL", "is not set, but people come through the proxy of CREWLET_TRUSTED_PROXY. "+
			"Set it to the address they use, such as https://crewlet.example.com: links and the safety of cookies follow it.")
	}
}

func (r *reading) pair(cert, key string) {
	if _, err := tls.LoadX509KeyPair(cert, key); err != nil {
		r.say("CREWLET_TLS_CERT", "does not work with CREWLET_TLS_KEY (%v). Name a PEM certificate and the PEM key that belongs to it.", err)
	}
}
