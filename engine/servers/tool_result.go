package servers

import (
	"encoding/json"
	"strings"
	"time"

	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

// calledOf makes an answer of a result. Blocks of kinds nobody knows keep
// their kind and are given as their JSON.
func calledOf(of offer, r *client.Result) Called {
	out := Called{
		Tool: of.registered, Server: of.entry.Name, IsError: r.IsError, Structured: r.Structured,
		Content: blocksOf(r.Content), TookMS: r.Took.Milliseconds(), ServerAsked: r.AskedForInput,
	}
	if of.utility {
		out.Structured, out.Content = r.Raw, utilityBlocks(r.Raw)
	}
	if len(out.Content) == 0 && len(out.Structured) > 0 {
		out.Content = []Block{{Type: "text", Text: string(out.Structured)}}
	}
	return out
}

// Failure is the server's own failure, in its words.
func (c Called) Failure() tool.Failure {
	if !c.IsError {
		return tool.Failure{}
	}
	var said []string
	for _, b := range c.Content {
		if b.Text != "" {
			said = append(said, b.Text)
		}
	}
	return tool.Failure{Source: "mcp:" + c.Server, Said: strings.Join(said, "\n")}
}

// saidOf is an answer that is the server's own failure, in its words.
func saidOf(of offer, says string, took time.Duration) Called {
	return Called{
		Tool: of.registered, Server: of.entry.Name, IsError: true, TookMS: took.Milliseconds(),
		Content: []Block{{Type: "text", Text: says}},
	}
}

// wireBlock is a content block as the protocol has it.
type wireBlock struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Data     string          `json:"data"`
	MIME     string          `json:"mimeType"`
	URI      string          `json:"uri"`
	Name     string          `json:"name"`
	Title    string          `json:"title"`
	Resource json.RawMessage `json:"resource"`
}

// wireResource is a resource with what is in it.
type wireResource struct {
	URI  string `json:"uri"`
	MIME string `json:"mimeType"`
	Text string `json:"text"`
	Blob string `json:"blob"`
}

func blocksOf(content json.RawMessage) []Block {
	var raw []json.RawMessage
	if len(content) > 0 && json.Unmarshal(content, &raw) != nil {
		return []Block{{Type: "text", Text: string(content)}}
	}
	list := make([]Block, 0, len(raw))
	for _, text := range raw {
		list = append(list, blockOf(text))
	}
	return list
}

// blockOf reads one block. What it holds beyond what we read of its kind goes
// on as it came.
func blockOf(text json.RawMessage) Block {
	var w wireBlock
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &w) != nil || json.Unmarshal(text, &fields) != nil {
		return Block{Type: "unknown", Text: string(text)}
	}
	switch {
	case w.Type == "text":
		return Block{Type: w.Type, Text: w.Text, More: client.Rest(fields, "type", "text")}
	case w.Type == "image", w.Type == "audio":
		return Block{Type: w.Type, Data: w.Data, MIME: w.MIME, More: client.Rest(fields, "type", "data", "mimeType")}
	case w.Type == "resource_link":
		return Block{
			Type: w.Type, URI: w.URI, Name: w.Name, Title: w.Title, MIME: w.MIME,
			More: client.Rest(fields, "type", "uri", "name", "title", "mimeType"),
		}
	case w.Type == "resource":
		if b, ok := resourceOf(w.Resource); ok {
			delete(fields, "resource")
			if b.More != nil {
				fields["resource"] = b.More
			}
			b.More = client.Rest(fields, "type")
			return b
		}
	case w.Type == "":
		w.Type = "unknown"
	}
	return Block{Type: w.Type, Text: string(text)}
}

// resourceOf reads a resource that is given whole.
func resourceOf(text json.RawMessage) (b Block, ok bool) {
	var r *wireResource
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &r) != nil || r == nil || json.Unmarshal(text, &fields) != nil {
		return Block{}, false
	}
	return Block{
		Type: "resource", URI: r.URI, MIME: r.MIME, Text: r.Text, Data: r.Blob,
		More: client.Rest(fields, "uri", "mimeType", "text", "blob"),
	}, true
}
