-- What is told of a server's start, and which start of a node wrote its row.

-- +goose Up
-- What a listing came from, as a digest under the keyring: a lazy server whose
-- declaration and secrets are still the same is not started to be listed again.
ALTER TABLE server_catalogues ADD COLUMN print text NOT NULL DEFAULT '';

ALTER TABLE server_states ADD COLUMN phases text NOT NULL DEFAULT '';        -- JSON; how long each took
ALTER TABLE server_states ADD COLUMN skipped int NOT NULL DEFAULT 0;         -- lines on stdout that were no message
ALTER TABLE server_states ADD COLUMN skipped_lines text NOT NULL DEFAULT ''; -- the first of them, redacted

-- The start of the program that wrote the row: two programs never share an id.
ALTER TABLE nodes ADD COLUMN run text NOT NULL DEFAULT '';
