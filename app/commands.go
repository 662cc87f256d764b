package main

// commands is every word the program knows, in the order help shows them. One
// without a brief is not for people.
func commands() []command {
	return []command{
		{
			name: "serve", brief: "Run this node until it is told to stop.", run: serve,
			help: "Starts the embedded Postgres unless CREWLET_DATABASE_URL names one, brings the schema up to date,\nand serves the dashboard on CREWLET_LISTEN (127.0.0.1:8080). While nobody has an account it prints the\none-time link that creates the first administrator.",
		},
		{name: "version", brief: "Say which version this is.", run: showVersion},
		{
			name: "setup-link", brief: "Print a new one-time link for the first administrator.", run: setupLink,
			help: "Only while nobody has an account. A newer link replaces the older one; it lasts 24 hours.",
		},
		{name: "demo", brief: "Fill an empty node with a small company and six weeks of its work.", run: demonstrate, help: demoHelp},
		{name: "migrate", brief: "Bring the database's schema up to date, and end.", run: migrate},
		{
			name: "company import", args: "FILE [--if-match N] [--summary TEXT]", brief: "Make a file the company document.", run: companyImport,
			help: "FILE may be - for standard input. The file is checked whole first; nothing is stored when anything is wrong.\nOnce somebody has written the document, say with --if-match which revision FILE was written over:\nwhen a newer one is there, it is refused with what changed. \"crewlet company show\" says the number.",
		},
		{name: "company show", brief: "Print the company document as it stands; its revision goes to standard error.", run: companyShow},
		{
			name: "company validate", args: "FILE", brief: "Check a company document and list all that is wrong.", run: companyValidate,
			help: "Needs no database. Exits 1 when anything is wrong.",
		},
		{name: "mcp add", args: mcpAddArgs, brief: "Declare an MCP server.", run: mcpAdd, help: mcpAddHelp()},
		{name: "mcp list", brief: "List the MCP servers, and how each stands.", run: mcpList},
		{name: "mcp test", args: "NAME", brief: "Start a declared server once, list its tools, and stop it.", run: mcpTest, help: mcpTestHelp},
		{name: "mcp remove", args: "NAME [--with-references]", brief: "Take an MCP server out of the company document.", run: mcpRemove, help: mcpRemoveHelp},
		{name: "mcp serve", args: "[--seat] [--verbose]", brief: "Be an MCP server on standard input and output, for a client on this machine.", run: mcpServe, help: mcpServeHelp},
		{
			name: "secrets set", args: "NAME [--host HOST]", brief: "Store a secret; the value is read from standard input.", run: secretsSet,
			help: "One line break at the end of the value is left out. For example:\n  printf %s \"$TOKEN\" | crewlet secrets set GITHUB_TOKEN",
		},
		{name: "secrets list", brief: "List the names of the secrets, and where each is used.", run: secretsList},
		{
			name: "secrets remove", args: "NAME [--anyway]", brief: "Delete a secret.", run: secretsRemove,
			help: "Refused while the company document refers to it, unless --anyway is given.",
		},
		{
			name: "secrets rekey", brief: "Seal every secret anew under the keyring's first key.", run: secretsRekey,
			help: "To replace a key: put a new entry first in the keyring file, restart every node, give this command,\nthen take the old entry out and restart again. Browsers sign in anew after that. Who stored a secret, and when, stays.",
		},
		{
			name: "token create", args: "--label LABEL --grants all|GRANT,… [--days N] [--sensitive]", brief: "Mint a token for a program; standard output holds it alone.", run: tokenCreate,
			help: "The value is shown this once. It is sent as \"Authorization: Bearer …\".",
		},
		{name: "token list", brief: "List the tokens there are, without their values.", run: tokenList},
		{name: "token revoke", args: "ID|LABEL", brief: "End a token at once.", run: tokenRevoke},
		{name: "guard", run: guard},
	}
}
