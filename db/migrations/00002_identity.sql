-- Who may sign in, the browsers they signed in with, the tokens machines
-- carry, and the one link that made the first administrator.

-- +goose Up
CREATE TABLE people (
    id         uuid PRIMARY KEY,
    login      text NOT NULL CONSTRAINT people_login UNIQUE
               CONSTRAINT people_login_shape CHECK (login ~ '^[a-z0-9_-]+([.][a-z0-9_-]+)+$' AND length(login) <= 64),
    name       text NOT NULL CHECK (name <> ''),
    email      text NOT NULL DEFAULT '',
    password   text NOT NULL,           -- argon2id in its encoded form
    grants     text[] NOT NULL,
    stage      text NOT NULL DEFAULT 'active' CHECK (stage IN ('active', 'suspended')),
    created_at timestamptz NOT NULL
);

CREATE TABLE browser_sessions (
    id           uuid PRIMARY KEY,
    person       uuid NOT NULL REFERENCES people,
    created_at   timestamptz NOT NULL,
    seen_at      timestamptz NOT NULL,  -- written at most once a minute
    confirmed_at timestamptz NOT NULL,  -- when the password was last typed
    ended_at     timestamptz,
    agent        text NOT NULL,         -- the browser, as it calls itself
    source       text NOT NULL          -- the address it came from
);
CREATE INDEX browser_sessions_person ON browser_sessions (person, created_at DESC) WHERE ended_at IS NULL;

CREATE TABLE tokens (
    id           uuid PRIMARY KEY,
    label        text NOT NULL CHECK (length(label) BETWEEN 1 AND 64),
    digest       bytea NOT NULL CONSTRAINT tokens_digest UNIQUE CHECK (length(digest) = 32), -- SHA-256 of the value
    grants       text[] NOT NULL,
    sensitive    boolean NOT NULL,      -- opens sensitive acts
    created_by   text NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz,
    last_used_at timestamptz,           -- written at most once a minute
    revoked_at   timestamptz,
    CONSTRAINT tokens_sensitive_expire CHECK (NOT sensitive OR expires_at IS NOT NULL AND expires_at <= created_at + interval '720 hours')
);

-- One row at most: a newer link replaces an older one, and a used one closes
-- set-up for good.
CREATE TABLE setup_links (
    one        boolean PRIMARY KEY DEFAULT true CHECK (one),
    digest     bytea NOT NULL CHECK (length(digest) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
