-- The tracker: projects, items and what people say about them. A party is who
-- does or is asked something, as "seat:<id>", "person:<id>" or "machine:<id>".

-- +goose Up
CREATE TABLE projects (
    key              text PRIMARY KEY CHECK (key ~ '^[A-Z][A-Z0-9]{1,9}$'),
    name             text NOT NULL CHECK (name <> ''),
    purpose          text NOT NULL DEFAULT '',
    unit             text NOT NULL,              -- id of the unit that owns it, in the company document
    default_assignee text NOT NULL DEFAULT '',   -- a party
    archived_at      timestamptz,
    created_at       timestamptz NOT NULL,
    next_no          bigint NOT NULL DEFAULT 1,  -- the number of the next item
    open             int NOT NULL DEFAULT 0,     -- items by status group, kept by whoever changes one
    done             int NOT NULL DEFAULT 0,
    closed           int NOT NULL DEFAULT 0,
    changed_at       timestamptz,                -- the last change of its work
    changed_by       text NOT NULL DEFAULT '',
    changed_as       text NOT NULL DEFAULT '',
    version          int NOT NULL DEFAULT 1
);

CREATE TABLE tags (
    project     text NOT NULL REFERENCES projects (key),
    slug        text NOT NULL,
    label       text NOT NULL,
    archived_at timestamptz,
    PRIMARY KEY (project, slug)
);
CREATE UNIQUE INDEX tags_label ON tags (project, lower(label));

CREATE TABLE items (
    id               uuid PRIMARY KEY,
    project          text NOT NULL REFERENCES projects (key),
    no               bigint NOT NULL,
    type             text NOT NULL,
    title            text NOT NULL CHECK (title <> ''),
    folded           text NOT NULL,              -- the title as duplicates are found by
    description      text NOT NULL DEFAULT '',
    edition          int NOT NULL DEFAULT 0,     -- saves of the description
    status           text NOT NULL CHECK (status IN ('todo', 'in_progress', 'in_review', 'done', 'cancelled', 'closed')),
    status_group     text NOT NULL GENERATED ALWAYS AS (
        CASE status WHEN 'todo' THEN 'not_started' WHEN 'done' THEN 'done'
        WHEN 'cancelled' THEN 'closed' WHEN 'closed' THEN 'closed' ELSE 'active' END) STORED,
    open             boolean NOT NULL GENERATED ALWAYS AS (status IN ('todo', 'in_progress', 'in_review')) STORED,
    priority         smallint NOT NULL DEFAULT 2 CHECK (priority BETWEEN 0 AND 4), -- none low normal high urgent
    assignee         text NOT NULL DEFAULT '',   -- a party
    reporter         text NOT NULL,              -- a party
    unit             text NOT NULL DEFAULT '',   -- filed into; set at create
    routing_unit     text NOT NULL DEFAULT '',   -- whose lead hears
    labels           text[] NOT NULL DEFAULT '{}', -- slugs of the project's tags, in order
    urls             text[] NOT NULL DEFAULT '{}', -- outside references
    parent           uuid REFERENCES items (id),
    depth            smallint NOT NULL DEFAULT 0 CHECK (depth BETWEEN 0 AND 8),
    start_on         date,
    start_at         timestamptz,                -- null when the start is a whole day
    due_on           date,
    due_at           timestamptz,                -- null when it is due a whole day
    estimate_minutes int CHECK (estimate_minutes BETWEEN 0 AND 10000000),
    points           numeric(8, 2) CHECK (points BETWEEN 0 AND 100000),
    comments         int NOT NULL DEFAULT 0,     -- counts are kept by whoever writes
    open_asks        int NOT NULL DEFAULT 0,
    blockers         int NOT NULL DEFAULT 0,     -- open items it waits on
    children         int NOT NULL DEFAULT 0,
    children_open    int NOT NULL DEFAULT 0,
    handed           int NOT NULL DEFAULT 0,     -- hand-offs between seats since a person touched it
    version          int NOT NULL DEFAULT 1,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    closed_at        timestamptz,
    CONSTRAINT items_number UNIQUE (project, no),
    CONSTRAINT items_not_its_own_parent CHECK (parent <> id)
);
-- Lists are read by one order within one container; open work apart from all.
CREATE INDEX items_updated ON items (updated_at DESC, id DESC);
CREATE INDEX items_open_updated ON items (updated_at DESC, id DESC) WHERE open;
CREATE INDEX items_project_updated ON items (project, updated_at DESC, id DESC);
CREATE INDEX items_project_open ON items (project, updated_at DESC, id DESC) WHERE open;
CREATE INDEX items_assignee ON items (assignee, updated_at DESC, id DESC) WHERE open;
CREATE INDEX items_reporter ON items (reporter, updated_at DESC, id DESC);
CREATE INDEX items_due ON items (due_on, id);
CREATE INDEX items_open_due ON items (due_on, id) WHERE open;
CREATE INDEX items_priority ON items (priority DESC, updated_at DESC, id DESC);
CREATE INDEX items_open_priority ON items (priority DESC, updated_at DESC, id DESC) WHERE open;
CREATE INDEX items_labels ON items USING gin (labels);
CREATE INDEX items_parent ON items (parent) WHERE parent IS NOT NULL;
CREATE INDEX items_folded ON items (project, folded) WHERE open;
CREATE INDEX items_created ON items (created_at DESC, id DESC);

