import { whyNot } from '@lodge/shared/server-status.ts'
import { type Ctx, contextFor } from '../../../context.ts'
import { deferredJobs } from '../../../jobs/board/store.ts'
import { watcher } from '../../../jobs/periodic-task.ts'
import type { Services } from '../../../services.ts'
import { lockOwner } from '../../customers/index.ts'
import { quotaOf } from '../../limits/index.ts'
import { aboutServer } from '../about.ts'
import { changeDesired, oneMoreRunning } from '../desired-state/desired-state.ts'
import { lockServer } from '../store.ts'
import type { ServerRow } from '../tables.ts'
import { findView, type ServerView, statusOf } from '../view/view.ts'

const KIND = 'server.start'
const WAITS_FOR =
  'Your limit of running servers is reached: the server starts when another one stops'
/** Attempts per run, oldest first. */
const AT_ONCE = 200
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Postpones a start until the owner's limits allow it; the job shows the reason. */
export const waitToStart = (
  ctx: Ctx,
  row: Pick<ServerRow, 'id' | 'name' | 'nodeId' | 'ownerId'>,
): Promise<unknown> =>
  ctx.jobs.desiredState.defer(ctx, KIND, WAITS_FOR, aboutServer(row, `Start ${row.name}`), [
    'Prepare',
    'Start',
  ])

/**
 * Starts what is waiting and now fits. An owner's servers start in the order they were requested.
 */
function startWaiting() {
  let after = FIRST
  return async (services: Services): Promise<{ started: number }> => {
    const found = await deferredJobs(services.db, KIND, after, AT_ONCE)
    after = found.length < AT_ONCE ? FIRST : (found.at(-1)?.id ?? FIRST)
    const full = new Set<string>()
    let started = 0
    for (const { id, serverId, ownerId } of found) {
      if (serverId === null || ownerId === null || full.has(ownerId)) continue
      const outcome = await startOne(services, { id, serverId })
      // Later starts of this owner must not overtake the one that did not fit.
      if (outcome === 'full') full.add(ownerId)
      if (outcome === 'started') started += 1
    }
    return { started }
  }
}

async function startOne(
  services: Services,
  job: { readonly id: string; readonly serverId: string },
): Promise<'started' | 'full' | 'over' | 'held'> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  return ctx.transaction(async (ctx) => {
    // Owner before server, like every operation; the view is read again under the locks.
    const found = await findView(ctx.db, job.serverId)
    const owner = found && (await lockOwner(ctx.db, found.ownerId))
    const row = await lockServer(ctx.db, job.serverId)
    const view = row && (await findView(ctx.db, row.id))
    if (!row || !view || !owner || row.desiredPower === 'on') {
      await ctx.jobs.desiredState.end(ctx.db, job.id, 'superseded')
      return 'over'
    }
    const refusal = whyNeverNow(view)
    if (refusal) {
      await ctx.jobs.desiredState.end(ctx.db, job.id, 'failed', {
        code: 'invalid_state',
        detail: refusal,
      })
      return 'over'
    }
    if (!mayStartNow(view)) return 'held'
    const quota = await quotaOf(ctx, owner)
    if (!(await quota.admits(oneMoreRunning, { of: row }))) return 'full'
    const { generation } = row
    if (!(await ctx.jobs.desiredState.begin(ctx.db, job.id, generation + 1))) return 'over'
    await changeDesired(ctx, row, {
      desiredPower: 'on',
      desiredRun: row.desiredRun + 1,
      desiredEnding: 'graceful',
    })
    return 'started'
  })
}

/** A failed installation needs a person, so waiting is pointless. */
const whyNeverNow = (view: ServerView): string | undefined =>
  statusOf(view) === 'install_failed' ? whyNot('start', 'install_failed') : undefined

/** Holds and offline nodes are temporary: the start keeps waiting. */
const mayStartNow = (view: ServerView): boolean =>
  view.nodeOnline && view.holds.length === 0 && whyNot('start', statusOf(view)) === undefined

export const waitingStarts = watcher(
  'servers.waiting_starts',
  `select from jobs where kind = '${KIND}' and runs_as = 'desired_state' and generation is null and ended_at is null`,
  startWaiting(),
)
