// Package assets serves the embedded stylesheets, scripts and icons. Their
// addresses hold their content's hash, so they are cached for ever.
package assets

import (
	"net/http"
	"strings"

	"crewlet/engine/refusal"
	"crewlet/handlers/web"
	"crewlet/static"
)

// Serve answers one file.
func Serve(w http.ResponseWriter, r *http.Request) error {
	asset, ok := static.Lookup(r.URL.Path)
	if !ok {
		return refusal.NotFound.Say("No file has this address.")
	}
	h := w.Header()
	h.Set("Content-Type", asset.Type)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("ETag", asset.ETag)
	h.Set("Vary", "Accept-Encoding")
	if held(r.Header.Get("If-None-Match"), asset.ETag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	body := asset.Content
	if asset.Gzip != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = asset.Gzip
	}
	return web.Bytes(w, body)
}

// held reports whether a list of tags, weak or not, has this one.
func held(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}
