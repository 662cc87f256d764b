package servers

import (
	"testing"

	"crewlet/config/document"
	"crewlet/mcp/client"
)

func TestHint(t *testing.T) {
	t.Parallel()
	yes, no := new(true), new(false)
	for name, c := range map[string]struct {
		hints client.Annotations
		want  string
	}{
		"nothing known":           {client.Annotations{}, "unknown"},
		"only idempotent known":   {client.Annotations{Idempotent: yes}, "unknown"},
		"only not destructive":    {client.Annotations{Destructive: no}, "unknown"},
		"read-only":               {client.Annotations{ReadOnly: yes}, "read-only"},
		"writes":                  {client.Annotations{ReadOnly: no, Destructive: no}, "writes"},
		"writes, rest unknown":    {client.Annotations{ReadOnly: no}, "writes"},
		"destructive":             {client.Annotations{ReadOnly: no, Destructive: yes}, "destructive"},
		"contradicts itself":      {client.Annotations{ReadOnly: yes, Destructive: yes}, "destructive"},
		"only destructive":        {client.Annotations{Destructive: yes}, "destructive"},
		"reaches outside at most": {client.Annotations{OpenWorld: yes}, "unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := (&Tool{Annotations: c.hints}).Hint(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestFits(t *testing.T) {
	t.Parallel()
	row := &Tool{Name: "gh_create_issue", Own: "create-issue", Title: "File an issue", Description: "On GitHub.", Source: "mcp:github", Delivers: "github", Annotations: client.Annotations{ReadOnly: new(false)}}
	for name, c := range map[string]struct {
		in   ToolsOverview
		want bool
	}{
		"no filter":             {ToolsOverview{}, true},
		"text in the name":      {ToolsOverview{Text: "CREATE_"}, true},
		"text in its own name":  {ToolsOverview{Text: "create-"}, true},
		"text in the title":     {ToolsOverview{Text: " an issue "}, true},
		"text elsewhere":        {ToolsOverview{Text: "gitlab"}, false},
		"its source":            {ToolsOverview{Source: "mcp:github"}, true},
		"another source":        {ToolsOverview{Source: "builtin"}, false},
		"its hint":              {ToolsOverview{Hint: "writes"}, true},
		"another hint":          {ToolsOverview{Hint: "read-only"}, false},
		"where it delivers":     {ToolsOverview{Delivers: "github"}, true},
		"delivers elsewhere":    {ToolsOverview{Delivers: "mail"}, false},
		"right text, else hint": {ToolsOverview{Text: "issue", Hint: "unknown"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.in.fits(row); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestIncluded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lists document.ServerTools
		want  bool
	}{
		"no lists":            {document.ServerTools{}, true},
		"included by name":    {document.ServerTools{Include: []string{"read_file"}}, true},
		"included by pattern": {document.ServerTools{Include: []string{"read_*"}}, true},
		"not included":        {document.ServerTools{Include: []string{"write_*"}}, false},
		"excluded":            {document.ServerTools{Exclude: []string{"*_file"}}, false},
		"another is excluded": {document.ServerTools{Exclude: []string{"write_*"}}, true},
		"include wins":        {document.ServerTools{Include: []string{"read_file"}, Exclude: []string{"read_*"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := included(c.lists, "read_file"); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	yes, no := new(true), new(false)
	for name, c := range map[string]struct {
		hints client.Annotations
		want  bool
	}{
		"nothing known":                {client.Annotations{}, false},
		"writes, nothing more known":   {client.Annotations{ReadOnly: no}, false},
		"writes, and destroys":         {client.Annotations{ReadOnly: no, Destructive: yes}, false},
		"writes, and does not destroy": {client.Annotations{ReadOnly: no, Destructive: no}, true},
		"does not destroy":             {client.Annotations{Destructive: no}, true},
		"reads only":                   {client.Annotations{ReadOnly: yes}, true},
		"says that it reads and ruins": {client.Annotations{ReadOnly: yes, Destructive: yes}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := (&Tool{Annotations: c.hints}).Harmless(); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
