import { contextFor } from '../../context.ts'
import { secondsUntilTaken } from '../../http/throttle.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { readSettings } from '../settings/index.ts'
import { backupBudgets } from './budgets.ts'
import { createBackup } from './create.ts'
import { dueServers, overdueNodes } from './protection-store.ts'
import { backupSettings } from './settings.ts'
import { storageNodeOf, whyNoStorage } from './storage-nodes.ts'

/** Concurrent backups per node: more would slow its servers down. */
const PER_NODE = 2

/** A server whose backup was refused leaves its turn to others for this long. */
const REFUSED_MS = 600_000
/** Until when, by server. Each instance has its own, which costs others one refusal more. */
const refusedBy = new WeakMap<Services, Map<string, number>>()

/** The servers that were refused lately. */
function refusedLately(services: Services): Map<string, number> {
  const refused = refusedBy.get(services) ?? new Map<string, number>()
  refusedBy.set(services, refused)
  for (const [id, untilMs] of refused) if (untilMs <= performance.now()) refused.delete(id)
  return refused
}

/** Begins the host's own backups that are due. */
async function protectServers(services: Services): Promise<number> {
  const { db, log } = services
  const settings = await readSettings(db, backupSettings)
  const { protection } = settings
  if (!protection) return 0
  const { place } = protection
  let begun = 0
  const refused = refusedLately(services)
  const given = { ...protection, perNode: PER_NODE, except: [...refused.keys()] }
  for (const server of await dueServers(db, given)) {
    const storage = place === 'other-node' && (await storageNodeOf(db, settings, server.nodeId))
    if (place === 'other-node' && whyNoStorage(storage || undefined) !== null) continue
    try {
      const ctx = contextFor(services, { kind: 'system' } as const)
      await createBackup(ctx, server, { byHost: { place } })
      begun += 1
    } catch (error) {
      // Whatever the reason, the next round must not choose only the same servers again.
      if (!(error instanceof Problem)) throw error
      refused.set(server.id, performance.now() + REFUSED_MS)
      log.info({ serverId: server.id, why: error.message }, 'a backup of the host was put off')
    }
  }
  return begun
}

/**
 * Notifies the host of servers that missed their backups for any reason: once a day for each node.
 */
export async function tellOverdue(services: Services): Promise<number> {
  const { protection } = await readSettings(services.db, backupSettings)
  if (!protection) return 0
  const { everyHours } = protection
  const late = await overdueNodes(services.db, protection)
  const ctx = contextFor(services, { kind: 'system' } as const)
  let notified = 0
  for (const node of late)
    notified += await ctx.transaction(async (ctx) => {
      // Every control plane runs this, each hour and on every start.
      if ((await secondsUntilTaken(ctx.db, backupBudgets.overdueBackups, node.nodeId)) > 0) return 0
      await ctx.emit('backup.overdue', { ...node, everyHours })
      return 1
    })
  return notified
}

export const protectionTasks = [
  periodicTask('backups.protect', 5, async (services) => ({
    begun: await protectServers(services),
  })),
  periodicTask('backups.overdue', 3600, async (services) => ({
    nodes: await tellOverdue(services),
  })),
]
