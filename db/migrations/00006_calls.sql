-- The record of every call of a server's tool, and the tools that stand for a
-- server's resources and prompts.

-- +goose Up
-- Never arguments, never results; kept as long as the company says
-- (audit.retention_days).
CREATE TABLE mcp_calls (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at          timestamptz NOT NULL,   -- when it began
    actor       text NOT NULL,
    actor_name  text NOT NULL,
    credential  text NOT NULL,
    door        text NOT NULL,
    server      uuid NOT NULL,
    server_name text NOT NULL,          -- at the time
    seat        text NOT NULL,          -- whose child; '' for a shared server
    tool        text NOT NULL,          -- as it was registered
    own_name    text NOT NULL,          -- the server's own
    item        text NOT NULL,          -- the work item it was about; may be empty
    node        text NOT NULL,
    duration_ms bigint NOT NULL,
    outcome     text NOT NULL,          -- ok, server_error, or the class it was refused with
    bytes_in    bigint NOT NULL,
    bytes_out   bigint NOT NULL,
    operation   uuid,                   -- null for one known to change nothing
    arguments   bytea NOT NULL          -- keyed digest
);
CREATE INDEX mcp_calls_server ON mcp_calls (server, id DESC);
CREATE INDEX mcp_calls_tool ON mcp_calls (tool, id DESC);
CREATE INDEX mcp_calls_at ON mcp_calls (at);

-- A lazy server rests between calls.
ALTER TABLE server_states DROP CONSTRAINT server_states_state_check;
ALTER TABLE server_states ADD CONSTRAINT server_states_state_check
    CHECK (state IN ('starting', 'running', 'failed', 'replacing', 'stopping', 'held_back', 'resting', 'idle'));

-- list_resources and its like: named beside the server's own tools, which may
-- have a tool of the same name.
ALTER TABLE server_tools ADD COLUMN utility boolean NOT NULL DEFAULT false;
ALTER TABLE server_tools DROP CONSTRAINT server_tools_pkey;
ALTER TABLE server_tools ADD PRIMARY KEY (server, seat, utility, name);
