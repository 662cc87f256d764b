// Package static holds what the browser is served: stylesheets, scripts and
// icons, embedded in the binary and addressed by content hash, so that every
// answer may be cached for ever.
//
// Three files are made at first use: app.css and app.js, each one request made
// of many sources, and icons.svg, one sprite. The package knows nothing of
// HTTP: whoever serves asks Lookup.
package static

import (
	"embed"
	"io/fs"
	"strings"
	"sync"
)

//go:embed css js icons vendor
var sources embed.FS

// Asset is one file as it is served.
type Asset struct {
	Content []byte
	Gzip    []byte // nil where compressing saves nothing
	Type    string // the Content-Type
	ETag    string // quoted, of the content
}

var built = sync.OnceValue(func() *bundle { return build(sources) })

// FS returns the sources as they were embedded, under css, js, icons and vendor.
func FS() fs.FS { return sources }

// Path returns the address of an asset by its plain name, such as "app.css":
// /static/app.<hash>.css. A name nobody declared is a mistake in a view, so it
// panics, where the first test that draws the view sees it; only a vendored
// file that was not filled in yet answers its unhashed address.
func Path(name string) string {
	b := built()
	if path, ok := b.paths[name]; ok {
		return path
	}
	if _, vendored := vendorFiles[name]; vendored {
		return prefix + name
	}
	panic("static: there is no asset named " + name)
}

// Lookup returns what is served at an address that Path gave.
func Lookup(path string) (Asset, bool) {
	a, ok := built().assets[path]
	return a, ok
}

// Missing says what is not there and which command fills it, or "" when all is.
// Everything but the live parts of pages works without.
func Missing() string { return sayMissing(built().missing) }

func sayMissing(files []string) string {
	if len(files) == 0 {
		return ""
	}
	return "static/vendor lacks " + strings.Join(files, ", ") +
		": run `make vendor` (npm ci && npm run vendor), then build again"
}
