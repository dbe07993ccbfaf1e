import { contextFor } from '../../context.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { readSettings } from '../settings/index.ts'
import { createBackup } from './create.ts'
import { dueServers, overdueNodes } from './protection-store.ts'
import { backupSettings } from './settings.ts'
import { storageNodeOf, whyNoStorage } from './storage-nodes.ts'

/** More would slow the servers of the node down. */
const PER_NODE = 2

/** Begins the host's own backups whose turn it is. */
async function protectServers(services: Services): Promise<number> {
  const { db } = services
  const settings = await readSettings(db, backupSettings)
  const { protection } = settings
  if (!protection) return 0
  const { place } = protection
  let begun = 0
  for (const server of await dueServers(db, { ...protection, perNode: PER_NODE })) {
    const storage = place === 'other-node' && (await storageNodeOf(db, settings, server.nodeId))
    if (place === 'other-node' && whyNoStorage(storage || undefined) !== null) continue
    try {
      const ctx = contextFor(services, { kind: 'system' } as const)
      await createBackup(ctx, server, { byHost: { place } })
      begun += 1
    } catch (error) {
      // It is busy, for example, and comes again.
      if (!(error instanceof Problem)) throw error
    }
  }
  return begun
}

/** Tells the host of servers that missed their turns, whatever the reason. */
async function tellOverdue(services: Services): Promise<number> {
  const { protection } = await readSettings(services.db, backupSettings)
  if (!protection) return 0
  const { everyHours } = protection
  const late = await overdueNodes(services.db, protection)
  const ctx = contextFor(services, { kind: 'system' } as const)
  for (const node of late)
    await ctx.transaction((ctx) => ctx.emit('backup.overdue', { ...node, everyHours }))
  return late.length
}

export const protectionTasks = [
  periodicTask('backups.protect', 5, async (services) => ({
    begun: await protectServers(services),
  })),
  periodicTask('backups.overdue', 3600, async (services) => ({
    nodes: await tellOverdue(services),
  })),
]
