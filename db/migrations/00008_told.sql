-- How a listing would have gone on for ever, in a sentence; and how an instance
-- is spoken to, for when its declaration is gone.

-- +goose Up
ALTER TABLE server_catalogues ADD COLUMN loop text NOT NULL DEFAULT '';
ALTER TABLE server_states ADD COLUMN transport text NOT NULL DEFAULT '';
