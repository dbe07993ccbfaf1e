import { DriverError } from '@lodge/driver/driver.ts'
import type { KeptServer } from './kept-server.ts'
import { tellProgress } from './progress.ts'

/**
 * Changes a workload as far as that is possible (a machine also while it is stopped), and remembers whether a restart
 * is needed.
 */
export async function applyLive(keeper: KeptServer, abort: AbortSignal): Promise<void> {
  const { wish, memory, serverId, around } = keeper
  if (!wish?.spec) return
  const running = keeper.facts.running
  try {
    const applied = await around.driver.apply(
      { serverId, generation: wish.generation, run: memory.run },
      wish.spec,
      (progress) => tellProgress(keeper, progress),
      abort,
    )
    memory.diskLimit = applied.diskLimit
    memory.restartRequired = running && applied.restartRequired
    keeper.facts = { ...keeper.facts, exists: true }
    if (!running) memory.failure = null
    memory.appliedSpec = wish.specHash
    keeper.retries = 0
    keeper.retryAtMs = null
  } catch (error) {
    if (abort.aborted) return
    const passing = error instanceof DriverError && error.code === 'runtime_unavailable'
    if (passing) return keeper.retryLater()
    around.log.warn({ err: error, serverId }, 'a change of a server failed')
    memory.appliedSpec = wish.specHash
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
