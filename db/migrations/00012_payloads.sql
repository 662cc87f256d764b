-- What was said in calls, where the company keeps it (audit.payloads), and what
-- a tool's listing says beyond what we read of it.

-- +goose Up
-- Apart from the record of calls: whoever reads that one does not read these.
-- Sealed values are redacted; kept as long as the record is.
CREATE TABLE mcp_payloads (
    id        uuid PRIMARY KEY,
    at        timestamptz NOT NULL,     -- the call's
    arguments text,                     -- JSON; null where it was too large to keep
    result    text                      -- the result as JSON, or why there is none; null as above
);
CREATE INDEX mcp_payloads_at ON mcp_payloads (at);
ALTER TABLE mcp_calls ADD COLUMN payload uuid;

ALTER TABLE server_tools ADD COLUMN more text NOT NULL DEFAULT '';       -- a JSON object of the fields we do not know
ALTER TABLE server_tools ADD COLUMN arguments int NOT NULL DEFAULT -1;   -- how many its input schema names; -1: not counted yet
