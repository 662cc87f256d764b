package static

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestPathIsNamedByContent(t *testing.T) {
	t.Parallel()
	shape := regexp.MustCompile(`^/static/[a-z]+\.[0-9a-f]{12}\.(css|js|svg)$`)
	for _, name := range []string{"app.css", "app.js", "theme.js", "icons.svg", "favicon.svg"} {
		path := Path(name)
		if !shape.MatchString(path) {
			t.Errorf("Path(%q) = %q, want name.hash.ext", name, path)
		}
		asset, ok := Lookup(path)
		if !ok {
			t.Fatalf("nothing is served at %s", path)
		}
		if len(asset.Content) == 0 || asset.Type == "" || asset.ETag == "" {
			t.Errorf("%s is served without content, type or tag", path)
		}
		z, err := gzip.NewReader(bytes.NewReader(asset.Gzip))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if plain, err := io.ReadAll(z); err != nil || !bytes.Equal(plain, asset.Content) {
			t.Errorf("%s unpacks to something else (%v)", path, err)
		}
	}
}

func TestPathChangesWithContent(t *testing.T) {
	t.Parallel()
	before := sourcesWith(t, "css/print.css", "")
	after := sourcesWith(t, "css/print.css", "a{}")
	if build(before).paths["app.css"] == build(after).paths["app.css"] {
		t.Error("another stylesheet is served at the same address")
	}
}

func TestLookupRefuses(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"a plain name":  "/static/app.css",
		"an old hash":   "/static/app.000000000000.css",
		"a source":      "/static/css/tokens.css",
		"a way upwards": "/static/../static.go",
		"nothing":       "",
	} {
		if _, ok := Lookup(path); ok {
			t.Errorf("%s, %q, is served", name, path)
		}
	}
}

func TestMissingNamesTheCommand(t *testing.T) {
	t.Parallel()
	from := sourcesWith(t, "vendor/htmx.min.js", "")
	delete(from, "vendor/htmx.min.js")
	b := build(from)
	if len(b.missing) != 1 || b.missing[0] != "htmx.min.js" {
		t.Errorf("missing is %v, want htmx.min.js", b.missing)
	}
	if says := sayMissing(b.missing); !strings.Contains(says, "make vendor") || !strings.Contains(says, "htmx.min.js") {
		t.Errorf("%q names neither the file nor the command", says)
	}
	if says := sayMissing(nil); says != "" {
		t.Errorf("with nothing missing it says %q", says)
	}
}

func TestPathPanicsOnUnknownName(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("an unknown name has an address")
		}
	}()
	Path("app.scss")
}

// A source that no list names is served to nobody.
func TestEverySourceIsBundled(t *testing.T) {
	t.Parallel()
	for dir, names := range map[string][]string{"css": stylesheets, "js": append([]string{"theme"}, scripts...)} {
		entries, err := fs.ReadDir(FS(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) != len(names) {
			t.Errorf("%s holds %d files, and %d are bundled", dir, len(entries), len(names))
		}
	}
}

func TestEveryIconIsInTheSprite(t *testing.T) {
	t.Parallel()
	icons, err := fs.Glob(FS(), "icons/*.svg")
	if err != nil {
		t.Fatal(err)
	}
	asset, _ := Lookup(Path("icons.svg"))
	if got, want := bytes.Count(asset.Content, []byte("<symbol ")), len(icons)-1; got != want {
		t.Errorf("the sprite has %d icons of %d", got, want)
	}
}

// The first load of a page, as it travels: the page itself may add some 12 KB.
func TestFirstLoadIsLight(t *testing.T) {
	t.Parallel()
	total := 0
	for _, name := range []string{"app.css", "app.js", "theme.js", "htmx.js", "icons.svg"} {
		asset, ok := Lookup(Path(name))
		if !ok {
			t.Fatalf("%s: %s", name, Missing())
		}
		total += len(asset.Gzip)
	}
	if total > 60_000 {
		t.Errorf("styles, scripts and icons are %d bytes compressed, want at most 60,000", total)
	}
	t.Logf("%d bytes", total)
}

// sourcesWith copies the sources into memory with one file replaced.
func sourcesWith(t *testing.T, name, content string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	err := fs.WalkDir(FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(FS(), path)
		out[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	out[name] = &fstest.MapFile{Data: []byte(content)}
	return out
}
