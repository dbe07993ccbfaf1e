import { DriverError, type Progress } from '@lodge/driver/driver.ts'
import { isMachine } from '@lodge/shared/machine-spec.ts'
import { probeEarlierTry } from '../readiness/probe-readiness.ts'
import { recentRestarts } from '../state/crash.ts'
import type { StartCause } from '../state/decide.ts'
import type { ReconciledServer } from '../state/reconciled-server.ts'
import { bootGuarded } from './boot-guarded.ts'
import { awaitPermit } from './boot-permit.ts'
import { Interrupted } from './interrupted.ts'
import { isPassing, reportIfLasting, waitsForPort } from './passing.ts'
import { reportProgress } from './progress.ts'
import { tellToBoot } from './tell-to-boot.ts'

/** Creates and starts the workload; the readiness probe decides later whether it succeeded. */
export async function startServer(
  reconciler: ReconciledServer,
  cause: StartCause,
  abort: AbortSignal,
): Promise<void> {
  const { desired, memory, serverId, around } = reconciler
  if (!desired?.spec) return
  const nowMs = around.clock.nowMs()
  const retrying = reconciler.retries > 0
  if (cause === 'asked') memory.restartsMs = []
  // Retries of one restart count once against the crash policy.
  if (cause === 'crash_restart' && !retrying) {
    memory.restartsMs = [...recentRestarts(desired.crashPolicy, memory.restartsMs, nowMs), nowMs]
  }
  if (!retrying) reconciler.startCause = cause
  // Recorded before the engine acts: after a crash the next agent sees that this run was begun, and
  // asks the runtime whether it is up.
  memory.run = desired.run
  memory.ownRunsBegun = desired.ownRuns
  memory.failure = null
  reconciler.facts = { ...reconciler.facts, ended: false }
  reconciler.phase('starting')
  reconciler.save()
  try {
    await prepare(reconciler, abort)
    await run(reconciler, abort)
  } catch (error) {
    if (error instanceof Interrupted || abort.aborted) return await interrupted(reconciler)
    failed(reconciler, error)
    return
  }
  reconciler.retries = 0
  reconciler.retryAtMs = null
  around.log.debug({ serverId, run: memory.run }, 'started')
}

async function prepare(reconciler: ReconciledServer, abort: AbortSignal): Promise<void> {
  const { desired, memory, serverId, around } = reconciler
  if (!desired?.spec) return
  const leave = await around.semaphores.make.enter(abort)
  const onProgress = (progress: Progress) => {
    // Pulling an image may take minutes: let others prepare meanwhile.
    if (progress.step === 'image') leave()
    reportProgress(reconciler, progress)
  }
  try {
    const { generation } = desired
    await around.storages.take(desired)
    const applied = await around.driver.apply(
      { serverId, generation, run: desired.run },
      desired.spec,
      onProgress,
      abort,
    )
    abort.throwIfAborted()
    memory.diskLimit = applied.diskLimit
    memory.restartRequired = false
    memory.appliedSpec = desired.specHash
    reconciler.facts = { ...reconciler.facts, exists: true }
    const configFiles = isMachine(desired.spec) ? [] : desired.spec.configFiles
    if (configFiles.length > 0) {
      reportProgress(reconciler, {
        step: 'configure',
        percent: null,
        detail: 'Writing configuration files',
      })
      await around
        .configure(around.driver.dataFolder(serverId), configFiles)
        .catch((error: unknown) => {
          throw new StartFailed(
            'configure_failed',
            error instanceof Error ? error.message : String(error),
          )
        })
    }
  } finally {
    leave()
  }
}

async function run(reconciler: ReconciledServer, abort: AbortSignal): Promise<void> {
  const { serverId, around, memory } = reconciler
  const guarded = memory.failover.mode === 'auto'
  const { leave, allowed } =
    guarded || reconciler.desired?.kind === 'machine'
      ? await awaitPermit(reconciler, abort)
      : { leave: await around.semaphores.start.enter(abort), allowed: undefined }
  const started = Promise.withResolvers<void>()
  try {
    // Once more, since making it may have taken long, and waiting for the permit longer.
    if (reconciler.desired) await around.storages.take(reconciler.desired)
    const output = around.console(serverId)
    output.newRun()
    output.follow()
    reconciler.startedMs = around.clock.nowMs()
    // Set before the engine is called, because the workload may print or exit before the call
    // returns.
    reconciler.facts = { exists: true, running: true, ended: false }
    reconciler.probe([], started.promise)
    // Its mode may have changed while it waited; what is guarded later is bound then.
    if (guarded && memory.failover.mode === 'auto' && allowed)
      await bootGuarded(reconciler, allowed, abort)
    else if (allowed)
      await tellToBoot(reconciler, () => around.driver.start(serverId, abort, allowed.permit))
    else await around.driver.start(serverId, abort)
    abort.throwIfAborted()
    started.resolve()
    if (reconciler.retries > 0) await probeEarlierTry(reconciler)
  } catch (error) {
    // It may have run for a moment: its exit says more than the engine's error.
    if (!abort.aborted && reconciler.facts.ended) return
    if (!abort.aborted) reconciler.notStarted()
    throw error
  } finally {
    leave()
  }
}

/** After an interruption, only the engine knows whether the workload was started. */
async function interrupted(reconciler: ReconciledServer): Promise<void> {
  reconciler.notStarted()
  const look = reconciler.around.look(reconciler.serverId)
  const found = await look.catch(() => undefined)
  if (found) reconciler.memory.booting = false
  reconciler.facts = {
    exists: found?.exists ?? reconciler.facts.exists,
    running: found?.running ?? false,
    ended: false,
  }
}

class StartFailed extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

function failed(reconciler: ReconciledServer, error: unknown): void {
  const { memory, around, serverId } = reconciler
  if (isPassing(error) || waitsForPort(reconciler, error)) {
    reconciler.retryLater()
    reportIfLasting(reconciler, error)
    return
  }
  const known = error instanceof DriverError || error instanceof StartFailed
  if (!known) around.log.error({ err: error, serverId }, 'start failed')
  memory.failure = {
    code: known ? error.code : 'start_failed',
    detail: known ? error.message : 'The server could not be started: see the log of the node',
    retryable: error instanceof DriverError && error.retryable,
  }
  reconciler.retries = 0
  reconciler.retryAtMs = null
  reconciler.phase('crashed')
  reconciler.report('start_failed', { reason: memory.failure.detail })
}
