import type { User } from '../../../actor.ts'
import { type Ctx, contextFor } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { requireQuota } from '../../limits/index.ts'
import { holdServer, type SharedServer } from '../../servers/index.ts'
import { findAuthor } from '../author.ts'
import { lockOf } from '../lock.ts'
import { beginRuns, newRun } from './begin.ts'
import { whyHeld } from './held.ts'
import { isRunning } from './run-store.ts'

/**
 * Begins a run by hand, even of a disabled schedule. Its tasks run with the rights of their author,
 * not of the caller.
 */
export function runNow(
  ctx: Ctx<User>,
  server: SharedServer,
  id: string,
): Promise<{ jobId: string; runId: string }> {
  return ctx.transaction(async (ctx) => {
    const { owner, row, view } = await holdServer(ctx, server)
    const schedule = await lockOf(ctx, server, id)
    await requireQuota(ctx, owner, () => [{ capability: 'maySchedules' }], { of: row })
    const held = whyHeld(view.holds.map(({ kind }) => kind))
    if (held !== undefined)
      throw new Problem('hold_active', held, { fields: { holds: view.holds } })
    if (await isRunning(ctx.db, schedule.id)) throw stillGoing()
    const author = await findAuthor(ctx.db, schedule.authorId)
    const run = newRun(
      { ...schedule, server: row, authorRole: author?.role ?? null, mustClaim: false },
      null,
    )
    const system = contextFor({ ...ctx }, { kind: 'system' } as const)
    const [begun] = await beginRuns(system, [{ ...run, startedBy: ctx.actor.id }])
    if (!begun) throw stillGoing()
    return { jobId: begun.jobId, runId: begun.id }
  })
}

const stillGoing = () => new Problem('invalid_state', 'A run of this schedule is still going')
