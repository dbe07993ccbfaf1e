/** What became of a heartbeat in the database, in the transaction that is committed by now. */
export type Heard =
  /** With the lease that was granted by the same change of the node's row; null: none. */
  | { readonly kind: 'recorded'; readonly lease: RecordedLease | null }
  /** The row was locked and the heartbeat skipped; its news must be handed over again. */
  | { readonly kind: 'later' }
  /** The session is no longer the node's current one. */
  | { readonly kind: 'superseded' }

interface RecordedLease {
  readonly epoch: number
  readonly ttlMs: number
}

/**
 * The lease that the acknowledgement of a heartbeat carries: only one that a committed change of the
 * node's row has renewed. The takeover compares this row's counter, so a lease that is granted
 * without raising it would outlive a takeover (I1).
 * @param wanted whether the heartbeat that was recorded asked for it
 */
export const leaseIn = (heard: Heard, wanted: boolean): RecordedLease | undefined =>
  heard.kind === 'recorded' && wanted ? (heard.lease ?? undefined) : undefined
