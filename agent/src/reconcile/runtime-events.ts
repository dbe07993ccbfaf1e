import type { DriverEvent, Exit } from '@lodge/driver/driver.ts'
import { probeReadiness } from './readiness/probe-readiness.ts'
import type { ReconciledServer } from './state/reconciled-server.ts'

/** An exit this soon after an out-of-memory kill is attributed to it. */
const OUT_OF_MEMORY_MS = 2_000
/** Further out-of-memory kills within this time are not reported again. */
const REPEATED_MS = 60_000
/** Tolerated clock difference between engine and agent. */
const SLACK_MS = 1_000

/** Applies an event of the runtime to one server. */
export function onRuntimeEvent(
  reconciler: ReconciledServer,
  event: Exclude<DriverEvent, { kind: 'reset' }>,
): void {
  switch (event.kind) {
    case 'started':
      onStarted(reconciler, event.at)
      return
    case 'exited':
      onExited(reconciler, event.exit)
      return
    case 'out-of-memory':
      onOutOfMemory(reconciler, event.at)
      return
    case 'removed':
      void onRemoved(reconciler)
      return
    case 'rebooted':
      reconciler.report('rebooted', {
        reason: "The server's own system has restarted it; it ran on",
      })
      return
  }
}

/** Something else started it; the agent's own starts are expected and ignored. */
export function onStarted(reconciler: ReconciledServer, at: Date): void {
  if (reconciler.work || reconciler.facts.running) return
  reconciler.facts = { exists: true, running: true, ended: false }
  reconciler.startedMs = at.getTime()
  reconciler.around.console(reconciler.serverId).follow()
  if (reconciler.desired?.power === 'on') {
    reconciler.phase('starting')
    reconciler.startCause = 'resume'
    void probeReadiness(reconciler)
  }
  reconciler.around.changed(reconciler.serverId)
  reconciler.wake()
}

function onExited(reconciler: ReconciledServer, exit: Exit): void {
  const { facts } = reconciler
  const atMs = exit.at.getTime()
  // A late event about the exit of an earlier run.
  if (facts.running && atMs < reconciler.startedMs - SLACK_MS) return
  if (!facts.running && reconciler.work !== 'start') return
  const outOfMemory = exit.outOfMemory || atMs - reconciler.outOfMemoryMs < OUT_OF_MEMORY_MS
  reconciler.remember({ ...exit, outOfMemory: outOfMemory && exit.code !== 0 })
  reconciler.facts = { ...facts, running: false, ended: true }
  reconciler.endProof()
  reconciler.ends.tell()
  reconciler.wake()
}

function onOutOfMemory(reconciler: ReconciledServer, at: Date): void {
  const earlierMs = reconciler.outOfMemoryMs
  reconciler.outOfMemoryMs = at.getTime()
  if (at.getTime() - earlierMs < REPEATED_MS) return
  reconciler.report('out_of_memory', {
    reason: 'A process of the server ran out of memory and was killed',
  })
}

/** Recreating a workload also removes the old one, so this checks whether one exists now. */
async function onRemoved(reconciler: ReconciledServer): Promise<void> {
  const busy = () => reconciler.work !== null && reconciler.work !== 'judge_end'
  if (busy()) return
  const found = await reconciler.around.look(reconciler.serverId).catch(() => ({ exists: true }))
  if (found?.exists || busy()) return
  reconciler.facts = { exists: false, running: false, ended: reconciler.facts.ended }
  reconciler.ends.tell()
  if (reconciler.desired?.power !== 'on' || reconciler.desired.removed) return
  if (reconciler.memory.phase === 'crashed' && reconciler.work === null) {
    reconciler.report('removed_outside', {
      reason: 'The workload was removed outside the panel. It is created again at the next start',
    })
  } else reconciler.removedOutside = true
  reconciler.wake()
}
