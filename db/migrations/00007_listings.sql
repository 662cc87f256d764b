-- A listing that ended early because the server gave one page twice.

-- +goose Up
ALTER TABLE server_catalogues ADD COLUMN stuck boolean NOT NULL DEFAULT false;
