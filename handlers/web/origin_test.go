package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

func TestAddressesToCopyAreThosePeopleReach(t *testing.T) {
	for name, c := range map[string]struct{ base, host, want string }{
		"behind a proxy that renames":   {"https://crew.example", "127.0.0.1:8080", "https://crew.example"},
		"the base's last slash":         {"https://crew.example/", "crew.example", "https://crew.example"},
		"a name in front of a loopback": {"http://127.0.0.1:8080", "laptop:9000", "http://laptop:9000"},
		"TLS on every address":          {"https://localhost:8443", "crew.example:8443", "https://crew.example:8443"},
		"loopback, as it is":            {"http://[::1]:8080", "[::1]:8080", "http://[::1]:8080"},
	} {
		t.Run(name, func(t *testing.T) {
			base, err := url.Parse(c.base)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			d := &Door{Base: base, Secure: base.Scheme == "https"}
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Host = c.host
			d.Anyone(func(_ http.ResponseWriter, r *http.Request) error {
				got = Origin(r)
				return nil
			}).ServeHTTP(httptest.NewRecorder(), r)
			if got != c.want {
				t.Errorf("it is %s, want %s", got, c.want)
			}
		})
	}
}
