import { isCleanExit } from '@lodge/shared/server-status.ts'
import { decideCrash, exitInWords } from './crash.ts'
import { withoutSecrets } from './event.ts'
import type { KeptServer } from './kept-server.ts'

/** The last output, or the news that the workload was removed, may come a moment after its end. */
const LAST_WORDS_MS = 200
const LAST_LINES = 50

/** Decides what follows from the end of a workload that was wished on, and writes it down. */
export async function judgeEnd(keeper: KeptServer): Promise<void> {
  const { memory, serverId, around } = keeper
  await new Promise<void>((resolve) => around.clock.after(LAST_WORDS_MS, resolve))
  if (keeper.removedOutside) {
    keeper.removedOutside = false
    keeper.phase('stopped')
    keeper.report('removed_outside', {
      reason: 'The workload was removed outside the panel; it is made again',
    })
    return
  }
  const lastLines = withoutSecrets(
    await around.console(serverId).lastLines(LAST_LINES),
    keeper.wish?.spec,
  )
  const { wish } = keeper
  const nowMs = around.clock.nowMs()
  const exit = memory.lastExit ?? { code: null, signal: null, outOfMemory: false, atMs: nowMs }
  if (wish?.power !== 'on' || wish.removed) return keeper.phase('stopped')
  const end = { ...exit, at: new Date(exit.atMs) }
  const decision = decideCrash(wish.crashPolicy, memory.restartsMs, end, nowMs)
  const early = memory.phase === 'starting'
  // The exit says when it was: it may be noticed long after, when the agent was away.
  const atMs = exit.atMs < memory.sinceMs ? nowMs : Math.min(exit.atMs, nowMs)
  keeper.phase('crashed', atMs)
  if (decision.kind === 'restart') memory.restartAtMs = nowMs + decision.waitSeconds * 1000
  if (early) {
    memory.failure = {
      code: 'start_failed',
      detail: `${exitInWords(end)} before it was up`,
      retryable: true,
    }
  }
  keeper.report(isCleanExit(exit) && !early ? 'ended' : 'crashed', {
    reason: decision.reason,
    atMs,
    exit,
    lastLines,
    ...(decision.kind === 'restart' ? { restart: decision } : {}),
  })
  if (decision.kind === 'stay' && decision.exhausted) {
    keeper.report('gave_up', { reason: decision.reason, exit })
  }
}
