import { DriverError } from '@lodge/driver/driver.ts'
import type { ReconciledServer } from '../state/reconciled-server.ts'
import { isPassing, reportIfLasting } from './passing.ts'
import { reportProgress } from './progress.ts'
import { restStopped } from './rest.ts'

/**
 * Applies a changed spec as far as possible without a restart, to a stopped machine as well, and
 * records whether a restart is needed.
 */
export async function applyLive(reconciler: ReconciledServer, abort: AbortSignal): Promise<void> {
  const { desired, memory, serverId, around } = reconciler
  if (!desired?.spec) return
  const running = reconciler.facts.running
  try {
    // What is stopped may run on another node, which has its files since.
    if (!running) await around.storages.take(desired)
    const applied = await around.driver.apply(
      { serverId, generation: desired.generation, run: memory.run },
      desired.spec,
      (progress) => reportProgress(reconciler, progress),
      abort,
    )
    memory.diskLimit = applied.diskLimit
    memory.restartRequired = running && applied.restartRequired
    reconciler.facts = { ...reconciler.facts, exists: true }
    if (!running) memory.failure = null
    memory.appliedSpec = desired.specHash
    reconciler.retries = 0
    reconciler.retryAtMs = null
  } catch (error) {
    if (abort.aborted) return
    if (isPassing(error)) {
      reconciler.retryLater()
      // What runs has an outcome already; something newer is judged by its own attempt.
      if (running || error.code === 'not_stopped') return
      if (reconciler.desired?.generation !== desired.generation) return
      restStopped(reconciler)
      reportIfLasting(reconciler, error)
      return
    }
    around.log.warn({ err: error, serverId }, 'could not apply a change to a server')
    memory.appliedSpec = desired.specHash
    memory.restartRequired = running
    memory.failure = {
      code: error instanceof DriverError ? error.code : 'apply_failed',
      detail:
        error instanceof DriverError
          ? error.message
          : 'The server could not be changed: see the log of the node',
      retryable: error instanceof DriverError && error.retryable,
    }
  }
}
