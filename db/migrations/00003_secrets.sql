-- One sealed value per name. What is sealed is bound to its name, so a row
-- cannot be passed off as another.

-- +goose Up
CREATE TABLE secrets (
    name    text PRIMARY KEY CONSTRAINT secrets_name CHECK (name ~ '^[A-Za-z_][A-Za-z0-9_]*$' AND length(name) <= 128),
    sealed  bytea NOT NULL,
    key_id  text NOT NULL,              -- which key of the keyring sealed it
    hosts   text[] NOT NULL DEFAULT '{}', -- sent to no other host, when any is named
    version int NOT NULL DEFAULT 1,
    set_by  text NOT NULL,
    set_at  timestamptz NOT NULL
);
