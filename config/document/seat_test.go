package document_test

import "testing"

const servers = "name: A\nmcp_servers:\n- {name: shared, command: x, env: {T: \"${A}\"}}\n- {name: own, url: 'https://h/', shared: false}\n"

func TestSeats(t *testing.T) {
	refuses(t, map[string]refusal{
		"an undeclared server":   {servers + "roles: [{name: X, mcp_env: {ownn: {}}}]\n", 5, "roles[0].mcp_env.ownn", "Did you mean own?"},
		"a shared server":        {servers + "roles: [{name: X, mcp_env: {shared: {A: b}}}]\n", 5, "roles[0].mcp_env.shared", "shared: false in its entry (line 3)"},
		"a person's":             {servers + "roles: [{name: X, kind: human, mcp_env: {own: {A: b}}}]\n", 5, "roles[0].mcp_env", "is for agents"},
		"a unit's shared":        {servers + "units: [{name: X, mcp_env: {shared: {A: b}}}]\n", 5, "units[0].mcp_env.shared", "whole company"},
		"two spellings":          {servers + "units:\n- name: U\n  mcp_env: {own: {X-A: b}}\n  roles: [{name: X, mcp_env: {own: {x-a: b}}}]\n", 8, "units[0].roles[0].mcp_env.own.x-a", "spells this header X-A"},
		"a default":              {servers + "roles: [{name: X, mcp_env: {own: {A: \"${B-hunter2}\"}}}]\n", 5, "roles[0].mcp_env.own.A", "have none"},
		"tools of nobody":        {servers + "roles: [{name: X, tools: [{server: ow, tools: '*'}]}]\n", 5, "roles[0].tools[0].server", "Did you mean own?"},
		"no list":                {servers + "roles: [{name: X, tools: [{server: own}]}]\n", 5, "roles[0].tools[0]", "tools: \"*\" for all of own"},
		"an empty list":          {servers + "roles: [{name: X, tools: [{server: own, tools: []}]}]\n", 5, "roles[0].tools[0].tools", "empty list"},
		"another word":           {servers + "roles: [{name: X, tools: [{server: own, tools: all}]}]\n", 5, "roles[0].tools[0].tools", "\"*\""},
		"a server twice":         {servers + "roles: [{name: X, tools: [{server: own, tools: '*'}, {server: own, tools: '*'}]}]\n", 5, "roles[0].tools[1].server", "already"},
		"a tool twice":           {servers + "roles: [{name: X, tools: [{server: own, tools: [a, a]}]}]\n", 5, "roles[0].tools[0].tools[1]", "already"},
		"a box with the secret":  {servers + "roles: [{name: X, sandbox: {secrets: [A]}, tools: [{server: shared, tools: [a]}]}]\n", 5, "roles[0].tools[0].tools", "take A out of sandbox.secrets"},
		"a reference as secret":  {servers + "roles: [{name: X, sandbox: {secrets: ['${A}']}}]\n", 5, "roles[0].sandbox.secrets[0]", "bare name"},
		"no image":               {servers + "roles: [{name: X, sandbox: {kind: container}}]\n", 5, "roles[0].sandbox", "image:"},
		"a model of nobody":      {servers + "roles: [{name: X, model: claude/x}]\n", 5, "roles[0].model", "providers.connections"},
		"a model alone":          {servers + "roles: [{name: X, model: claude}]\n", 5, "roles[0].model", "a slash"},
		"a schedule of nobody":   {servers + "units: [{name: U, schedules: [{name: s, cron: '* * * * *', prompt: x}]}]\n", 5, "units[0].schedules[0]", "Nobody is woken"},
		"a schedule of a person": {servers + "units:\n- {name: U, lead: x, schedules: [{name: s, cron: '* * * * *', prompt: x}]}\nroles: [{name: X, kind: human}]\n", 6, "units[0].schedules[0]", "wakes an agent"},
		"four fields":            {servers + "roles: [{name: X, schedules: [{name: s, cron: '* * * *', prompt: x}]}]\n", 5, "roles[0].schedules[0].cron", "4 fields"},
		"a late minute":          {servers + "roles: [{name: X, schedules: [{name: s, cron: '60 * * * *', prompt: x}]}]\n", 5, "roles[0].schedules[0].cron", "from 0 to 59"},
		"a range backwards":      {servers + "roles: [{name: X, schedules: [{name: s, cron: '* * * * fri-mon', prompt: x}]}]\n", 5, "roles[0].schedules[0].cron", "weekday"},
		"a schedule twice":       {servers + "roles: [{name: X, schedules: [{name: s, cron: '* * * * *', prompt: x}, {name: s, cron: '* * * * *', prompt: x}]}]\n", 5, "roles[0].schedules[1].name", "already"},
		"a schedule unnamed":     {servers + "roles: [{name: X, schedules: [{cron: '* * * * *', prompt: x}]}]\n", 5, "roles[0].schedules[0]", "has no name"},
		"a schedule of words":    {servers + "roles: [{name: X, schedules: [{name: Big Job, cron: '* * * * *', prompt: x}]}]\n", 5, "roles[0].schedules[0].name", "such as big-job"},
		"a schedule of no time":  {servers + "roles: [{name: X, schedules: [{name: s, prompt: x}]}]\n", 5, "roles[0].schedules[0]", "has no cron"},
		"a step too long":        {servers + "roles: [{name: X, schedules: [{name: s, cron: '*/99 * * * *', prompt: x}]}]\n", 5, "roles[0].schedules[0].cron", "minute"},
		"a silent schedule":      {servers + "roles: [{name: X, schedules: [{name: s, cron: '* * * * *'}]}]\n", 5, "roles[0].schedules[0]", "prompt:"},
		"a schedule elsewhere":   {servers + "roles: [{name: X, schedules: [{name: s, cron: '* * * * *', prompt: x, seat: x}]}]\n", 5, "roles[0].schedules[0].seat", "wakes that seat"},
		"tools of no server":     {servers + "roles: [{name: X, tools: [{tools: '*'}]}]\n", 5, "roles[0].tools[0]", "names no server"},
		"a star in a list":       {servers + "roles: [{name: X, tools: [{server: own, tools: ['*']}]}]\n", 5, "roles[0].tools[0].tools[0]", "without a list"},
		"a box of nowhere":       {servers + "roles: [{name: X, sandbox: {kind: remote}}]\n", 5, "roles[0].sandbox", "url:"},
		"a box at no address":    {servers + "roles: [{name: X, sandbox: {kind: remote, url: here}}]\n", 5, "roles[0].sandbox.url", "absolute"},
		"a credential over http": {"name: A\nmcp_servers: [{name: h, url: 'http://h/', shared: false}]\nroles: [{name: X, mcp_env: {h: {X-Token: hunter2}}}]\n", 2, "mcp_servers[0].url", "https"},
		"no such zone":           {"name: A\ntimezone: Berlin\n", 2, "timezone", "Europe/Berlin"},
	})
	parse(t, servers+"roles: [{name: X, sandbox: {secrets: [A]}, tools: [{server: shared, tools: '*'}, {server: own, tools: [a]}]}]\n")
}

