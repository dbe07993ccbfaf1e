/** Identity of a PostgreSQL server. Null: this role may not query it, or this service hides it. */
export interface Identity {
  readonly systemIdentifier: string | null
  readonly timeline: number | null
}

/** What the database has recorded about itself. */
export interface Lineage extends Identity {
  /** Never decreases unless the database is set back. */
  readonly mark: number
  /** How often it was found to be set back, and the latest time. */
  readonly setBacks: number
  readonly setBackId: string | null
  /** How long ago that was, by the database's clock. */
  readonly agoMs: number | null
}

/** Marks are raised by this much after a set-back: beyond any that an instance may have seen. */
export const MARK_LEAP = 1_000_000

/** Epochs and revisions are raised by this much: beyond what was lost. */
export const EPOCH_LEAP = 1_000

/**
 * Why the database counts as set back; undefined if nothing indicates it. A new timeline follows the
 * promotion of a standby and point-in-time recovery, which may have lost the latest commits; another
 * system identifier means a cluster restored from a dump. A dump restored into the same cluster shows
 * only in the mark.
 * @param now what PostgreSQL reports about itself
 * @param seenMark the highest mark that this instance has seen
 */
export function whySetBack(lineage: Lineage, now: Identity, seenMark: number): string | undefined {
  const differs = <T>(before: T | null, after: T | null): boolean =>
    before !== null && after !== null && before !== after
  if (differs(lineage.systemIdentifier, now.systemIdentifier)) return 'another_cluster'
  if (differs(lineage.timeline, now.timeline)) return 'another_timeline'
  return lineage.mark < seenMark ? 'older_data' : undefined
}

/** What an agent reports about itself when it connects; zero: not reported. */
export interface AgentMark {
  /** The epoch of its last session. */
  readonly nodeEpoch: number
  /** The newest report that the control plane has acknowledged in that epoch. */
  readonly acknowledgedReport: number
}

/** No set-back loses more epochs than this: an agent further ahead is not believed. */
const EPOCHS_AHEAD = 100_000

/**
 * Whether an agent knows something from us that the database does not. Report numbers of another
 * epoch are not compared: each new credential restarts them.
 */
export const isAgentAhead = (
  agent: AgentMark,
  known: { readonly epoch: number; readonly reportThrough: number },
): boolean =>
  (agent.nodeEpoch > known.epoch && agent.nodeEpoch <= known.epoch + EPOCHS_AHEAD) ||
  (agent.nodeEpoch > 0 &&
    agent.nodeEpoch === known.epoch &&
    agent.acknowledgedReport > known.reportThrough)
