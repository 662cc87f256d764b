package client

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

// Whoever runs a server sees who asks it, unless the declaration says otherwise.
func TestRequestsSayWhoAsks(t *testing.T) {
	t.Parallel()
	heard := ""
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { heard = r.UserAgent() }))
	defer s.Close()
	to, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	for want, headers := range map[string]map[string]string{"crewlet/1.2": nil, "kites": {"user-agent": "kites"}} {
		c, err := newCarrier(Spec{Headers: headers, AllowLoopback: true}, to, "1.2")
		if err != nil {
			t.Fatal(err)
		}
		answer, err := c.Get(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		c.CloseIdleConnections()
		if heard != want {
			t.Errorf("it heard %q, want %q", heard, want)
		}
	}
}
