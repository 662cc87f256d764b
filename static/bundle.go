package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"
)

const prefix = "/static/"

// stylesheets is the order of app.css: tokens first, since all others use them,
// print last, since it overrides.
var stylesheets = []string{
	"tokens", "reset", "shell", "nav", "head", "button", "form", "choice", "table", "badge",
	"notice", "code", "diff", "confirm", "drawer", "live", "dialog", "servers", "work", "history", "lines", "alone", "print",
}

// scripts is the order of app.js. They share one scope and nothing outside it;
// say comes first, since others speak as they start.
var scripts = []string{"say", "forms", "drafts", "live", "regions", "palette", "complete", "secret", "offer", "work", "keys", "copy", "lines"}

// vendorFiles maps the name an asset is served by to its place in vendor.
var vendorFiles = map[string]string{"htmx.js": "htmx.min.js"}

var types = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

type bundle struct {
	paths   map[string]string // plain name -> address
	assets  map[string]Asset  // address -> asset
	missing []string
}

// build assembles every asset. It reads only embedded files, which cannot fail
// in a binary that compiled, so what is absent panics here rather than on a page.
func build(from fs.FS) *bundle {
	b := &bundle{paths: map[string]string{}, assets: map[string]Asset{}}
	b.add("app.css", concat(from, "css", ".css", stylesheets))
	b.add("app.js", enclosed(concat(from, "js", ".js", scripts)))
	b.add("theme.js", read(from, "js/theme.js"))
	b.add("icons.svg", sprite(from))
	b.add("favicon.svg", read(from, "icons/favicon.svg"))
	for name, file := range vendorFiles {
		content, err := fs.ReadFile(from, "vendor/"+file)
		if err != nil {
			b.missing = append(b.missing, file)
			continue
		}
		b.add(name, content)
	}
	sort.Strings(b.missing)
	return b
}

func (b *bundle) add(name string, content []byte) {
	sum := sha256.Sum256(content)
	hash := hex.EncodeToString(sum[:6])
	ext := path.Ext(name)
	address := prefix + strings.TrimSuffix(name, ext) + "." + hash + ext
	b.paths[name] = address
	b.assets[address] = Asset{
		Content: content,
		Gzip:    compress(content),
		Type:    types[ext],
		ETag:    `"` + hash + `"`,
	}
}

func read(from fs.FS, name string) []byte {
	content, err := fs.ReadFile(from, name)
	if err != nil {
		panic(fmt.Sprintf("static: %v", err))
	}
	return content
}

func concat(from fs.FS, dir, ext string, names []string) []byte {
	var out bytes.Buffer
	for _, name := range names {
		out.Write(read(from, dir+"/"+name+ext))
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// enclosed puts all scripts into one function, so that none leaves a global.
func enclosed(scripts []byte) []byte {
	return fmt.Appendf(nil, "(() => {\n\"use strict\";\n%s})();\n", scripts)
}

// sprite turns icons/*.svg into the symbols of one file, each named as its file
// is, to be drawn by <use href="…icons.svg#name">.
func sprite(from fs.FS) []byte {
	names, err := fs.Glob(from, "icons/*.svg")
	if err != nil {
		panic(fmt.Sprintf("static: %v", err))
	}
	var out strings.Builder
	out.WriteString(`<svg xmlns="http://www.w3.org/2000/svg">`)
	for _, file := range names {
		name := strings.TrimSuffix(path.Base(file), ".svg")
		if name == "favicon" {
			continue
		}
		icon := string(read(from, file))
		start, end := strings.Index(icon, ">"), strings.LastIndex(icon, "</svg>")
		if start < 0 || end < start {
			panic("static: " + file + " is not one <svg> element")
		}
		fmt.Fprintf(&out, `<symbol id="%s" viewBox="0 0 20 20">%s</symbol>`, name, icon[start+1:end])
	}
	out.WriteString(`</svg>`)
	return []byte(out.String())
}

// compress answers nil when the result would not be smaller.
func compress(content []byte) []byte {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil
	}
	if _, err := z.Write(content); err != nil {
		return nil
	}
	if err := z.Close(); err != nil || out.Len() >= len(content) {
		return nil
	}
	return out.Bytes()
}
