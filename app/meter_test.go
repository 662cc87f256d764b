package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// meter stands between a node and its database, passes everything on and
// remembers the statements it saw run.
type meter struct {
	url string // the database through the meter

	network, address string // where the database is
	mu               sync.Mutex
	ran              []string
}

// metered opens a meter before a database. It ends with the test.
func metered(t *testing.T, database string) *meter {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &meter{network: "tcp", address: u.Host}
	q := u.Query()
	if dir := q.Get("host"); dir != "" {
		m.network, m.address = "unix", dir+"/.s.PGSQL."+q.Get("port")
		q.Del("host")
		q.Del("port")
	}
	u.Host, u.RawQuery = l.Addr().String(), q.Encode()
	m.url = u.String()
	var connections sync.WaitGroup
	connections.Go(func() {
		for {
			node, err := l.Accept()
			if err != nil {
				return
			}
			connections.Go(func() { m.carry(node) })
		}
	})
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		connections.Wait() // the node has let go of its connections by now
	})
	return m
}

// during is what ran while something was done, transactions' own words apart.
func (m *meter) during(do func()) []string {
	m.mu.Lock()
	m.ran = nil
	m.mu.Unlock()
	do()
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ran
}

func (m *meter) note(statement string) {
	switch word, _, _ := strings.Cut(strings.TrimSpace(statement), " "); strings.Trim(word, ";") {
	case "", "BEGIN", "COMMIT", "ROLLBACK":
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ran = append(m.ran, strings.Join(strings.Fields(statement), " "))
}

// carry passes one connection on, both ways.
func (m *meter) carry(node net.Conn) {
	defer func() { _ = node.Close() }()
	database, err := net.Dial(m.network, m.address)
	if err != nil {
		return
	}
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(node, database)
		_ = node.Close()
	})
	_ = m.listen(node, database) // ends when either side does
	_ = database.Close()
	back.Wait()
}

// listen reads the frontend's messages: one without a type first, then each
// with its type, its length and its body.
func (m *meter) listen(node io.Reader, database io.Writer) error {
	prepared, bound := map[string]string{}, ""
	for kind := byte(0); ; {
		body, err := pass(node, database, kind)
		if err != nil {
			return err
		}
		name, rest, _ := bytes.Cut(body, []byte{0})
		text, _, _ := bytes.Cut(rest, []byte{0})
		switch kind {
		case 'P': // a statement's name and its text
			prepared[string(name)] = string(text)
		case 'B': // a portal's name and its statement's
			bound = prepared[string(text)]
		case 'E':
			m.note(bound)
		case 'Q':
			m.note(string(name))
		}
		var next [1]byte
		if _, err := io.ReadFull(node, next[:]); err != nil {
			return err
		}
		kind = next[0]
	}
}

// pass carries one message over and answers its body.
func pass(node io.Reader, database io.Writer, kind byte) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(node, head[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size < 4 || size > 16<<20 {
		return nil, errors.New("no message of PostgreSQL")
	}
	body := make([]byte, size-4)
	if _, err := io.ReadFull(node, body); err != nil {
		return nil, err
	}
	var message []byte
	if kind != 0 {
		message = append(message, kind)
	}
	_, err := database.Write(append(append(message, head[:]...), body...))
	return body, err
}
