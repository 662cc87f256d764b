package document

import "strings"

const starter = `# This is your company. Everything Crewlet runs is declared here: who works
# in the company, which MCP servers it uses, and what machines may ask of it.
# Change it here or by the forms of the dashboard: both write this one text,
# and your comments stay.

name: {name}
# mission: What the company is for, in a sentence or two.

# The clock of schedules, budgets and due dates.
timezone: UTC

# MCP servers bring tools. Write a secret as ${NAME} and seal its value under
# Settings › Secrets; it never stands in this text.
#
# mcp_servers:
#   - name: everything
#     command: npx
#     args: ["-y", "@modelcontextprotocol/server-everything"]

# Units hold seats: of agents, and of people (kind: human).
#
# units:
#   - name: Engineering
#     project: ENG
#     lead: ada
#     roles:
#       - name: Ada
#         kind: human
#       - name: Backend lead
#         goal: Keep the service fast and dull.
`

// Starter is the text of a new company, with a word on what goes where. A
// name that is blank or no name becomes My company.
func Starter(name string) []byte {
	name = strings.TrimSpace(name)
	if name == "" || (rule{form: "line", most: 120}).refuses(name) != "" {
		name = "My company"
	}
	return []byte(strings.Replace(starter, "{name}", quote(name, hand{}), 1))
}
