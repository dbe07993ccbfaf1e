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
