package client

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"
)

// Annotations are a tool's hints as its server advertised them. Each is yes,
// no, or nil for unknown, and unknown is never no.
type Annotations struct {
	ReadOnly    *bool `json:"readOnlyHint,omitempty"`
	Destructive *bool `json:"destructiveHint,omitempty"`
	Idempotent  *bool `json:"idempotentHint,omitempty"`
	OpenWorld   *bool `json:"openWorldHint,omitempty"`
}

// Tool is one listed tool. The schemas are as the server wrote them, byte for
// byte but for redacted secrets.
type Tool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Annotations  Annotations     `json:"annotations"`
	// Invalid says why the tool cannot be offered; "" when it can.
	Invalid string `json:"invalid,omitempty"`
	// More is a JSON object of all else the server said of it, such as icons and
	// _meta; nil for nothing.
	More json.RawMessage `json:"more,omitempty"`
}

// Capabilities are what a server announced besides tools.
type Capabilities struct {
	Tools, Resources, Prompts, Completions bool
}

// Catalogue is one whole listing.
type Catalogue struct {
	Tools        []Tool // in the server's own order
	Capabilities Capabilities
	// Digest is equal for listings that offer the same, in whatever order.
	Digest   string
	ListedAt time.Time
	Took     time.Duration

	Dropped    int    // past the cap of maxTools, or without a usable name
	Duplicates Left   // names listed again; the first is kept
	Oversize   Left   // tools left out for a schema past maxSchema
	Stuck      bool   // the server would have gone on for ever; the listing ends there
	Loop       string // how, in one sentence, when Stuck
}

// Left is what a listing left out for one reason: how many, and the first of
// their names.
type Left struct {
	Count int
	Names []string
}

func (l *Left) add(name string) {
	l.Count++
	if len(l.Names) < maxNamed {
		l.Names = append(l.Names, name)
	}
}

// Changes compares two listings by tool name, each list sorted.
func (c *Catalogue) Changes(old *Catalogue) (added, removed, changed []string) {
	before := map[string]string{}
	if old != nil {
		for _, t := range old.Tools {
			before[t.Name] = t.digest()
		}
	}
	for _, t := range c.Tools {
		digest, known := before[t.Name]
		delete(before, t.Name)
		switch {
		case !known:
			added = append(added, t.Name)
		case digest != t.digest():
			changed = append(changed, t.Name)
		}
	}
	for name := range before {
		removed = append(removed, name)
	}
	slices.Sort(added)
	slices.Sort(removed)
	slices.Sort(changed)
	return added, removed, changed
}

func (t Tool) digest() string { return digestOf(t) }

// seal computes the digest, once the listing is whole.
func (c *Catalogue) seal() {
	sorted := slices.Clone(c.Tools)
	slices.SortFunc(sorted, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	c.Digest = digestOf(struct {
		Tools        []Tool
		Capabilities Capabilities
	}{sorted, c.Capabilities})
}

// digestOf hashes a value's JSON. Raw schemas are compacted by the encoder,
// so spacing alone is no change.
func digestOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("client: a listed tool is valid JSON: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
