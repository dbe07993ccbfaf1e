import { DriverError, type Progress } from '@lodge/driver/driver.ts'
import { isMachine } from '@lodge/shared/machine-spec.ts'
import { awaitPermit } from './boot-permit.ts'
import { recentRestarts } from './crash.ts'
import type { StartCause } from './decide.ts'
import { Interrupted } from './interrupted.ts'
import type { KeptServer } from './kept-server.ts'
import { tellProgress } from './progress.ts'
import { proveEarlierTry } from './prove-unheard.ts'

/** After so many tries the person who waits is told, though the tries go on. */
const TRIES_BEFORE_FAILURE = 5

/** Makes the workload and starts it; whether it is alive is seen later. */
export async function startServer(
  keeper: KeptServer,
  cause: StartCause,
  abort: AbortSignal,
): Promise<void> {
  const { wish, memory, serverId, around } = keeper
  if (!wish?.spec) return
  const nowMs = around.clock.nowMs()
  const retrying = keeper.retries > 0
  if (cause === 'asked') memory.restartsMs = []
  if (cause === 'crash_restart' && !retrying) {
    memory.restartsMs = [...recentRestarts(wish.crashPolicy, memory.restartsMs, nowMs), nowMs]
  }
  if (!retrying) keeper.startCause = cause
  memory.run = wish.run
  memory.failure = null
  keeper.facts = { ...keeper.facts, ended: false }
  keeper.phase('starting')
  keeper.save()
  try {
    await prepare(keeper, abort)
    await run(keeper, abort)
  } catch (error) {
    if (error instanceof Interrupted || abort.aborted) return await interrupted(keeper)
    failed(keeper, error)
    return
  }
  keeper.retries = 0
  keeper.retryAtMs = null
  around.log.debug({ serverId, run: memory.run }, 'started')
}

async function prepare(keeper: KeptServer, abort: AbortSignal): Promise<void> {
  const { wish, memory, serverId, around } = keeper
  if (!wish?.spec) return
  const leave = await around.gates.make.enter(abort)
  const onProgress = (progress: Progress) => {
    // An image may take minutes to come: others need not wait for it.
    if (progress.step === 'image') leave()
    tellProgress(keeper, progress)
  }
  try {
    const { generation } = wish
    const applied = await around.driver.apply(
      { serverId, generation, run: wish.run },
      wish.spec,
      onProgress,
      abort,
    )
    abort.throwIfAborted()
    memory.diskLimit = applied.diskLimit
    memory.restartRequired = false
    memory.appliedSpec = wish.specHash
    keeper.facts = { ...keeper.facts, exists: true }
    const configFiles = isMachine(wish.spec) ? [] : wish.spec.configFiles
    if (configFiles.length > 0) {
      tellProgress(keeper, {
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

async function run(keeper: KeptServer, abort: AbortSignal): Promise<void> {
  const { serverId, around } = keeper
  const machine = keeper.wish?.kind === 'machine'
  const { leave, permit } = machine
    ? await awaitPermit(keeper, abort)
    : { leave: await around.gates.start.enter(abort), permit: undefined }
  const started = Promise.withResolvers<void>()
  try {
    const output = around.console(serverId)
    output.newRun()
    output.follow()
    keeper.startedMs = around.clock.nowMs()
    keeper.facts = { exists: true, running: true, ended: false }
    keeper.prove([], started.promise)
    await around.driver.start(serverId, abort, permit)
    abort.throwIfAborted()
    started.resolve()
    if (keeper.retries > 0) await proveEarlierTry(keeper)
  } catch (error) {
    // It may have run for a moment: its end says more than the engine's refusal.
    if (!abort.aborted && keeper.facts.ended) return
    if (!abort.aborted) keeper.notStarted()
    throw error
  } finally {
    leave()
  }
}

/** Whether the engine started it before it heard of the change is for the engine to say. */
async function interrupted(keeper: KeptServer): Promise<void> {
  keeper.notStarted()
  const found = await keeper.around.look(keeper.serverId).catch(() => undefined)
  keeper.facts = {
    exists: found?.exists ?? keeper.facts.exists,
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

function failed(keeper: KeptServer, error: unknown): void {
  const { memory, around, serverId } = keeper
  const known = error instanceof DriverError || error instanceof StartFailed
  if (!known) around.log.error({ err: error, serverId }, 'a start failed')
  const failure = {
    code: known ? error.code : 'start_failed',
    detail: known ? error.message : 'The server could not be started: see the log of the node',
    retryable: error instanceof DriverError && error.retryable,
  }
  // A permit may end while the runtime is slow: another one is asked for.
  const passing = ['runtime_unavailable', 'not_permitted', 'not_stopped']
  if (error instanceof DriverError && passing.includes(error.code)) {
    keeper.retryLater()
    if (keeper.retries >= TRIES_BEFORE_FAILURE) {
      memory.failure = failure
      keeper.settle()
    }
    return
  }
  memory.failure = failure
  keeper.retries = 0
  keeper.retryAtMs = null
  keeper.phase('crashed')
  keeper.report('start_failed', { reason: failure.detail })
}
