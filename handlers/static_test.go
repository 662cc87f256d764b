package handlers

import (
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"crewlet/static"
)

func TestStaticFilesAreCachedForEver(t *testing.T) {
	t.Parallel()
	b := open(t)
	for _, name := range []string{"app.css", "app.js", "icons.svg"} {
		t.Run(name, func(t *testing.T) {
			path := static.Path(name)
			asset, _ := static.Lookup(path)
			plain := b.ask(t, "GET", path, nil, "Accept-Encoding", "identity")
			if plain.status != 200 || plain.text != string(asset.Content) || plain.header.Get("Content-Type") != asset.Type {
				t.Fatalf("answered %d, %d bytes of %s", plain.status, len(plain.text), plain.header.Get("Content-Type"))
			}
			if plain.header.Get("Cache-Control") != "public, max-age=31536000, immutable" || !strings.Contains(plain.header.Get("Vary"), "Accept-Encoding") {
				t.Errorf("cached as %v", plain.header)
			}
			if plain.header.Get("Set-Cookie") != "" {
				t.Error("a file that everybody shares sets a cookie")
			}
			packed := b.ask(t, "GET", path, nil, "Accept-Encoding", "br, gzip")
			z, err := gzip.NewReader(strings.NewReader(packed.text))
			if err != nil || packed.header.Get("Content-Encoding") != "gzip" || packed.header.Get("ETag") != plain.header.Get("ETag") {
				t.Fatalf("packed: %v, %v", err, packed.header)
			}
			if unpacked, err := io.ReadAll(z); err != nil || string(unpacked) != plain.text {
				t.Errorf("unpacked it is another: %v", err)
			}
			again := b.ask(t, "GET", path, nil, "If-None-Match", plain.header.Get("ETag"))
			if again.status != 304 || again.text != "" || again.header.Get("ETag") != plain.header.Get("ETag") || again.header.Get("Cache-Control") == "" {
				t.Errorf("asked again: %d with %d bytes, %v", again.status, len(again.text), again.header)
			}
			if weak := b.ask(t, "GET", path, nil, "If-None-Match", `"other", W/`+plain.header.Get("ETag")); weak.status != 304 {
				t.Errorf("asked with a list: %d", weak.status)
			}
			if changed := b.ask(t, "GET", path, nil, "If-None-Match", `"other"`); changed.status != 200 {
				t.Errorf("asked with another tag: %d", changed.status)
			}
		})
	}
}

func TestStaticFilesThatAreNot(t *testing.T) {
	t.Parallel()
	b := open(t)
	real := static.Path("app.css")
	for name, path := range map[string]string{
		"no hash":         "/static/app.css",
		"an unknown hash": "/static/app.0000000000000000.css",
		"the folder":      "/static/",
		"a folder in it":  "/static/css/",
		"a source":        "/static/css/tokens.css",
		"more behind it":  real + "/x",
		"out of it":       "/static/..%2f..%2fgo.mod",
		"other case":      strings.ToUpper(real),
	} {
		t.Run(name, func(t *testing.T) {
			got := b.ask(t, "GET", path, nil)
			if got.status != 404 || strings.Contains(got.header.Get("Cache-Control"), "immutable") {
				t.Errorf("answered %d, %q", got.status, got.header.Get("Cache-Control"))
			}
		})
	}
}

// Every answer has them: pages, files, refusals, redirects and streams.
func TestEveryAnswerHasItsSecurityHeaders(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.administrator()
	token := b.mint(true, "all").Value
	want := map[string]string{
		"Content-Security-Policy":    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
		"X-Content-Type-Options":     "nosniff",
		"X-Frame-Options":            "DENY",
		"Referrer-Policy":            "same-origin",
		"Cross-Origin-Opener-Policy": "same-origin",
	}
	for name, c := range map[string]bad{
		"a page":           {"GET", "/sign-in", nil, nil, 200, ""},
		"a file":           {"GET", static.Path("app.css"), nil, nil, 200, ""},
		"no file":          {"GET", "/static/none", nil, nil, 404, ""},
		"a redirect":       {"GET", "/settings/secrets", nil, nil, 303, ""},
		"nothing there":    {"GET", "/nothing", nil, nil, 404, ""},
		"a crooked path":   {"GET", "/static/../config", nil, nil, 404, ""},
		"a wrong method":   {"DELETE", "/config", nil, as(token), 405, ""},
		"another site":     {"POST", "/sign-in", nil, []string{"Origin", "https://evil.example"}, 403, ""},
		"the API":          {"GET", "/viewer", nil, as(token), 200, ""},
		"a refusal":        {"GET", "/viewer", nil, nil, 401, ""},
		"the figures":      {"GET", "/metrics", nil, as(token), 200, ""},
		"the health":       {"GET", "/health", nil, nil, 200, ""},
		"the readiness":    {"GET", "/ready", nil, nil, 200, ""},
		"a body too large": {"PUT", "/secrets/A", text(strings.Repeat("x", 3<<20)), as(token), 413, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := b.ask(t, c.method, c.path, c.body, append([]string{"X-Request-Id", "mine"}, c.headers...)...)
			if got.status != c.status {
				t.Errorf("answered %d, want %d", got.status, c.status)
			}
			for header, value := range want {
				if got.header.Get(header) != value {
					t.Errorf("%s is %q", header, got.header.Get(header))
				}
			}
			if id := got.header.Get("X-Request-Id"); len(id) != 36 {
				t.Errorf("the request's id is %q", id)
			}
		})
	}
	stream := b.follows(t, "topics=none", as(token)...)
	if stream.header.Get("Content-Security-Policy") == "" || stream.header.Get("Content-Type") != "text/event-stream" || stream.header.Get("Cache-Control") != "no-store" {
		t.Errorf("a stream's headers are %v", stream.header)
	}
}
