-- The spine: the log every change is a row of, the operations that make a
-- repeat land once, and the record of who did what.

-- +goose Up
-- One row, locked to the end of COMMIT by whoever writes: positions are dense
-- and in commit order, so a cursor is "position > n" and nothing else.
CREATE TABLE log_head (
    one      boolean PRIMARY KEY DEFAULT true CHECK (one),
    position bigint NOT NULL CHECK (position >= 0)
);
INSERT INTO log_head (position) VALUES (0);

CREATE TABLE changes (
    position    bigint PRIMARY KEY,
    at          timestamptz NOT NULL,
    actor       text NOT NULL,          -- person:<id>, machine:<id>, engine:
    actor_name  text NOT NULL,          -- as people read it, at the time
    recorded_as text NOT NULL CHECK (recorded_as IN ('human', 'operator', 'agent', 'system')),
    credential  text NOT NULL,
    kind        text NOT NULL,          -- secret.set, server.failed
    object      text NOT NULL,          -- secret:NAME, server:<id>
    deltas      json NOT NULL,          -- field to {from, to}; never a secret value
    operation   uuid
);
CREATE INDEX changes_object ON changes (object, position DESC);
CREATE INDEX changes_at ON changes (at);

-- What a key already did. The answer is text: a repeat is byte for byte.
CREATE TABLE operations (
    principal   text NOT NULL,
    key         uuid NOT NULL,
    tool        text NOT NULL,
    arguments   bytea NOT NULL,         -- keyed digest of the canonical arguments
    node        text NOT NULL,
    started_at  timestamptz NOT NULL,
    finished_at timestamptz,            -- null while a call is under way
    outcome     text,                   -- applied, unchanged, or the class a call was refused with
    answer      text,
    sealed      bytea,                  -- a call's result, kept 24 h
    position    bigint,
    PRIMARY KEY (principal, key)
);
CREATE INDEX operations_started_at ON operations (started_at);

CREATE TABLE audit (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at          timestamptz NOT NULL,
    actor       text NOT NULL,
    actor_name  text NOT NULL,
    credential  text NOT NULL,
    door        text NOT NULL,
    verb        text NOT NULL,
    object      text NOT NULL,
    outcome     text NOT NULL,          -- applied, unchanged, or the class it was refused with
    reason      text NOT NULL DEFAULT '',
    position    bigint,
    request_id  text NOT NULL
);
CREATE INDEX audit_actor ON audit (actor, id DESC);
CREATE INDEX audit_verb ON audit (verb, id DESC);
