package client

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// bytesAsText finds a text among the contents of a result that is really
// bytes: an image read as UTF-8, a file in another encoding. size is how many.
func bytesAsText(raw []byte) (size int, found bool) {
	if nextControl(raw, 0) < 0 && utf8.Valid(raw) && !bytes.Contains(raw, []byte("\uFFFD")) &&
		!bytes.Contains(raw, []byte(`\ufffd`)) && !bytes.Contains(raw, []byte(`\uFFFD`)) {
		return 0, false // most are settled without being read apart
	}
	type words struct {
		Text     string `json:"text"`
		Resource struct {
			Text string `json:"text"`
		} `json:"resource"`
	}
	var result struct {
		Content  []words `json:"content"`
		Contents []words `json:"contents"` // of a resource that was read
	}
	if json.Unmarshal(raw, &result) != nil {
		return 0, false
	}
	for _, w := range append(result.Content, result.Contents...) {
		for _, text := range []string{w.Text, w.Resource.Text} {
			if isBytes(text) {
				return len(text), true
			}
		}
	}
	return 0, false
}

// isBytes tells a text of which so much is no text that the rest is chance.
// A stray control character, or the escapes of a terminal, are taken out.
func isBytes(text string) bool {
	const least, share = 4, 10 // at least so many, and one in so many
	all, odd := 0, 0
	for _, c := range text {
		all++
		switch {
		case c == utf8.RuneError, c < 0x20 && c != '\t' && c != '\n' && c != '\f' && c != '\r' && c != '\b' && c != 0x1b, c == 0x7f:
			odd++
		}
	}
	return odd >= least && odd*share >= all
}