CREATE TABLE item_editions (
    item        uuid NOT NULL REFERENCES items (id),
    edition     int NOT NULL,
    text        text NOT NULL,
    author      text NOT NULL,
    author_name text NOT NULL,
    at          timestamptz NOT NULL,
    PRIMARY KEY (item, edition)
);

-- Who follows an item besides its assignee and reporter.
CREATE TABLE item_parties (
    item  uuid NOT NULL REFERENCES items (id),
    party text NOT NULL,
    role  text NOT NULL CHECK (role IN ('watcher', 'collaborator')),
    PRIMARY KEY (item, role, party)
);
CREATE INDEX item_parties_party ON item_parties (party, role, item);

-- "item waits on other", "item is linked with other", "item duplicates other".
CREATE TABLE item_links (
    item  uuid NOT NULL REFERENCES items (id),
    other uuid NOT NULL REFERENCES items (id),
    kind  text NOT NULL CHECK (kind IN ('waiting_on', 'linked', 'duplicates')),
    PRIMARY KEY (item, kind, other),
    CONSTRAINT item_links_not_itself CHECK (item <> other)
);
CREATE INDEX item_links_other ON item_links (other, kind);

CREATE TABLE comments (
    id          uuid PRIMARY KEY,
    item        uuid NOT NULL REFERENCES items (id),
    author      text NOT NULL,          -- a party
    author_name text NOT NULL,          -- as people read it, at the time
    author_as   text NOT NULL CHECK (author_as IN ('human', 'operator', 'agent', 'system')),
    body        text NOT NULL,          -- empty once removed
    at          timestamptz NOT NULL,
    edited_at   timestamptz,
    removed_at  timestamptz,
    removed_by  text NOT NULL DEFAULT '',
    version     int NOT NULL DEFAULT 1
);
CREATE INDEX comments_item ON comments (item, id DESC);

CREATE TABLE comment_editions (
    comment uuid NOT NULL REFERENCES comments (id),
    version int NOT NULL,               -- the one that body was
    body    text NOT NULL,
    at      timestamptz NOT NULL,
    PRIMARY KEY (comment, version)
);

-- A question: a comment addressed to one party, closed by another comment.
CREATE TABLE asks (
    id          uuid PRIMARY KEY REFERENCES comments (id), -- the comment that asks
    item        uuid NOT NULL REFERENCES items (id),
    asker       text NOT NULL,          -- a party
    addressee   text NOT NULL,          -- a party
    options     text NOT NULL,          -- JSON: [{id, label, consequence}]; [] for a plain question
    multi       boolean NOT NULL,
    free        boolean NOT NULL,       -- an answer in one's own words is allowed
    due_on      date,
    state       text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'answered', 'withdrawn')),
    answer      uuid REFERENCES comments (id),
    choice      text[] NOT NULL DEFAULT '{}',
    answered_by text NOT NULL DEFAULT '',
    answered_at timestamptz,
    asked_at    timestamptz NOT NULL,
    CONSTRAINT asks_answered CHECK ((state = 'answered') = (answer IS NOT NULL))
);
CREATE INDEX asks_open ON asks (addressee, asked_at DESC, id DESC) WHERE state = 'open';
CREATE INDEX asks_item ON asks (item, asked_at DESC);
CREATE INDEX asks_asker ON asks (asker, asked_at DESC) WHERE state = 'open';

-- One notice per party per change, under its strongest reason.
CREATE TABLE notices (
    id         uuid PRIMARY KEY,        -- v7: newest first by id
    party      text NOT NULL,
    item       uuid NOT NULL REFERENCES items (id),
    reason     text NOT NULL CHECK (reason IN ('mention', 'asked', 'answered', 'unblocked', 'assignee', 'unassigned',
               'reporter', 'prioritised', 'collaborator', 'watcher', 'lead')),
    kind       text NOT NULL,           -- of the change: comment.added, item.updated
    actor      text NOT NULL,
    actor_name text NOT NULL,
    summary    text NOT NULL,           -- one line, as people read it
    comment    uuid REFERENCES comments (id),
    operation  uuid NOT NULL,           -- the change it tells of
    at         timestamptz NOT NULL,
    read_at    timestamptz,
    snoozed_until timestamptz,
    CONSTRAINT notices_once UNIQUE (party, operation, item)
);
CREATE INDEX notices_party ON notices (party, id DESC);
CREATE INDEX notices_unread ON notices (party, id DESC) WHERE read_at IS NULL;
CREATE INDEX notices_operation ON notices (operation);
CREATE INDEX notices_at ON notices (at);

-- What a party chose to see first in its inbox; those who chose nothing have none.
CREATE TABLE inbox_choices (
    party   text PRIMARY KEY,
    reasons text[] NOT NULL
);

-- A party's queue in its own order.
CREATE TABLE priorities (
    party  text NOT NULL,
    item   uuid NOT NULL REFERENCES items (id),
    ord    int NOT NULL,
    set_by text NOT NULL,               -- the party whose write it was
    set_at timestamptz NOT NULL,
    PRIMARY KEY (party, item)
);

-- History by project, read from the log.
ALTER TABLE changes ADD COLUMN project text GENERATED ALWAYS AS (
    CASE WHEN object LIKE 'item:%' THEN split_part(substr(object, 6), '-', 1)
         WHEN object LIKE 'project:%' THEN substr(object, 9) END) STORED;
CREATE INDEX changes_project ON changes (project, position DESC) WHERE project IS NOT NULL;
CREATE INDEX changes_operation ON changes (operation) WHERE project IS NOT NULL;
