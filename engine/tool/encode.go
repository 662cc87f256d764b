package tool

import (
	"bytes"
	"encoding/json"
)

// MaxAnswer is how long an answer of a read is at most, in bytes, where a model
// reads it.
const MaxAnswer = 64 << 10

// Encode writes an answer as JSON. Nothing of it is put into a page as it is,
// so < and & stay what they are: a model reads the text as it was written.
func Encode(out any) (json.RawMessage, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}
