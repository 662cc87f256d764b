package db_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// fault is what a proxy does to the first connection that sends a statement.
type fault string

const (
	cutBefore    fault = "cut before it arrives"
	cutAfter     fault = "cut before the answer"
	freezeBefore fault = "frozen before it arrives"
	freezeAfter  fault = "frozen before the answer"
)

// proxy stands between a client and the server. It strikes once, at the first
// message that holds the trigger; after that it only passes on.
type proxy struct {
	fault   fault
	trigger []byte
	network string
	server  string

	mu     sync.Mutex
	struck bool
	ends   []net.Conn
	work   sync.WaitGroup
}

// through starts a proxy to the server of address and returns the address that
// leads through it.
func through(t *testing.T, address string, f fault, trigger string) string {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	p := &proxy{fault: f, trigger: []byte(trigger), network: "tcp", server: u.Host}
	q := u.Query()
	if dir := q.Get("host"); dir != "" {
		p.network, p.server = "unix", dir+"/.s.PGSQL."+q.Get("port")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p.work.Go(func() { p.accept(l) })
	t.Cleanup(func() {
		_ = l.Close()
		p.closeAll()
		p.work.Wait()
	})
	q.Del("host")
	q.Del("port")
	u.Host, u.RawQuery = l.Addr().String(), q.Encode()
	return u.String()
}

func (p *proxy) accept(l net.Listener) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial(p.network, p.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		p.ends = append(p.ends, client, server)
		p.mu.Unlock()
		quiet := make(chan struct{}) // closed: nothing goes to this client any more
		p.work.Go(func() { p.forward(client, server, quiet) })
		p.work.Go(func() { p.back(client, server, quiet) })
	}
}

func (p *proxy) closeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.ends {
		_ = c.Close()
	}
}

// forward passes the client's messages on until the fault strikes.
func (p *proxy) forward(client, server net.Conn, quiet chan struct{}) {
	first := true // the start-up message has no type byte
	for {
		message, err := read(client, first)
		first = false
		if err != nil {
			_ = server.Close()
			return
		}
		if p.strikes(message) {
			switch p.fault {
			case cutAfter, freezeAfter:
				close(quiet) // what follows still goes to the server, which answers at the end of it
			case cutBefore:
				_, _ = client.Close(), server.Close()
				return
			case freezeBefore:
				return // both ends stay open, nothing moves
			}
		}
		if _, err := server.Write(message); err != nil {
			return
		}
	}
}

// back passes the server's bytes on. Once quiet, the first answer is swallowed,
// and by then the server has done what it was asked.
func (p *proxy) back(client, server net.Conn, quiet chan struct{}) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := server.Read(buffer)
		select {
		case <-quiet:
			if p.fault == cutAfter {
				_ = client.Close()
			}
			return
		default:
		}
		if err != nil {
			_ = client.Close()
			return
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func (p *proxy) strikes(message []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.struck || !bytes.Contains(message, p.trigger) {
		return false
	}
	p.struck = true
	return true
}

// read reads one message of the client's.
func read(client net.Conn, first bool) ([]byte, error) {
	head := make([]byte, 5)
	if first {
		head = head[:4]
	}
	if _, err := io.ReadFull(client, head); err != nil {
		return nil, err
	}
	body := make([]byte, binary.BigEndian.Uint32(head[len(head)-4:])-4)
	_, err := io.ReadFull(client, body)
	return append(head, body...), err
}
