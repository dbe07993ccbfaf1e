import { backoffMs } from '@lodge/shared/backoff.ts'
import { filledIn, LATE_STOP, STOP_WORDS } from '@lodge/shared/end-words.ts'
import { stopSteps } from '@lodge/shared/machine-spec.ts'
import { exitInWords } from '../state/crash.ts'
import type { EndCause } from '../state/decide.ts'
import { withoutSecrets } from '../state/event.ts'
import type { ReconciledServer } from '../state/reconciled-server.ts'
import { reportProgress } from './progress.ts'
import { DEFAULT_STOP, runStopChain } from './stop-chain.ts'

/**
 * A killed workload's exit is normally reported within moments; after this the engine is queried.
 */
const KILL_WAIT_MS = 5_000
const KILL_ANSWER_MS = 20_000
const TRIES_BEFORE_FAILURE = 8
const AGAIN = { leastMs: 1_000, mostMs: 2_000 }

/**
 * Stops the workload, gracefully first unless `how` is kill; an abort cuts the grace period short.
 * Returns when the engine reports that nothing runs any more.
 */
export async function endWorkload(
  reconciler: ReconciledServer,
  how: 'graceful' | 'kill',
  why: EndCause | 'start_timeout',
  hurry: AbortSignal,
): Promise<void> {
  const { memory, serverId, around } = reconciler
  const running = () => reconciler.facts.running
  const ended = (timeoutMs: number, signal?: AbortSignal) =>
    reconciler.ends.wait(around.clock, running, timeoutMs, signal)
  const graceful =
    how === 'graceful' &&
    (await runStopChain({
      driver: around.driver,
      serverId,
      steps: stepsOf(reconciler),
      ended,
      hurry,
    }))
  const timedOut = how === 'graceful' && !graceful && !hurry.aborted
  if (timedOut) reportKill(reconciler)
  if (!graceful) await kill(reconciler, ended)
  if (why === 'start_timeout') return await startTimedOut(reconciler)
  reconciler.phase('stopped')
  memory.failure = null
  if (why === 'power_off' || why === 'newer_run') memory.restartsMs = []
  const exit = memory.lastExit
  const because = timedOut
    ? filledIn(LATE_STOP, { why: STOP_WORDS[why], seconds: graceSeconds(reconciler) })
    : STOP_WORDS[why]
  const words = exit ? `. ${exitInWords({ ...exit, at: new Date(exit.atMs) })}` : ''
  reconciler.report(graceful ? 'stopped' : 'killed', { reason: `${because}${words}`, exit })
}

const stepsOf = ({ spec }: ReconciledServer) => (spec ? stopSteps(spec) : DEFAULT_STOP)

const graceSeconds = (reconciler: ReconciledServer): number =>
  stepsOf(reconciler).reduce((sum, { timeoutSeconds }) => sum + timeoutSeconds, 0)

/** Reports the kill to the stop job as well. */
function reportKill(reconciler: ReconciledServer): void {
  const detail = `It did not end within ${graceSeconds(reconciler)} s of being asked and was killed`
  reportProgress(reconciler, { step: 'stop', percent: null, detail })
}

async function kill(
  reconciler: ReconciledServer,
  ended: (timeoutMs: number) => Promise<boolean>,
): Promise<void> {
  const { serverId, around, memory } = reconciler
  for (let tries = 1; reconciler.facts.running; tries += 1) {
    try {
      // The exit event arrives first; the engine answers the call only after its own cleanup.
      const answered = around.driver.kill(serverId)
      answered.catch(() => {})
      if (await Promise.race([answered.then(() => false), ended(KILL_ANSWER_MS)])) return
      if (await ended(KILL_WAIT_MS)) return
      const found = await around.look(serverId)
      if (!found?.running) reconciler.adopt(found)
    } catch (error) {
      around.log.warn({ err: error, serverId, tries }, 'could not kill a server')
      if (tries === TRIES_BEFORE_FAILURE) {
        memory.failure = {
          code: 'stop_failed',
          detail:
            'The server could not be ended yet: its engine does not answer. It is tried again',
          retryable: true,
        }
        reconciler.settle()
      }
      await ended(backoffMs(tries - 1, AGAIN))
    }
  }
}

async function startTimedOut(reconciler: ReconciledServer): Promise<void> {
  const { desired, memory, serverId, around } = reconciler
  const seconds = desired?.spec?.proofOfLife.timeoutSeconds ?? 0
  const detail = `The server gave no sign of life within ${seconds} s and was ended`
  reconciler.phase('crashed')
  memory.failure = { code: 'start_timeout', detail, retryable: true }
  const lastLines = withoutSecrets(await around.console(serverId).lastLines(50), desired?.spec)
  reconciler.report('start_failed', { reason: detail, exit: memory.lastExit, lastLines })
}
