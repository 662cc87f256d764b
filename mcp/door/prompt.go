package door

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// recipe is a prompt: what a person asks their assistant for by its name. It
// is there with the tools it speaks of.
type recipe struct {
	name, title, says string
	about             string // what its one argument, project, means
	tools             []string
	text              string
}

func recipes() []recipe {
	return []recipe{
		{
			name: "triage", title: "Triage new work", says: "Go through the items nobody has sorted yet, and propose what becomes of each.",
			about: "key of one project, such as ENG; every project when left out",
			tools: []string{"list_work_items", "get_work_item", "update_work_item", "comment_on_work_item"},
			text: `Triage the work that nobody has sorted yet{{in}}.

1. list_work_items: the open items in triage, oldest first. Read each with get_work_item.
2. For each, propose in one line: priority, assignee, labels, and whether it repeats another item.
3. Show me the whole list and wait for my word before you change anything.
4. Then change what I agreed to with update_work_item, one item at a time. Where something is missing to decide, ask for it with comment_on_work_item.`,
		},
		{
			name: "standup", title: "Stand-up", says: "What moved since yesterday, what is in progress, what waits for somebody.",
			about: "key of one project, such as ENG; every project when left out",
			tools: []string{"list_work_items", "task_activity", "list_asks"},
			text: `Prepare a stand-up{{in}}. Change nothing.

1. list_work_items: what was changed in the last day, what is in progress, what is blocked. task_activity says what happened to an item.
2. list_asks: what waits for an answer, and whose.
3. Answer in three short lists: moved since yesterday, in progress now, waiting (for whom, since when). Name items by key and title, people by handle.`,
		},
		{
			name: "answer-asks", title: "Answer what waits for you", says: "Go through the questions that wait for your answer, one by one.",
			about: "key of one project, such as ENG; every project when left out",
			tools: []string{"list_asks", "get_work_item", "answer_ask"},
			text: `Help me answer what waits for me{{in}}.

1. list_asks: the open ones that I may answer, oldest first.
2. For each: read its item with get_work_item, tell me in a few lines what is asked and why, the options, and what you would choose.
3. Wait for my answer to each. Send exactly that with answer_ask, and go on to the next.
If an ask was answered meanwhile, say so and go on.`,
		},
	}
}

func (d *Door) offerPrompts(entries map[string]entry) {
	var prompts []server.ServerPrompt
	for _, r := range recipes() {
		if !r.offered(entries) {
			continue
		}
		prompts = append(prompts, server.ServerPrompt{
			Prompt: mcp.NewPrompt(r.name, mcp.WithPromptTitle(r.title), mcp.WithPromptDescription(r.says),
				mcp.WithArgument("project", mcp.ArgumentDescription(r.about))),
			Handler: r.prompt,
		})
	}
	d.mcp.SetPrompts(prompts...)
}

func (r recipe) offered(entries map[string]entry) bool {
	for _, name := range r.tools {
		if e, there := entries[name]; !there || !e.offered {
			return false
		}
	}
	return true
}

func (r recipe) prompt(_ context.Context, asked mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	in := ""
	if project := asked.Params.Arguments["project"]; project != "" {
		in = " in the project " + project
	}
	text := strings.ReplaceAll(r.text, "{{in}}", in)
	return mcp.NewGetPromptResult(r.says, []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))}), nil
}

// listedPrompts leaves those whose every tool the caller may use now.
func (d *Door) listedPrompts(ctx context.Context, _ any, _ *mcp.ListPromptsRequest, result *mcp.ListPromptsResult) {
	by, kept := visitOf(ctx).call.By, []mcp.Prompt{}
	for _, p := range result.Prompts {
		open := true
		for _, r := range recipes() {
			if r.name == p.Name {
				open = d.surface.may(by, r.tools...)
			}
		}
		if open {
			kept = append(kept, p)
		}
	}
	result.Prompts = kept
}
