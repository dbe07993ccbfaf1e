import { DriverError } from '@lodge/driver/driver.ts'
import { isMachine } from '@lodge/shared/machine-spec.ts'
import { Interrupted } from './interrupted.ts'
import type { KeptServer } from './kept-server.ts'
import { tellProgress } from './progress.ts'

const TRIES_BEFORE_FAILURE = 5

/** Brings the data to the wished installation, or says why not. A failed one is not tried again by itself. */
export async function install(keeper: KeptServer, abort: AbortSignal): Promise<void> {
  const { wish, memory, serverId, around } = keeper
  if (!wish?.spec) return
  const { install: number, generation, run, spec } = wish
  keeper.save()
  try {
    if (!(await around.hasRoom())) {
      throw new DriverError(
        'disk_full',
        'The disk of the node is full: nothing new is made on it',
        {
          retryable: true,
        },
      )
    }
    const leave = await around.gates.install.enter(abort)
    try {
      // An installer of an earlier agent may still be at work.
      await around.driver.kill(serverId)
      around.installLog(serverId).newRun()
      const server = { serverId, generation, run }
      const onProgress = (progress: Parameters<typeof tellProgress>[1]) =>
        tellProgress(keeper, progress)
      if (isMachine(spec) || spec.install)
        await around.driver.install(server, spec, onProgress, abort)
      else {
        const applied = await around.driver.apply(server, spec, onProgress, abort)
        memory.diskLimit = applied.diskLimit
        memory.appliedSpec = wish.specHash
        keeper.facts = { ...keeper.facts, exists: true }
      }
      abort.throwIfAborted()
    } finally {
      leave()
    }
  } catch (error) {
    return failed(keeper, { number, generation }, error, abort.aborted)
  }
  keeper.retries = 0
  memory.installed = number
  memory.installFailed = 0
  memory.failure = null
  keeper.phase('stopped')
  keeper.report('installed', { reason: 'The installation is complete' })
}

function failed(
  keeper: KeptServer,
  { number, generation }: { readonly number: number; readonly generation: number },
  error: unknown,
  aborted: boolean,
): void {
  const { memory, around, serverId, wish } = keeper
  const cancelled = error instanceof Interrupted || aborted
  // Only a newer wish cancels. An agent that ends leaves the rest to the one after it.
  if (cancelled && (wish?.removed || (wish?.generation ?? 0) <= generation)) return
  if (!cancelled && error instanceof DriverError && error.code === 'runtime_unavailable') {
    keeper.retryLater()
    if (keeper.retries < TRIES_BEFORE_FAILURE) return
  }
  const known = error instanceof DriverError
  if (!known && !cancelled) around.log.error({ err: error, serverId }, 'an installation failed')
  const detail = cancelled
    ? 'The installation was cancelled'
    : known
      ? error.message
      : 'The installation failed: see the log of the node'
  // The newer wish, such as to kill the server, has not failed by that.
  memory.failure = cancelled
    ? null
    : { code: known ? error.code : 'install_failed', detail, retryable: true }
  memory.installFailed = number
  keeper.retries = 0
  keeper.retryAtMs = null
  keeper.phase('stopped')
  keeper.report('install_failed', { reason: detail })
}
