-- The nodes there are, the instances of MCP servers each of them runs, and the
-- tools those servers list.

-- +goose Up
-- A node writes its row every 15 seconds; one that is gone takes its states
-- along.
CREATE TABLE nodes (
    id          text PRIMARY KEY,
    name        text NOT NULL,          -- as people read it
    url         text NOT NULL,          -- where other nodes reach it; may be empty
    version     text NOT NULL,
    started_at  timestamptz NOT NULL,
    seen_at     timestamptz NOT NULL,   -- on this database's clock
    revision    bigint NOT NULL DEFAULT 0,      -- the newest it has applied
    apply_error text NOT NULL DEFAULT ''        -- why it could not apply the next one
);

CREATE TABLE server_states (
    server      uuid NOT NULL,
    seat        text NOT NULL DEFAULT '',       -- '' for a shared server
    node        text NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    name        text NOT NULL,          -- the server's, for one that is no longer declared
    state       text NOT NULL CHECK (state IN ('starting', 'running', 'failed', 'replacing', 'stopping', 'held_back')),
    phase       text NOT NULL DEFAULT '',
    error       text NOT NULL DEFAULT '',
    attempt     int NOT NULL DEFAULT 0,
    since       timestamptz NOT NULL,
    retry_at    timestamptz,            -- null when nothing is scheduled
    stderr_tail text NOT NULL DEFAULT '',       -- whole lines, redacted
    era         text NOT NULL DEFAULT '',       -- the protocol version spoken
    pid         int NOT NULL DEFAULT 0,
    reported_at timestamptz NOT NULL,
    PRIMARY KEY (server, seat, node)
);
CREATE INDEX server_states_node ON server_states (node);

-- The last whole listing of each server.
CREATE TABLE server_catalogues (
    server       uuid NOT NULL,
    seat         text NOT NULL DEFAULT '',
    digest       text NOT NULL,
    listed_at    timestamptz NOT NULL,
    tools        int NOT NULL,
    dropped      int NOT NULL,          -- past the cap
    duplicates   int NOT NULL,
    oversize     int NOT NULL,
    left_out     text NOT NULL,         -- the first of their names
    capabilities text NOT NULL,         -- JSON
    instructions text NOT NULL,
    PRIMARY KEY (server, seat)
);

-- A tool's registered name is kept, not computed: what a model has learned to
-- call stays what it is called. Schemas are the server's own text, byte for
-- byte.
CREATE TABLE server_tools (
    server        uuid NOT NULL,
    seat          text NOT NULL DEFAULT '',
    name          text NOT NULL,        -- the server's own, used on the wire
    base          text NOT NULL,        -- what the registered name was made of: prefix and name
    registered    text NOT NULL CHECK (registered ~ '^[A-Za-z0-9_-]{1,64}$'),
    resolved      boolean NOT NULL,     -- another tool had the plain name
    title         text NOT NULL,
    description   text NOT NULL,
    input_schema  text NOT NULL,
    output_schema text NOT NULL,
    annotations   text NOT NULL,        -- JSON; a hint left out is unknown
    invalid       text NOT NULL,        -- why it cannot be offered
    digest        text NOT NULL,
    ord           int NOT NULL,         -- its place in the listing
    listed_at     timestamptz NOT NULL,
    PRIMARY KEY (server, seat, name),
    FOREIGN KEY (server, seat) REFERENCES server_catalogues (server, seat) ON DELETE CASCADE,
    CONSTRAINT server_tools_registered UNIQUE (seat, registered) DEFERRABLE INITIALLY IMMEDIATE
);
