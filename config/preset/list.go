package preset

import (
	"time"

	"crewlet/config/document"
)

const node = "npx, which comes with Node.js"

// List is every preset, in the order they are offered. The caller owns what
// it is handed.
func List() []Preset {
	return []Preset{
		filesystem(), memory(), everything(), github(), gitlab(), atlassian(), slack(), tavily(), codex(),
	}
}

// npx declares a package of npm, with arguments of its own.
func npx(name, pack string, args ...string) Preset {
	s := document.NewServer()
	s.Name, s.Command, s.Args = name, "npx", append([]string{"-y", pack}, args...)
	return Preset{Name: name, Needs: node, Server: s, Launch: 2}
}

// https://www.npmjs.com/package/@modelcontextprotocol/server-filesystem
func filesystem() Preset {
	p := npx("filesystem", "@modelcontextprotocol/server-filesystem", "/srv/files")
	p.Title = "Files"
	p.Brief = "Reads and writes files in the directories named as its arguments. /srv/files is an example: name directories that exist on the node."
	return p
}

// https://www.npmjs.com/package/@modelcontextprotocol/server-memory
func memory() Preset {
	p := npx("memory", "@modelcontextprotocol/server-memory")
	p.Title = "Memory"
	p.Brief = "A knowledge graph of entities, relations and observations. Set MEMORY_FILE_PATH to the file it is kept in; without it the file lies among npx's own and goes when those are cleaned."
	return p
}

// https://www.npmjs.com/package/@modelcontextprotocol/server-everything
func everything() Preset {
	p := npx("everything", "@modelcontextprotocol/server-everything")
	p.Title = "Everything"
	p.Brief = "Shows all that MCP can do, for trying things out. It reaches nothing outside."
	return p
}

// https://github.com/github/github-mcp-server/blob/main/docs/remote-server.md
func github() Preset {
	s := document.NewServer()
	s.Name, s.URL, s.Shared = "github", "https://api.githubcopilot.com/mcp/", false
	return Preset{
		Name: "github", Title: "GitHub",
		Brief:  "Repositories, issues, pull requests and actions, through the server GitHub hosts. Each seat acts with a personal access token of its own.",
		Server: s,
		Seat:   map[string]string{"Authorization": "Bearer ${GITHUB_TOKEN_{SEAT}}"},
	}
}

// https://www.npmjs.com/package/@zereight/mcp-gitlab
func gitlab() Preset {
	p := npx("gitlab", "@zereight/mcp-gitlab")
	p.Title = "GitLab"
	p.Brief = "Projects, merge requests, issues and pipelines, with one personal access token for the company. For a GitLab of your own, set GITLAB_API_URL to its /api/v4."
	p.Server.Env = map[string]string{
		"GITLAB_API_URL":               "https://gitlab.com/api/v4",
		"GITLAB_PERSONAL_ACCESS_TOKEN": "${GITLAB_TOKEN}",
	}
	p.Secrets = []string{"GITLAB_TOKEN"}
	return p
}

// https://github.com/sooperset/mcp-atlassian: on Atlassian Cloud a token is
// worth nothing without the account it was made by.
func atlassian() Preset {
	s := document.NewServer()
	s.Name, s.Command, s.Args, s.Shared = "atlassian", "uvx", []string{"mcp-atlassian"}, false
	s.Env = map[string]string{
		"JIRA_URL":       "https://${ATLASSIAN_SITE}.atlassian.net",
		"CONFLUENCE_URL": "https://${ATLASSIAN_SITE}.atlassian.net/wiki",
	}
	return Preset{
		Name: "atlassian", Title: "Jira and Confluence", Needs: "uvx, which comes with uv", Server: s, Launch: 1,
		Brief:   "Issues of Jira and pages of Confluence, on Atlassian Cloud. ATLASSIAN_SITE is what stands before .atlassian.net; each seat gives its account (an e-mail address) beside its API token.",
		Secrets: []string{"ATLASSIAN_SITE"},
		Seat: map[string]string{
			"JIRA_USERNAME":        "${ATLASSIAN_ACCOUNT_{SEAT}}",
			"JIRA_API_TOKEN":       "${ATLASSIAN_TOKEN_{SEAT}}",
			"CONFLUENCE_USERNAME":  "${ATLASSIAN_ACCOUNT_{SEAT}}",
			"CONFLUENCE_API_TOKEN": "${ATLASSIAN_TOKEN_{SEAT}}",
		},
	}
}

// https://github.com/korotovsky/slack-mcp-server: posting is off unless asked
// for. Its caches lie in one place for everybody by default, and hold the
// private channels of whoever filled them.
func slack() Preset {
	p := npx("slack", "slack-mcp-server", "--transport", "stdio")
	p.Title, p.Launch = "Slack", 4
	p.Brief = "Channels, threads and messages of a workspace. Posting is switched on (SLACK_MCP_ADD_MESSAGE_TOOL). Each seat has a bot token of its own, and a cache of the channels it sees."
	p.Server.Shared = false
	p.Server.Env = map[string]string{"SLACK_MCP_ADD_MESSAGE_TOOL": "true"}
	p.Seat = map[string]string{
		"SLACK_MCP_XOXB_TOKEN":     "${SLACK_TOKEN_{SEAT}}",
		"SLACK_MCP_CHANNELS_CACHE": "/var/tmp/crewlet-slack-{seat}-channels.json",
		"SLACK_MCP_USERS_CACHE":    "/var/tmp/crewlet-slack-{seat}-users.json",
	}
	return p
}

// https://www.npmjs.com/package/tavily-mcp: it gives its tools no hints, and
// every one of them reads the web.
func tavily() Preset {
	p := npx("tavily", "tavily-mcp")
	p.Title = "Tavily"
	p.Brief = "Searches the web, reads pages, and maps and crawls sites, with an API key of Tavily."
	p.Server.Env = map[string]string{"TAVILY_API_KEY": "${TAVILY_API_KEY}"}
	p.Secrets = []string{"TAVILY_API_KEY"}
	p.Server.ToolAnnotations = map[string]document.Hints{}
	for _, tool := range []string{"tavily_search", "tavily_extract", "tavily_crawl", "tavily_map", "tavily_research"} {
		yes, outside := true, true
		p.Server.ToolAnnotations[tool] = document.Hints{ReadOnly: &yes, OpenWorld: &outside}
	}
	return p
}

// https://github.com/openai/codex: one call is a whole turn of the agent. Its
// release 0.154.0 took the command out.
func codex() Preset {
	s := document.NewServer()
	s.Name, s.Command, s.Args, s.Timeout = "codex", "codex", []string{"mcp-server"}, document.Duration(30*time.Minute)
	return Preset{
		Name: "codex", Title: "Codex", Needs: "codex older than 0.154 (later ones have no mcp-server), signed in as the user the node runs as", Server: s, Launch: 1,
		Brief: "OpenAI's coding agent as a tool. A call lasts as long as the agent works, so half an hour is waited.",
	}
}
