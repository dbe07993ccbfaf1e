import { STILL_GOING, standingAfter } from '@lodge/shared/schedule-tasks.ts'
import { Permanent, type StepTools, saga } from '../../../jobs/sagas/saga.ts'
import { claimOccurrence } from '../alone/claim.ts'
import type { KeptResult } from '../tables.ts'
import { endRun } from './end-run.ts'
import { Run } from './run-input.ts'
import { findRun, updateRun } from './run-store.ts'
import { runTask } from './run-task.ts'

/**
 * Runs the tasks of a schedule in order. Progress is stored with the run, so that any worker resumes
 * it; a waiting task occupies no worker.
 */
export const runSaga = saga('schedule.run', Run).step('Run the tasks', {
  async do(run, tools) {
    const failed = await runTasks(run, tools)
    if (failed !== undefined) throw new Permanent('invalid_state', failed)
  },
  // Reached after a failure, whose end is recorded already, and after a cancellation, whose end is
  // not.
  undo: async (run, tools) =>
    endRun(tools.ctx, run, {
      state: tools.failure?.code === 'cancelled' ? 'cancelled' : 'failed',
      detail: tools.failure?.detail ?? null,
    }),
})

/** @returns why it failed; undefined if it did not */
async function runTasks(run: Run, tools: StepTools): Promise<string | undefined> {
  const found = await findRun(tools.ctx.db, run.runId)
  if (!found) throw new Permanent('cancelled', 'The schedule was deleted')
  // An earlier attempt has ended it.
  if (found.byNode) return undefined
  if (found.endedAt !== null) return found.state === 'failed' ? (found.detail ?? '') : undefined
  if (run.claim !== null && found.results.every(({ state }) => state === 'waiting')) {
    const claimed = await claimOccurrence(run, new Date(run.claim), tools)
    if (claimed === 'taken') return undefined
    if (claimed === 'busy') {
      await updateRun(tools.ctx.db, run.runId, {
        ...{ state: 'skipped', detail: STILL_GOING, endedAt: new Date(), results: [] },
      })
      return undefined
    }
  }
  const results: KeptResult[] = []
  for (const [at, task] of run.tasks.entries()) {
    tools.signal.throwIfAborted()
    const result = found.results[at]
    if (!result) break
    results.push(result.endedAt === null ? await runTask(run, { at, task, result }, tools) : result)
    if (standingAfter(run.tasks, results).isOver) break
  }
  const { state, detail } = standingAfter(run.tasks, results)
  await endRun(tools.ctx, run, { state, detail })
  return state === 'failed' ? (detail ?? '') : undefined
}
