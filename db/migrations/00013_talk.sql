-- What is said about work, found from its other ends.

-- +goose Up
CREATE INDEX asks_answer ON asks (answer) WHERE answer IS NOT NULL;
CREATE INDEX notices_comment ON notices (comment) WHERE comment IS NOT NULL;
CREATE INDEX notices_item ON notices (item, id DESC);
