-- What is said about work, found from its other ends.

-- +goose Up
CREATE INDEX asks_answer ON asks (answer) WHERE answer IS NOT NULL;
CREATE INDEX notices_comment ON notices (comment) WHERE comment IS NOT NULL;
-- What is told of an item without a change of it.
CREATE INDEX notices_apart ON notices (item) WHERE kind IN ('item.unblocked', 'queue.ordered');
