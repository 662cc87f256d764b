package door

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// readable is a resource read through a tool: one argument of the tool is the
// part of the address that names it.
type readable struct {
	address, name, title, says string
	tool, argument             string
}

// readables are the resources there may be; each is there with its tool.
func readables() []readable {
	return []readable{
		{
			"crewlet://work/{key}", "work-item", "Work item", "An item of the tracker by its key, such as ENG-412: what it says, where it stands, its newest comments.",
			"get_work_item", "key",
		},
	}
}

func (d *Door) offerResources(entries map[string]entry) {
	var templates []server.ServerResourceTemplate
	for _, r := range readables() {
		if e, there := entries[r.tool]; there && e.offered {
			templates = append(templates, server.ServerResourceTemplate{
				Template: mcp.NewResourceTemplate(r.address, r.name, mcp.WithTemplateTitle(r.title),
					mcp.WithTemplateDescription(r.says), mcp.WithTemplateMIMEType("application/json")),
				Handler: d.reader(r, e),
			})
		}
	}
	d.mcp.SetResourceTemplates(templates...)
}

// reader reads a resource as its tool reads it, by the same rights. A refusal
// becomes the protocol's error, of which callers see class and sentence.
func (d *Door) reader(r readable, e entry) server.ResourceTemplateHandlerFunc {
	return func(ctx context.Context, asked mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		named, _ := asked.Params.Arguments[r.argument].([]string)
		if len(named) != 1 {
			return nil, fmt.Errorf("not_found: the address is written %s", r.address)
		}
		args, err := json.Marshal(map[string]string{r.argument: named[0]})
		if err != nil {
			return nil, err
		}
		if !d.o.Offers(r.tool) {
			return nil, fmt.Errorf("not_found: %s", nowhere(r.tool).Says)
		}
		c := visitOf(ctx).begin()
		answer, err := e.tool.Do(ctx, d.o.Run, c, args)
		if err == nil {
			answer, err = e.tool.Fenced(d.o.Run, c, answer)
		}
		if err != nil {
			return nil, err
		}
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: asked.Params.URI, MIMEType: "application/json", Text: string(answer)}}, nil
	}
}

// listedTemplates leaves what the caller may read now.
func (d *Door) listedTemplates(ctx context.Context, _ any, _ *mcp.ListResourceTemplatesRequest, result *mcp.ListResourceTemplatesResult) {
	by, kept := visitOf(ctx).call.By, []mcp.ResourceTemplate{}
	for _, t := range result.ResourceTemplates {
		open := true
		for _, r := range readables() {
			if r.name == t.Name {
				open = d.surface.may(by, r.tool)
			}
		}
		if open {
			kept = append(kept, t)
		}
	}
	result.ResourceTemplates = kept
}
