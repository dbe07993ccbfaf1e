import { DriverError, type DriverErrorCode } from '@lodge/driver/driver.ts'
import { isMachine } from '@lodge/shared/machine-spec.ts'
import type { ReconciledServer } from '../state/reconciled-server.ts'
import { Interrupted } from './interrupted.ts'
import { reportProgress } from './progress.ts'

const TRIES_BEFORE_FAILURE = 5
const PASSING: readonly DriverErrorCode[] = ['runtime_unavailable', 'storage_away']

/**
 * Brings the data to the desired installation, or reports why not. A failed installation is not
 * retried automatically: an installer may have left the data half changed.
 */
export async function install(reconciler: ReconciledServer, abort: AbortSignal): Promise<void> {
  const { desired, memory, serverId, around } = reconciler
  if (!desired?.spec) return
  const { install: number, generation, run, spec } = desired
  reconciler.save()
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
    const leave = await around.semaphores.install.enter(abort)
    try {
      // An installer started by an earlier agent may still be running.
      await around.driver.kill(serverId)
      await around.storages.take(desired)
      around.installLog(serverId).newRun()
      const server = { serverId, generation, run }
      const onProgress = (progress: Parameters<typeof reportProgress>[1]) =>
        reportProgress(reconciler, progress)
      if (isMachine(spec) || spec.install) {
        const { installer } = around.driver
        if (!installer) throw new DriverError('unsupported', 'This node cannot install servers.')
        await installer.install(server, spec, onProgress, abort)
      } else {
        const applied = await around.driver.apply(server, spec, onProgress, abort)
        memory.diskLimit = applied.diskLimit
        memory.appliedSpec = desired.specHash
        reconciler.facts = { ...reconciler.facts, exists: true }
      }
      abort.throwIfAborted()
    } finally {
      leave()
    }
  } catch (error) {
    return failed(reconciler, { number, generation }, error, abort.aborted)
  }
  reconciler.retries = 0
  memory.installed = number
  memory.installFailed = 0
  memory.failure = null
  reconciler.phase('stopped')
  reconciler.report('installed', { reason: 'The installation is complete' })
}

function failed(
  reconciler: ReconciledServer,
  { number, generation }: { readonly number: number; readonly generation: number },
  error: unknown,
  aborted: boolean,
): void {
  const { memory, around, serverId, desired } = reconciler
  const cancelled = error instanceof Interrupted || aborted
  // Only a newer desired state cancels. After a shutdown of the agent, the next agent resumes the
  // installation.
  if (cancelled && (desired?.removed || (desired?.generation ?? 0) <= generation)) return
  if (!cancelled && error instanceof DriverError && PASSING.includes(error.code)) {
    reconciler.retryLater()
    if (reconciler.retries < TRIES_BEFORE_FAILURE) return
  }
  const known = error instanceof DriverError
  if (!known && !cancelled) around.log.error({ err: error, serverId }, 'installation failed')
  const detail = cancelled
    ? 'The installation was cancelled'
    : known
      ? error.message
      : 'The installation failed: see the log of the node'
  // The newer desired state, such as a kill, has not failed because of this.
  memory.failure = cancelled
    ? null
    : { code: known ? error.code : 'install_failed', detail, retryable: true }
  memory.installFailed = number
  reconciler.retries = 0
  reconciler.retryAtMs = null
  reconciler.phase('stopped')
  reconciler.report('install_failed', { reason: detail })
}
