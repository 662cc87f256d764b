package tokens

import "strings"

// Connections are what each assistant is told, to reach the dashboard at
// origin with a token that stands in the environment. The value itself is in
// none of them: files with it would be shared with the project they lie in.
func Connections(origin string) []Connect {
	door := origin + "/operator/mcp"
	fill := func(text string) string {
		return strings.NewReplacer("DOOR", door, "ORIGIN", origin).Replace(strings.TrimPrefix(text, "\n"))
	}
	return []Connect{
		{"connect-claude", "Claude Code", "Set CREWLET_TOKEN to the value above first. Claude Code keeps the header in its own settings, in your home directory.", fill(`
claude mcp add --transport http --scope user crewlet DOOR \
  --header "Authorization: Bearer $CREWLET_TOKEN"`)},
		{"connect-codex", "Codex", "In ~/.codex/config.toml. Codex reads CREWLET_TOKEN from its environment when it starts.", fill(`
[mcp_servers.crewlet]
url = "DOOR"
bearer_token_env_var = "CREWLET_TOKEN"`)},
		{"connect-cursor", "Cursor", "In ~/.cursor/mcp.json. Cursor reads CREWLET_TOKEN from its environment when it starts.", fill(`
{
  "mcpServers": {
    "crewlet": {
      "url": "DOOR",
      "headers": { "Authorization": "Bearer ${env:CREWLET_TOKEN}" }
    }
  }
}`)},
		{"connect-vscode", "VS Code", "In .vscode/mcp.json. VS Code asks for the token once, and keeps it sealed.", fill(`
{
  "inputs": [
    { "type": "promptString", "id": "crewlet-token", "description": "Crewlet token", "password": true }
  ],
  "servers": {
    "crewlet": {
      "type": "http",
      "url": "DOOR",
      "headers": { "Authorization": "Bearer ${input:crewlet-token}" }
    }
  }
}`)},
		{"connect-stdio", "Any other, over stdio", "A program that starts its servers itself runs this one. It reads CREWLET_URL and CREWLET_TOKEN from its environment.", fill(`
CREWLET_URL=ORIGIN crewlet mcp serve`)},
	}
}
