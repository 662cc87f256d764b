package dbtest

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// Fault is what a proxy does to the connection that sends a statement.
type Fault string

// The faults of a network, before a statement arrives and after it was done.
const (
	CutBefore    Fault = "cut before it arrives"
	CutAfter     Fault = "cut before the answer"
	FreezeBefore Fault = "frozen before it arrives"
	FreezeAfter  Fault = "frozen before the answer"
)

// Proxy stands between a client and the server, and only passes on until it is
// told to strike. A connection that was struck stays so.
type Proxy struct {
	URL string // the address that leads through it

	network, server string
	work            sync.WaitGroup

	mu     sync.Mutex
	fault  Fault
	words  []string
	struck chan struct{}
	ends   []net.Conn

	isolates, refuses bool
}

// Between starts a proxy to the server of an address, gone after the test.
func Between(t testing.TB, address string) *Proxy {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{network: "tcp", server: u.Host}
	q := u.Query()
	if dir := q.Get("host"); dir != "" {
		p.network, p.server = "unix", dir+"/.s.PGSQL."+q.Get("port")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.work.Go(func() { p.accept(l) })
	t.Cleanup(func() {
		_ = l.Close()
		p.closeAll()
		p.work.Wait()
	})
	q.Del("host")
	q.Del("port")
	u.Host, u.RawQuery = l.Addr().String(), q.Encode()
	p.URL = u.String()
	return p
}

// Strike does this once, to the connection that sends messages which hold
// these words one after the other, at the last of them. The channel is closed
// when it has.
func (p *Proxy) Strike(f Fault, words ...string) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.words, p.struck = f, words, make(chan struct{})
	return p.struck
}

// Isolate is Strike, and from then on no new connection is taken until Mend.
// It cuts none that are open.
func (p *Proxy) Isolate(f Fault, words ...string) <-chan struct{} {
	struck := p.Strike(f, words...)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isolates = true
	return struck
}

// Mend takes new connections again.
func (p *Proxy) Mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isolates, p.refuses = false, false
}

func (p *Proxy) accept(l net.Listener) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		refuses := p.refuses
		p.mu.Unlock()
		server, err := net.Dial(p.network, p.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		if refuses {
			_, _ = client.Close(), server.Close()
			continue
		}
		p.mu.Lock()
		p.ends = append(p.ends, client, server)
		p.mu.Unlock()
		quiet := make(chan Fault, 1) // told: nothing goes to this client any more
		p.work.Go(func() { p.forward(client, server, quiet) })
		p.work.Go(func() { p.back(client, server, quiet) })
	}
}

func (p *Proxy) closeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.ends {
		_ = c.Close()
	}
}

// forward passes the client's messages on until the fault strikes.
func (p *Proxy) forward(client, server net.Conn, quiet chan<- Fault) {
	first, heard := true, &progress{} // the start-up message has no type byte
	for {
		message, err := read(client, first)
		first = false
		if err != nil {
			_ = server.Close()
			return
		}
		fault, struck := p.strikes(message, heard)
		switch fault {
		case CutAfter, FreezeAfter:
			quiet <- fault // what follows still goes to the server, which answers at the end of it
		case CutBefore:
			_, _ = client.Close(), server.Close()
			close(struck)
			return
		case FreezeBefore:
			close(struck)
			return // both ends stay open, nothing moves
		}
		_, err = server.Write(message)
		if struck != nil {
			close(struck)
		}
		if err != nil {
			return
		}
	}
}

// back passes the server's bytes on. Once quiet, the first answer is swallowed,
// and by then the server has done what it was asked.
func (p *Proxy) back(client, server net.Conn, quiet <-chan Fault) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := server.Read(buffer)
		select {
		case fault := <-quiet:
			if fault == CutAfter {
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

// progress is how many of a strike's words a connection has sent.
type progress struct {
	of    chan struct{}
	words int
}

// strikes tells the fault of a message, if it is this one's turn.
func (p *Proxy) strikes(message []byte, heard *progress) (Fault, chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if heard.of != p.struck {
		*heard = progress{of: p.struck}
	}
	if p.fault == "" || !bytes.Contains(message, []byte(p.words[heard.words])) {
		return "", nil
	}
	if heard.words++; heard.words < len(p.words) {
		return "", nil
	}
	fault := p.fault
	p.fault, p.refuses = "", p.isolates
	return fault, p.struck
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
