import type { DriverEvent, Exit } from '@lodge/driver/driver.ts'
import type { KeptServer } from './kept-server.ts'
import { proveUnheard } from './prove-unheard.ts'

/** An end this soon after a process ran out of memory was caused by it. */
const OUT_OF_MEMORY_MS = 2_000
/** Further processes that run out of memory within this time are not told again. */
const REPEATED_MS = 60_000
/** Clocks of the engine and of the agent may differ by this much. */
const SLACK_MS = 1_000

/** Takes in what the runtime tells of one server. */
export function onRuntimeEvent(
  keeper: KeptServer,
  event: Exclude<DriverEvent, { kind: 'reset' }>,
): void {
  switch (event.kind) {
    case 'started':
      onStarted(keeper, event.at)
      return
    case 'exited':
      onExited(keeper, event.exit)
      return
    case 'out-of-memory':
      onOutOfMemory(keeper, event.at)
      return
    case 'removed':
      void onRemoved(keeper)
      return
    case 'rebooted':
      keeper.report('rebooted', { reason: "The server's own system has restarted it; it ran on" })
      return
  }
}

/** Somebody else started it; our own starts are expected. */
export function onStarted(keeper: KeptServer, at: Date): void {
  if (keeper.work || keeper.facts.running) return
  keeper.facts = { exists: true, running: true, ended: false }
  keeper.startedMs = at.getTime()
  keeper.around.console(keeper.serverId).follow()
  if (keeper.wish?.power === 'on') {
    keeper.phase('starting')
    keeper.startCause = 'resume'
    void proveUnheard(keeper)
  }
  keeper.around.changed(keeper.serverId)
  keeper.wake()
}

function onExited(keeper: KeptServer, exit: Exit): void {
  const { facts } = keeper
  const atMs = exit.at.getTime()
  // The end of an earlier run, told late.
  if (facts.running && atMs < keeper.startedMs - SLACK_MS) return
  if (!facts.running && keeper.work !== 'start') return
  const outOfMemory = exit.outOfMemory || atMs - keeper.outOfMemoryMs < OUT_OF_MEMORY_MS
  keeper.remember({ ...exit, outOfMemory: outOfMemory && exit.code !== 0 })
  keeper.facts = { ...facts, running: false, ended: true }
  keeper.endProof()
  keeper.ends.tell()
  keeper.wake()
}

function onOutOfMemory(keeper: KeptServer, at: Date): void {
  const earlierMs = keeper.outOfMemoryMs
  keeper.outOfMemoryMs = at.getTime()
  if (at.getTime() - earlierMs < REPEATED_MS) return
  keeper.report('out_of_memory', {
    reason: 'A process of the server ran out of memory and was ended',
  })
}

/** Making a workload anew removes the old one as well, so the runtime is asked what is there now. */
async function onRemoved(keeper: KeptServer): Promise<void> {
  const busy = () => keeper.work !== null && keeper.work !== 'judge_end'
  if (busy()) return
  const found = await keeper.around.look(keeper.serverId).catch(() => ({ exists: true }))
  if (found?.exists || busy()) return
  keeper.facts = { exists: false, running: false, ended: keeper.facts.ended }
  keeper.ends.tell()
  if (keeper.wish?.power !== 'on' || keeper.wish.removed) return
  if (keeper.memory.phase === 'crashed' && keeper.work === null) {
    keeper.report('removed_outside', {
      reason: 'The workload was removed outside the panel; it is made again at the next start',
    })
  } else keeper.removedOutside = true
  keeper.wake()
}
