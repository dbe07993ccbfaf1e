/** After three missed heartbeats a node counts as silent. */
export const SILENT_SECONDS = 16

/**
 * Whether a node is online, as a condition on rows of `nodes`: by the clock of the database, which is
 * also the one that wrote it down.
 */
export const ONLINE = `(nodes.session_id is not null and
  coalesce(nodes.last_seen_at > statement_timestamp() - interval '${SILENT_SECONDS} seconds', false))`
