/** Which PostgreSQL answers. Null: this role may not ask, or this service does not say. */
export interface Identity {
  readonly systemIdentifier: string | null
  readonly timeline: number | null
}

/** What the database has recorded of itself. */
export interface Lineage extends Identity {
  /** Only grows, as long as the database is not set back. */
  readonly mark: number
  /** How often it was found to be set back, and the latest time. */
  readonly setBacks: number
  readonly setBackId: string | null
  /** How long ago that was, by the clock of the database. */
  readonly agoMs: number | null
}

/** Marks are raised by this much after a set-back: beyond what any instance may have seen. */
export const MARK_LEAP = 1_000_000

/** Epochs and revisions are raised by this much: beyond what was lost. */
export const EPOCH_LEAP = 1_000

/**
 * Why the database counts as set back; undefined if nothing speaks for it. A new timeline comes with
 * the promotion of a standby and with recovery to a point in time, which may have lost what was
 * committed last; another system identifier with a cluster restored from a dump. A dump restored
 * into the same cluster shows only in the mark.
 * @param now what PostgreSQL says of itself
 * @param seenMark the highest mark that this instance has seen
 */
export function whySetBack(lineage: Lineage, now: Identity, seenMark: number): string | undefined {
  const differs = <T>(before: T | null, after: T | null): boolean =>
    before !== null && after !== null && before !== after
  if (differs(lineage.systemIdentifier, now.systemIdentifier)) return 'another_cluster'
  if (differs(lineage.timeline, now.timeline)) return 'another_timeline'
  return lineage.mark < seenMark ? 'older_data' : undefined
}

/** What an agent says of itself when it connects; zero: it does not say. */
export interface AgentMark {
  /** The epoch in which this node was welcomed last. */
  readonly nodeEpoch: number
  /** The newest report that the control plane has acknowledged in it. */
  readonly acknowledgedReport: number
}

/** No lost epochs reach further: what is beyond is not true. */
const EPOCHS_AHEAD = 100_000

/**
 * Whether an agent has been told what the database does not know. Of another epoch its reports count
 * for nothing: each new credential restarts their numbers.
 */
export const isAgentAhead = (
  agent: AgentMark,
  known: { readonly epoch: number; readonly reportThrough: number },
): boolean =>
  (agent.nodeEpoch > known.epoch && agent.nodeEpoch <= known.epoch + EPOCHS_AHEAD) ||
  (agent.nodeEpoch > 0 &&
    agent.nodeEpoch === known.epoch &&
    agent.acknowledgedReport > known.reportThrough)
