import { ONLINE } from '../../fleet/online.ts'

/**
 * Whether a node is online and has reported everything that it did before it connected, as a
 * condition on rows of `nodes`.
 */
export const CAUGHT_UP = `(${ONLINE} and nodes.newest_report <=
  coalesce((select through from node_reports where node_reports.node_id = nodes.id), 0))`
