/** After three missed heartbeats a node counts as offline. */
export const SILENT_SECONDS = 16

/**
 * Whether a node is online, as a condition on rows of `nodes`. It uses the database's clock, which
 * also wrote the time stamp, so skew between instances does not matter.
 */
export const ONLINE = `(nodes.session_id is not null and
  coalesce(nodes.last_seen_at > statement_timestamp() - interval '${SILENT_SECONDS} seconds', false))`
