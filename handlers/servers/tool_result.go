package servers

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime"
	"slices"
	"strconv"
	"strings"

	"crewlet/engine/servers"

	view "crewlet/views/servers"
)

// drawn are the kinds of image a page draws; others are offered as a download.
func drawn(kind string) bool {
	return slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml"}, kind)
}

// result is what a tool answered, block by block.
func result(out servers.Called) *view.Result {
	res := &view.Result{Server: out.Server, Failed: out.IsError, Took: took(out.TookMS), Asked: out.ServerAsked, Structured: laidOut(out.Structured)}
	if len(out.Content) == 1 && repeats(out.Content[0], out.Structured) {
		return res
	}
	for i, b := range out.Content {
		res.Blocks = append(res.Blocks, block(i+1, b))
	}
	return res
}

// repeats reports whether a block says what the structured content does: many
// servers write it out once more, for who reads text alone.
func repeats(b servers.Block, structured json.RawMessage) bool {
	var said, meant bytes.Buffer
	return b.Type == "text" && len(structured) > 0 && json.Compact(&said, []byte(b.Text)) == nil &&
		json.Compact(&meant, structured) == nil && bytes.Equal(said.Bytes(), meant.Bytes())
}

// block draws text as text, a known image as an image, and other bytes as a
// download of no type a browser would open.
func block(n int, b servers.Block) view.Block {
	out := view.Block{Label: "Block " + strconv.Itoa(n) + ", " + strings.ReplaceAll(b.Type, "_", " "), Text: seen(b.Text), URI: seen(b.URI), Kind: seen(b.MIME)}
	if name := cmp.Or(b.Title, b.Name); name != "" {
		out.Label += ", " + seen(name)
	}
	if b.Data == "" {
		return out
	}
	data, err := base64.StdEncoding.DecodeString(b.Data)
	if err != nil {
		out.Text = "It holds data that is not base64."
		return out
	}
	out.Size = size(int64(len(data)))
	clean := base64.StdEncoding.EncodeToString(data)
	if b.Type == "image" && drawn(b.MIME) {
		out.Image = "data:" + b.MIME + ";base64," + clean
		return out
	}
	out.Download, out.File = "data:application/octet-stream;base64,"+clean, seen(file(n, b))
	return out
}

// file names a download after its address or its kind.
func file(n int, b servers.Block) string {
	name := b.URI[strings.LastIndexAny(b.URI, `/\`)+1:]
	if name == "" {
		name = b.Type + "-" + strconv.Itoa(n)
	}
	if !strings.Contains(name, ".") {
		if ends, err := mime.ExtensionsByType(b.MIME); err == nil && len(ends) > 0 {
			name += ends[0]
		}
	}
	return name
}

// size is a number of bytes as people read it.
func size(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	case n == 1:
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}
