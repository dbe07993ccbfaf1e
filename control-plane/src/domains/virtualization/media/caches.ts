import { contextFor } from '../../../context.ts'
import { TaskFailure } from '../../../fleet/tasks.ts'
import { periodicTask } from '../../../jobs/periodic-task.ts'
import { Problem } from '../../../problem.ts'
import type { Services } from '../../../services.ts'
import { editVirtualization, vmNodes } from '../../nodes/index.ts'
import { knownFingerprints } from '../store.ts'

const DROP_MS = 30_000

/**
 * Makes nodes drop media that are no longer registered. Offline nodes are asked when they are back.
 */
async function dropForgotten(services: Services): Promise<number> {
  const known = await knownFingerprints(services.db)
  let dropped = 0
  for (const node of await vmNodes(services.db)) {
    const report = node.virtualization
    if (!report) continue
    const gone = new Set<string>()
    for (const { sha256 } of report.media)
      if (!known.has(sha256) && (await drop(services, node.id, sha256))) gone.add(sha256)
    if (gone.size === 0) continue
    dropped += gone.size
    const media = report.media.filter(({ sha256 }) => !gone.has(sha256))
    const ctx = contextFor(services, { kind: 'system' } as const)
    await editVirtualization(ctx, node.id, { virtualization: { ...report, media } })
  }
  return dropped
}

async function drop(services: Services, nodeId: string, sha256: string): Promise<boolean> {
  try {
    const task = { work: { $case: 'dropMedium', value: { sha256 } } } as const
    await services.fleet.runTask(nodeId, task, { timeoutMs: DROP_MS })
    return true
  } catch (error) {
    if (error instanceof Problem || error instanceof TaskFailure) return false
    throw error
  }
}

export const cacheTask = periodicTask('virtualization.caches', 5, async (services) => ({
  dropped: await dropForgotten(services),
}))
