import { consoleOf } from '../../console/driver-console.ts'
import type { ReconciledServer } from '../state/reconciled-server.ts'

const LINES = 1000
/** The runtime records a start slightly after the program may have printed its first line. */
const SLACK_MS = 250

/**
 * Watches the readiness probe of a workload that is already running and may have printed its ready
 * line unobserved.
 */
export async function probeReadiness(reconciler: ReconciledServer): Promise<void> {
  const waits = () => reconciler.facts.running && reconciler.memory.phase === 'starting'
  const runs = Promise.resolve()
  reconciler.probe([], runs)
  const since = new Date(reconciler.startedMs - SLACK_MS)
  const earlier = await consoleOf(reconciler.around.driver)
    .tail(reconciler.serverId, LINES, 'run', since)
    .catch(() => [])
  if (waits() && earlier.length > 0) reconciler.probe(earlier, runs)
}

/**
 * An attempt that seemed to fail may have started the workload after all: counts what it has
 * printed since then.
 */
export async function probeEarlierTry(reconciler: ReconciledServer): Promise<void> {
  const found = await reconciler.around.look(reconciler.serverId).catch(() => undefined)
  if (!found?.running || !found.startedAt) return
  if (found.startedAt.getTime() >= reconciler.startedMs) return
  reconciler.startedMs = found.startedAt.getTime()
  await probeReadiness(reconciler)
}
