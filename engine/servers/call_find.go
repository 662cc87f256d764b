package servers

// Figures of calls: how many there are, and error rate and latency of the
// newest 1,000, which an index finds however many there are.
const (
	figures = `
		coalesce(avg(CASE WHEN outcome = 'ok' THEN 0.0 ELSE 1.0 END), 0)::float8 AS error_rate,
		coalesce(percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms), 0)::bigint AS p50_ms,
		coalesce(percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms), 0)::bigint AS p95_ms`

	callColumns = `id, at, actor, actor_name, door, tool, server_name AS server, item, node, duration_ms, outcome,
		bytes_in, bytes_out, coalesce(operation::text, '') AS operation, payload IS NOT NULL AS kept`
)
