package handlers

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"crewlet/engine/enginetest"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
)

// patience is how long a test waits for what has to come; it fails then.
const patience = 20 * time.Second

// tab is one open stream.
type tab struct {
	t      testing.TB
	status int
	header http.Header
	events chan event // closed at the stream's end
	leave  context.CancelFunc
}

// event is one message of a stream; a comment has only its text.
type event struct {
	Name, ID string
	Topics   []string `json:"topics"`
	Position int64    `json:"position"`
	Comment  string
}

// follows opens a stream; headers are name, value, name, value.
func (b *bench) follows(t testing.TB, query string, headers ...string) *tab {
	t.Helper()
	ctx, leave := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "GET", b.url+"/live?"+query, nil)
	b.must(err)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got, err := http.DefaultTransport.RoundTrip(r)
	b.must(err)
	one := &tab{t: t, status: got.StatusCode, header: got.Header, events: make(chan event, 1000), leave: leave}
	go func() {
		defer close(one.events)
		defer func() { _ = got.Body.Close() }()
		_ = messages(got.Body, one.events)
	}()
	t.Cleanup(leave)
	return one
}

// messages reads server-sent events to the end of a stream.
func messages(from io.Reader, to chan<- event) error {
	var e event
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "event":
			e.Name = value
		case "id":
			e.ID = value
		case "data":
			if err := json.Unmarshal([]byte(value), &e); err != nil {
				return err
			}
		case "":
			if strings.HasPrefix(lines.Text(), ":") {
				e.Comment = value
			}
			if lines.Text() == "" && (e.Name != "" || e.Comment != "") {
				to <- e
				e = event{}
			}
		}
	}
	return lines.Err()
}

// next is the next event; it has to come.
func (s *tab) next() event {
	s.t.Helper()
	select {
	case e, open := <-s.events:
		if !open {
			s.t.Fatal("the stream ended")
		}
		return e
	case <-time.After(patience):
		s.t.Fatal("no event came")
		return event{}
	}
}

// ends waits for the stream's end and answers what came before it.
func (s *tab) ends() (last []event) {
	s.t.Helper()
	for deadline := time.After(patience); ; {
		select {
		case e, open := <-s.events:
			if !open {
				return last
			}
			last = append(last, e)
		case <-deadline:
			s.t.Fatal("the stream stays open")
		}
	}
}

// reaches reads on to the event at a position, and answers all topics until it.
func (s *tab) reaches(position int64) map[string]bool {
	s.t.Helper()
	topics := map[string]bool{}
	for {
		e := s.next()
		if e.Name == "change" && e.ID != strconv.FormatInt(e.Position, 10) {
			s.t.Errorf("the event's id is %s, its position %d", e.ID, e.Position)
		}
		for _, topic := range e.Topics {
			topics[topic] = true
		}
		if e.Position >= position {
			return topics
		}
	}
}

// stores sets a secret and answers the commit's position.
func (b *bench) stores(name string) int64 {
	b.t.Helper()
	c := enginetest.By("ana")
	_, err := tool.Do(b.t.Context(), b.Run, b.Secrets.Set, c, secrets.SetSecret{Name: name, Value: "v"})
	b.must(err)
	return c.Landed.Position
}

// eventually waits for a condition.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); {
		if time.Now().After(deadline) {
			t.Fatal("it never came to this: " + what)
		}
		<-time.After(5 * time.Millisecond)
	}
}

// narrow serves the site over one connection without any buffer, so that a
// reader who does not read holds the writer at once.
func (b *bench) narrow(t testing.TB) net.Conn {
	t.Helper()
	here, there := net.Pipe()
	one := make(chan net.Conn, 1)
	one <- there
	server := &http.Server{Handler: b.site, ReadHeaderTimeout: patience}
	served := make(chan error, 1)
	go func() { served <- server.Serve(&single{conns: one, closed: make(chan struct{})}) }()
	t.Cleanup(func() {
		_ = here.Close()
		_ = server.Close()
		<-served
	})
	return here
}

// single is a listener of one connection.
type single struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l *single) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, errors.New("closed")
	}
}

func (l *single) Close() error {
	close(l.closed)
	return nil
}

func (l *single) Addr() net.Addr { return &net.IPAddr{} }
