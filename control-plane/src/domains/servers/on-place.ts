import type { BackupWork } from '@lodge/shared/backup-work.ts'
import type { TaskWork } from '../../fleet/tasks.ts'
import { runOnNode } from '../../jobs/sagas/run-on-node.ts'
import type { StepTools } from '../../jobs/sagas/saga.ts'

export const taskOf = (work: BackupWork): TaskWork => ({
  $case: 'backupWork',
  value: { document: JSON.stringify(work) },
})

/** Work on a node's copy of a server, whether or not the server is placed there. */
export async function onPlace(
  place: { readonly serverId: string; readonly nodeId: string; readonly always?: boolean },
  tools: StepTools,
  work: Exclude<BackupWork, { repository: unknown }>,
): Promise<void> {
  await runOnNode(tools, { ...place, name: work.do, work: taskOf(work) })
}

/**
 * Deletes what a node has of a server that is elsewhere; of a machine, by its own driver.
 * @param filesOn the shared storage whose files of the server go, too
 */
export function discardOf(
  kind: 'container' | 'vm',
  placementGeneration: number,
  filesOn?: string,
): TaskWork {
  // Known to every agent.
  if (kind === 'vm' && filesOn === undefined)
    return { $case: 'discardMachine', value: { placementGeneration } }
  return taskOf({
    do: 'discard',
    placementGeneration,
    ...(filesOn !== undefined && { filesOn }),
    ...(kind === 'vm' && { machine: true }),
  })
}
