import type { KeptServer } from './kept-server.ts'

const LINES = 1000
/** The runtime notes a start down a moment after the program may have spoken. */
const SLACK_MS = 250

/** Watches for the proof of life of a workload that runs already and may have given it unheard. */
export async function proveUnheard(keeper: KeptServer): Promise<void> {
  const waits = () => keeper.facts.running && keeper.memory.phase === 'starting'
  const runs = Promise.resolve()
  keeper.prove([], runs)
  const since = new Date(keeper.startedMs - SLACK_MS)
  const earlier = await keeper.around.driver.console
    .tail(keeper.serverId, LINES, 'run', since)
    .catch(() => [])
  if (waits() && earlier.length > 0) keeper.prove(earlier, runs)
}

/** A try that seemed to fail may have started the workload: what it has said since then counts. */
export async function proveEarlierTry(keeper: KeptServer): Promise<void> {
  const found = await keeper.around.look(keeper.serverId).catch(() => undefined)
  if (!found?.running || !found.startedAt) return
  if (found.startedAt.getTime() >= keeper.startedMs) return
  keeper.startedMs = found.startedAt.getTime()
  await proveUnheard(keeper)
}
