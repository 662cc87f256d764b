-- People in their seats, invitations, and the tokens people mint for their own
-- assistants.

-- +goose Up
-- A person holds one seat at most, and a seat is held by one person at most.
-- Rows of seats are never deleted, so a seat that is declared again finds who
-- held it.
ALTER TABLE people ADD COLUMN seat uuid CONSTRAINT people_seat_there REFERENCES seats;
CREATE UNIQUE INDEX people_seat ON people (seat);
-- Whose login and contacts nobody sees or finds.
ALTER TABLE people ADD COLUMN withheld boolean NOT NULL DEFAULT false;

-- One row, raised with every change of people: who keeps them in memory learns
-- here, in one look, whether they still are what they were.
CREATE TABLE people_head (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    version bigint NOT NULL
);
INSERT INTO people_head (version) VALUES (0);

-- +goose StatementBegin
CREATE FUNCTION people_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE people_head SET version = version + 1;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER people_moved AFTER INSERT OR UPDATE OR DELETE ON people
    FOR EACH STATEMENT EXECUTE FUNCTION people_moved();

-- A person's own token acts as them: what it may do is what it was minted
-- with and what they may do now. Without a person it is a machine's.
ALTER TABLE tokens ADD COLUMN person uuid REFERENCES people;
CREATE INDEX tokens_person ON tokens (person, id DESC) WHERE person IS NOT NULL;

-- A link that makes one person, once.
CREATE TABLE invitations (
    id         uuid PRIMARY KEY,
    digest     bytea NOT NULL CONSTRAINT invitations_digest UNIQUE CHECK (length(digest) = 32), -- SHA-256 of the link's end
    name       text NOT NULL,           -- whom it is for, as people call them
    email      text NOT NULL DEFAULT '',
    grants     text[] NOT NULL,
    seat       uuid REFERENCES seats,
    author     text NOT NULL,           -- person:<id>, machine:<id>
    author_name text NOT NULL,          -- as people read it, at the time
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    person     uuid REFERENCES people,  -- whom it made
    revoked_at timestamptz,
    CONSTRAINT invitations_person_used CHECK ((person IS NULL) = (used_at IS NULL))
);
CREATE INDEX invitations_created_at ON invitations (created_at DESC);
