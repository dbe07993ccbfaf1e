import { contextFor } from '../../context.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { readSettings } from '../settings/index.ts'
import { backupSettings } from './settings.ts'
import { verifyBackup } from './verify.ts'
import { dueToVerify } from './verify-store.ts'

const DAYS = { weekly: 7, monthly: 30 } as const
/** On all nodes together, since they may share a storage. */
const AT_MOST = 8
/** A node whose CPU is busier than this has better things to do. */
const BUSY_PERCENT = 70
const PER_DAY = 20

/** Begins to verify the backups that are due, as the host's settings say. */
export async function verifyDue(services: Services): Promise<number> {
  const { verify } = await readSettings(services.db, backupSettings)
  if (verify === 'off') return 0
  const days = DAYS[verify]
  const given = { days, atMost: AT_MOST, busyPercent: BUSY_PERCENT, perDay: PER_DAY }
  let begun = 0
  for (const { serverId, ownerId, backupId } of await dueToVerify(services.db, given)) {
    const ctx = contextFor(services, { kind: 'system' } as const)
    try {
      await verifyBackup(ctx, { id: serverId, ownerId }, backupId)
      begun += 1
    } catch (error) {
      // Deleted or begun by somebody meanwhile, for example.
      if (!(error instanceof Problem)) throw error
    }
  }
  return begun
}

export const verifyTask = periodicTask('backups.verify', 60, async (services) => ({
  begun: await verifyDue(services),
}))
