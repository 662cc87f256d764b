package door

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
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

// reader reads a resource as its tool reads it, by the same rights.
func (d *Door) reader(r readable, e entry) server.ResourceTemplateHandlerFunc {
	return func(ctx context.Context, asked mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		v := visitOf(ctx)
		c := v.begin()
		answer, err := d.read(ctx, r, e, c, asked)
		if err != nil {
			return nil, v.refuses(ctx, d.o.Run.FencedRefusal(c, refusal.Of(err)))
		}
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: asked.Params.URI, MIMEType: "application/json", Text: string(answer)}}, nil
	}
}

// read runs the tool that a resource is read through.
func (d *Door) read(ctx context.Context, r readable, e entry, c *tool.Call, asked mcp.ReadResourceRequest) (json.RawMessage, error) {
	named, _ := asked.Params.Arguments[r.argument].([]string)
	if len(named) != 1 {
		return nil, refusal.NotFound.Say("The address is written %s.", r.address)
	}
	args, err := json.Marshal(map[string]string{r.argument: named[0]})
	if err != nil {
		return nil, err
	}
	if !d.o.Offers(r.tool) {
		return nil, nowhere(r.tool)
	}
	answer, err := e.tool.Do(ctx, d.o.Run, c, args)
	if err != nil {
		return nil, err
	}
	return e.tool.Fenced(d.o.Run, c, answer)
}

// errRefused is what the library is told of a refusal: it takes no code and no
// data of ours, so the whole error is swapped on its way out.
var errRefused = errors.New("refused")

// refuses has the protocol's error stand in the answer: the code it has for
// what was wrong, class and sentence as its message, and the envelope of every
// door as its data.
func (v *visit) refuses(ctx context.Context, no *refusal.Refusal) error {
	modern := mcp.IsModernProtocol(server.RequestProtocolVersion(ctx))
	told := mcp.JSONRPCErrorDetails{Code: mcp.INTERNAL_ERROR, Message: no.Error(), Data: no.Envelope()}
	switch {
	case no.Class == refusal.Invalid, no.Class == refusal.NotFound && modern:
		told.Code = mcp.INVALID_PARAMS
	case no.Class == refusal.NotFound:
		told.Code = mcp.RESOURCE_NOT_FOUND
	}
	from, _ := json.Marshal(mcp.JSONRPCErrorDetails{Code: mcp.INTERNAL_ERROR, Message: errRefused.Error()})
	to, err := json.Marshal(told)
	if err != nil {
		return err
	}
	v.swap = swap{from: from, to: to}
	if modern && told.Code == mcp.INVALID_PARAMS {
		v.swap.status = http.StatusBadRequest
	}
	return errRefused
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
