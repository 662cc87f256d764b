-- The company document. Each revision keeps the text as its authors wrote it,
-- and which identity each name stood for; a server's or a seat's id never
-- changes and is never given away, whatever it is called.

-- +goose Up
CREATE TABLE revisions (
    id          bigint PRIMARY KEY CHECK (id > 0), -- 1, 2, 3 without gaps
    parent      bigint CONSTRAINT revisions_parent REFERENCES revisions (id) CHECK (parent = id - 1),
    text        text NOT NULL CHECK (octet_length(text) <= 1048576),
    summary     text NOT NULL,
    author      text NOT NULL,          -- person:<id>, machine:<id>, engine:
    author_name text NOT NULL,          -- as people read it, at the time
    at          timestamptz NOT NULL,
    ids         json NOT NULL           -- {"servers": {name: id}, "seats": {handle: id}}
);

-- One row, locked by whoever writes a revision: comparing and setting are one.
CREATE TABLE company_head (
    one      boolean PRIMARY KEY DEFAULT true CHECK (one),
    revision bigint NOT NULL
);
INSERT INTO company_head (revision) VALUES (0);

-- Rows are never deleted: going back to a revision declares its ids again.
CREATE TABLE mcp_servers (
    id       uuid PRIMARY KEY,
    name     text NOT NULL,             -- the newest it had
    declared boolean NOT NULL,
    revision bigint NOT NULL            -- the newest that moved it
);
CREATE UNIQUE INDEX mcp_servers_declared ON mcp_servers (name) WHERE declared;

CREATE TABLE seats (
    id       uuid PRIMARY KEY,
    handle   text NOT NULL,
    declared boolean NOT NULL,
    revision bigint NOT NULL
);
CREATE UNIQUE INDEX seats_declared ON seats (handle) WHERE declared;
