package servers

import (
	"encoding/json"
	"time"

	"crewlet/mcp/client"
)

// calledOf makes an answer of a result. Blocks of kinds nobody knows keep
// their kind and are given as their JSON.
func calledOf(of offer, r *client.Result) Called {
	out := Called{
		Tool: of.registered, Server: of.entry.Name, IsError: r.IsError, Structured: r.Structured,
		Content: blocksOf(r.Content), TookMS: r.Took.Milliseconds(),
	}
	if len(out.Content) == 0 && len(out.Structured) > 0 {
		out.Content = []Block{{Type: "text", Text: string(out.Structured)}}
	}
	return out
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
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     string `json:"data"`
	MIME     string `json:"mimeType"`
	URI      string `json:"uri"`
	Name     string `json:"name"`
	Resource *struct {
		URI  string `json:"uri"`
		MIME string `json:"mimeType"`
		Text string `json:"text"`
		Blob string `json:"blob"`
	} `json:"resource"`
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

func blockOf(text json.RawMessage) Block {
	var w wireBlock
	if json.Unmarshal(text, &w) != nil {
		return Block{Type: "unknown", Text: string(text)}
	}
	switch {
	case w.Type == "text":
		return Block{Type: w.Type, Text: w.Text}
	case w.Type == "image", w.Type == "audio":
		return Block{Type: w.Type, Data: w.Data, MIME: w.MIME}
	case w.Type == "resource_link":
		return Block{Type: w.Type, URI: w.URI, Name: w.Name, MIME: w.MIME}
	case w.Type == "resource" && w.Resource != nil:
		return Block{Type: w.Type, URI: w.Resource.URI, MIME: w.Resource.MIME, Text: w.Resource.Text, Data: w.Resource.Blob}
	case w.Type == "":
		w.Type = "unknown"
	}
	return Block{Type: w.Type, Text: string(text)}
}