func TestCallers(t *testing.T) {
	const base = "name: A\nunits: [{name: U, project: ENG, roles: [{name: Lead}]}]\ncallers:\n"
	refuses(t, map[string]refusal{
		"our own":            {base + "  tokens: {instance: {may: {read: all}}}\n", 4, "callers.tokens.instance", "itself"},
		"no label":           {base + "  tokens: {Bot_1: {may: {read: all}}}\n", 4, "callers.tokens.Bot_1", "release-bot"},
		"nothing":            {base + "  tokens: {bot: {}}\n", 4, "callers.tokens.bot", "may do nothing"},
		"no scope":           {base + "  tokens: {bot: {may: {}}}\n", 4, "callers.tokens.bot.may", "No scope"},
		"another scope":      {base + "  tokens: {bot: {may: {strat: all}}}\n", 4, "callers.tokens.bot.may.strat", "Did you mean start?"},
		"an empty list":      {base + "  tokens: {bot: {may: {read: []}}}\n", 4, "callers.tokens.bot.may.read", "empty list"},
		"another word":       {base + "  tokens: {bot: {may: {read: '*'}}}\n", 4, "callers.tokens.bot.may.read", "\"all\""},
		"a seat of nobody":   {base + "  tokens: {bot: {may: {read: [leed]}}}\n", 4, "callers.tokens.bot.may.read[0]", "Did you mean lead?"},
		"a project of none":  {base + "  tokens: {bot: {may: {read: [OPS]}}}\n", 4, "callers.tokens.bot.may.read[0]", "There is ENG."},
		"narrowed elsewhere": {base + "  tokens: {bot: {may: {read: [{project: ENG}]}}}\n", 4, "callers.tokens.bot.may.read[0]", "must be text"},
		"a kind of nobody":   {base + "  tokens: {bot: {may: {answer: [{project: ENG, asks: [questoin]}]}}}\n", 4, "callers.tokens.bot.may.answer[0].asks[0]", "Did you mean question?"},
		"no kinds":           {base + "  tokens: {bot: {may: {answer: [{project: ENG, asks: []}]}}}\n", 4, "callers.tokens.bot.may.answer[0].asks", "empty list"},
		"for an agent":       {base + "  tokens: {bot: {may: {read: all}, seat: lead}}\n", 4, "callers.tokens.bot.seat", "kind: human"},
		"a group's project":  {base + "  issuers: [{issuer: 'https://h', audience: a, groups: {dev: {answer: [OPS]}}}]\n", 4, "callers.issuers[0].groups.dev.answer[0]", "no project"},
		"an http issuer":     {base + "  issuers: [{issuer: 'http://h', audience: a, groups: {dev: {read: all}}}]\n", 4, "callers.issuers[0].issuer", "https"},
		"no audience":        {base + "  issuers: [{issuer: 'https://h', groups: {dev: {read: all}}}]\n", 4, "callers.issuers[0]", "audience"},
		"no issuer":          {base + "  issuers: [{audience: a, groups: {dev: {read: all}}}]\n", 4, "callers.issuers[0]", "issuer:"},
		"no groups":          {base + "  issuers: [{issuer: 'https://h', audience: a}]\n", 4, "callers.issuers[0]", "groups"},
		"an issuer twice":    {base + "  issuers:\n  - &i {issuer: 'https://h', audience: a, groups: {dev: {read: all}}}\n  - *i\n", 6, "callers.issuers[1]", "one entry"},
		"asks of nothing":    {base + "  tokens: {bot: {may: {answer: [{asks: [question]}]}}}\n", 4, "callers.tokens.bot.may.answer[0]", "names no project"},
		"an empty name":      {base + "  tokens: {bot: {may: {read: ['']}}}\n", 4, "callers.tokens.bot.may.read[0]", "is empty"},
		"a word to answer":   {base + "  tokens: {bot: {may: {answer: some}}}\n", 4, "callers.tokens.bot.may.answer", "\"all\""},
		"no connection name": {"name: A\nproviders: {connections: [{kind: openai}]}\n", 2, "providers.connections[0]", "has no name"},
		"a capital one":      {"name: A\nproviders: {connections: [{name: C, kind: openai}]}\n", 2, "providers.connections[0].name", "such as claude"},
		"a connection twice": {"name: A\nproviders: {connections: [{name: c, kind: openai}, {name: c, kind: openai}]}\n", 2, "providers.connections[1].name", "already"},
		"no kind":            {"name: A\nproviders: {connections: [{name: c}]}\n", 2, "providers.connections[0]", "kind:"},
		"a key twice":        {"name: A\nproviders: {connections: [{name: c, kind: openai, keys: ['${A}', '${A}']}]}\n", 2, "providers.connections[0].keys[1]", "once more"},
		"a key in the text":  {"name: A\nproviders: {connections: [{name: c, kind: openai, keys: [hunter2]}]}\n", 2, "providers.connections[0].keys[0]", "${NAME}"},
		"a key over http":    {"name: A\nproviders: {connections: [{name: c, kind: openai, base_url: 'http://h', keys: ['${A}']}]}\n", 2, "providers.connections[0].base_url", "https"},
		"no address":         {"name: A\nproviders: {connections: [{name: c, kind: openai_compatible}]}\n", 2, "providers.connections[0]", "base_url"},
		"no connection":      {"name: A\nproviders: {default: c/m}\n", 2, "providers.default", "no connection"},
	})
}
