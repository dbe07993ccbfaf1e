import { type LeaseTimes, takeoverDelayMs } from './times.ts'

/** How long the leases of a node are, as it is in the database. */
export interface Granting {
  readonly epoch: number
  /** Grows with each change of how long the leases are that are granted. */
  readonly ttlRevision: number
  /** Of the leases that are granted now. */
  readonly ttlMs: number
  /** Of the longest lease that may be outstanding. */
  readonly longestTtlMs: number
}

/** What a coordinator has seen of it, and since when by its own monotonic clock; see `Sight`. */
export interface GrantingSight extends Granting {
  readonly sinceMs: number
}

export const lookAtGranting = (
  before: GrantingSight | undefined,
  { epoch, ttlRevision, ttlMs, longestTtlMs }: Granting,
  nowMs: number,
): GrantingSight =>
  before?.epoch === epoch &&
  before.ttlRevision === ttlRevision &&
  before.ttlMs === ttlMs &&
  before.longestTtlMs === longestTtlMs
    ? before
    : { epoch, ttlRevision, ttlMs, longestTtlMs, sinceMs: nowMs }

/**
 * Whether every lease that was granted before and is longer than those of now has ended. A shorter
 * lease that follows does not end a longer one, and the node alone knows which it has: what is
 * forgotten too early lets a server start elsewhere that runs still (I1).
 */
export const areLongerOver = (sight: GrantingSight, nowMs: number, times: LeaseTimes): boolean =>
  sight.ttlMs < sight.longestTtlMs &&
  nowMs - sight.sinceMs >= takeoverDelayMs(times, sight.longestTtlMs)
