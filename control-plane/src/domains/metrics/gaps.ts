import type { MetricsGap, ServerEvent } from '@lodge/shared/servers.ts'
import type { Db } from '../../db/database.ts'
import { lastEventKinds } from '../servers/index.ts'
import type { ServerRow } from '../servers/tables.ts'
import type { Window } from './window.ts'

interface Time {
  readonly from: Date
  readonly to: Date
}

/** A late sample is no gap. */
const MISSING_STEPS = 2.5
/** After these events a server runs, so its metrics are missing for another reason. */
const RUNS: ReadonlySet<ServerEvent['kind']> = new Set([
  'started',
  'restarted',
  'adopted',
  'rebooted',
])
/** A node that reported less than this share of a time was offline. */
const PRESENT = 0.5
const EVENT_DELAY_MS = 60_000

/**
 * The times of a window without any figures.
 * @param bins starts of the steps that have figures (ms since 1970), ascending
 */
export function emptyTimes(bins: readonly number[], { from, to, stepSeconds }: Window): Time[] {
  const step = stepSeconds * 1000
  const covered = [from.getTime() - step, ...bins, to.getTime()]
  return covered.slice(1).flatMap((next, index) => {
    const before = covered[index] ?? next
    if (next - before <= MISSING_STEPS * step) return []
    return [{ from: new Date(before + step), to: new Date(next) }]
  })
}

/**
 * Why a server has no figures in these times: it did not exist, did not run, or its node did not
 * report.
 * @param nodeBins starts of the steps in which its node reported (ms since 1970)
 */
export async function explained(
  db: Db,
  server: Pick<ServerRow, 'id' | 'createdAt'>,
  times: readonly Time[],
  { stepSeconds }: Window,
  nodeBins: readonly number[],
): Promise<MetricsGap[]> {
  const parts = times.flatMap((time) => splitAt(time, server.createdAt))
  // The event of a stop comes up to a step after the last sample, that of a start before the next.
  const delayMs = Math.max(EVENT_DELAY_MS, stepSeconds * 1000)
  const kinds = await lastEventKinds(
    db,
    server.id,
    parts.map(
      ({ from, to }) =>
        new Date(Math.min(from.getTime() + delayMs, (from.getTime() + to.getTime()) / 2)),
    ),
  )
  const reasonOf = ({ from, to }: Time, kind: ServerEvent['kind'] | undefined) => {
    if (to <= server.createdAt) return 'not_created'
    if (kind !== undefined && !RUNS.has(kind)) return 'stopped'
    const steps = (to.getTime() - from.getTime()) / 1000 / stepSeconds
    const present = nodeBins.filter((bin) => bin >= from.getTime() && bin < to.getTime()).length
    return present < steps * PRESENT ? 'node_offline' : 'unknown'
  }
  return parts.map((part, index) => ({
    from: part.from.toISOString(),
    to: part.to.toISOString(),
    reason: reasonOf(part, kinds[index]),
  }))
}

/** The part before the server existed has a reason of its own. */
const splitAt = ({ from, to }: Time, at: Date): Time[] =>
  from < at && at < to
    ? [
        { from, to: at },
        { from: at, to },
      ]
    : [{ from, to }]
