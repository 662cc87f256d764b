package main

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

const (
	firstLoad = 120_000 // bytes of HTML, CSS and JS, compressed
	laterLoad = 15_000  // bytes once the browser has the rest
)

// Every page of a full company, weighed as a browser receives it.
func TestPageWeight(t *testing.T) {
	s := fullCompany(t)
	stranger, ana := s.visitor(t), s.visitor(t)
	ana.signIn()
	kept := map[string]int{}
	for _, p := range s.walk(t) {
		if p.file != "" {
			continue
		}
		who := ana
		if p.stranger {
			who = stranger
		}
		page := who.page(p.at)
		first := len(page.body)
		for _, path := range parts(t, page) {
			if _, ok := kept[path]; !ok {
				kept[path] = stranger.weigh(path)
			}
			first += kept[path]
		}
		t.Logf("%-45s %6d bytes first, %5d after", p.at, first, len(page.body))
		if first >= firstLoad || len(page.body) >= laterLoad {
			t.Errorf("%s is too heavy: %d bytes at first, %d after", p.at, first, len(page.body))
		}
	}
}

// page asks for a page as a browser does, redirects followed.
func (v *visitor) page(path string) answer {
	v.t.Helper()
	a := v.get(path, "Accept-Encoding", "gzip")
	if a.status == http.StatusSeeOther {
		return v.page(a.header.Get("Location"))
	}
	return a
}

// weigh is the size of a file that may be kept for ever.
func (v *visitor) weigh(path string) int {
	v.t.Helper()
	a := v.get(path, "Accept-Encoding", "gzip")
	if a.status != http.StatusOK || !strings.Contains(a.header.Get("Cache-Control"), "immutable") {
		v.t.Errorf("GET %s: %d, kept %q", path, a.status, a.header.Get("Cache-Control"))
	}
	return len(a.body)
}

// parts are the stylesheets and scripts of a page.
func parts(t *testing.T, page answer) []string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(unzipped(t, page)))
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for n := range doc.Descendants() {
		switch {
		case n.Data == "script" && attribute(n, "src") != "":
			paths = append(paths, attribute(n, "src"))
		case n.Data == "link" && attribute(n, "rel") == "stylesheet":
			paths = append(paths, attribute(n, "href"))
		}
	}
	if len(paths) < 4 {
		t.Errorf("a page has no more than %v", paths)
	}
	return paths
}

func unzipped(t *testing.T, a answer) string {
	t.Helper()
	if a.header.Get("Content-Encoding") != "gzip" {
		return a.body
	}
	z, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
