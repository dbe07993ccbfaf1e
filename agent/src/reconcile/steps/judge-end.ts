import { isCleanExit } from '@lodge/shared/server-status.ts'
import { decideCrash, exitInWords } from '../state/crash.ts'
import { withoutSecrets } from '../state/event.ts'
import type { ReconciledServer } from '../state/reconciled-server.ts'

/** The last output, or the event that the workload was removed, may arrive just after the exit. */
const LAST_WORDS_MS = 200
const LAST_LINES = 50

const ENDED_WITH_LEASE =
  'The node had lost the control plane for so long that the server may run elsewhere, and ended it. ' +
  'It is started again when the node may run it'

/** Decides what to do after a workload exits while it should be running, and records it. */
export async function judgeEnd(reconciler: ReconciledServer): Promise<void> {
  const { memory, serverId, around } = reconciler
  await new Promise<void>((resolve) => around.clock.after(LAST_WORDS_MS, resolve))
  if (reconciler.removedOutside) {
    reconciler.removedOutside = false
    reconciler.phase('stopped')
    reconciler.report('removed_outside', {
      reason: 'The workload was removed outside the panel. It is created again',
    })
    return
  }
  if (await endedWithLease(reconciler)) {
    reconciler.phase('stopped')
    reconciler.report('killed', { reason: ENDED_WITH_LEASE, exit: memory.lastExit })
    return
  }
  const lastLines = withoutSecrets(
    await around.console(serverId).lastLines(LAST_LINES),
    reconciler.desired?.spec,
  )
  const { desired } = reconciler
  const nowMs = around.clock.nowMs()
  const exit = memory.lastExit ?? { code: null, signal: null, outOfMemory: false, atMs: nowMs }
  // The desired state may have changed while the last output was collected.
  if (desired?.power !== 'on' || desired.removed) return reconciler.phase('stopped')
  const end = { ...exit, at: new Date(exit.atMs) }
  const decision = decideCrash(desired.crashPolicy, memory.restartsMs, end, nowMs)
  const early = memory.phase === 'starting'
  // Use the exit's own time: the agent may notice it much later, after it was down.
  const atMs = exit.atMs < memory.sinceMs ? nowMs : Math.min(exit.atMs, nowMs)
  reconciler.phase('crashed', atMs)
  if (decision.kind === 'restart') memory.restartAtMs = nowMs + decision.waitSeconds * 1000
  if (early) {
    memory.failure = {
      code: 'start_failed',
      detail: `${exitInWords(end)} before it was up`,
      retryable: true,
    }
  }
  reconciler.report(isCleanExit(exit) && !early ? 'ended' : 'crashed', {
    reason: decision.reason,
    atMs,
    exit,
    lastLines,
    ...(decision.kind === 'restart' ? { restart: decision } : {}),
  })
  if (decision.kind === 'stay' && decision.exhausted) {
    reconciler.report('gave_up', { reason: decision.reason, exit })
  }
}

/** Not a crash: it counts as no restart, whatever the crash policy. */
async function endedWithLease({ memory, serverId, around }: ReconciledServer): Promise<boolean> {
  if (memory.failover.mode !== 'auto' || memory.lastExit === null) return false
  return await around.leases.hasEnded(serverId, memory.lastExit.atMs)
}
