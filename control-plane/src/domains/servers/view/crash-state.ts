import type { CrashPolicy, CrashState } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../../context.ts'
import { newestEvents } from '../event-store.ts'
import type { EventRow } from '../tables.ts'
import type { ServerView } from './view.ts'

/** More than a policy can produce in one window. */
const MOST_EVENTS = 500
/** Events that reset the crash policy. */
const ENDS_ROUND: ReadonlySet<EventRow['kind']> = new Set([
  'started',
  'stopped',
  'killed',
  'installed',
])

/** Crash policy state since a person last started the server, and whether it will restart. */
export async function crashState(
  ctx: Ctx,
  server: ServerView,
  policy: CrashPolicy,
): Promise<CrashState> {
  const newest = await newestEvents(ctx.db, server.id, MOST_EVENTS)
  const end = newest.findIndex(({ kind }) => ENDS_ROUND.has(kind))
  const round = end < 0 ? newest : newest.slice(0, end)
  const { restartAt } = server
  const fromMs = ctx.now.getTime() - policy.windowMinutes * 60_000
  const decided = round.filter(
    ({ restart, at }) => restart !== null && at.getTime() + restart.waitSeconds * 1000 > fromMs,
  ).length
  const gaveUp = round.find(({ kind }) => kind === 'gave_up')
  return {
    // The last one decided is still pending.
    attemptsInWindow: Math.max(0, decided - (restartAt === null ? 0 : 1)),
    restartAt,
    gaveUp:
      gaveUp && restartAt === null && server.observedState === 'crashed'
        ? { at: gaveUp.at.toISOString(), reason: gaveUp.reason }
        : null,
  }
}
