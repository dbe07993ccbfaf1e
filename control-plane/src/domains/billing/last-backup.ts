import { contextFor } from '../../context.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { createBackup } from '../backups/index.ts'
import { lockOwner } from '../customers/index.ts'
import { BACKUP_SETTLED, type OwedBackup, owedBackups } from './last-backup-store.ts'
import { insertStep } from './subscription-store.ts'

/** How long one that cannot begin is tried again. */
const TRIED_MS = 24 * 3_600_000

/**
 * Backs up the servers whose subscriptions ended unpaid, once more before they are deleted. What cannot be backed
 * up within a day is told to the host; neither delays the deletion.
 * @returns how many backups were begun
 */
export async function backUpEnded(services: Services, now = new Date()): Promise<number> {
  let begun = 0
  for (const owed of await owedBackups(services.db, now)) {
    try {
      begun += await backUp(services, owed, now)
    } catch (error) {
      services.log.warn({ err: error, server: owed.serverId }, 'a last backup was not begun')
      if (now.getTime() - owed.since.getTime() >= TRIED_MS)
        await giveUp(services, owed, now, error instanceof Problem ? error.message : 'Unexpected')
    }
  }
  return begun
}

const settled = ({ subscriptionId, since }: OwedBackup, doneAt: Date) => ({
  ...{ subscriptionId, step: BACKUP_SETTLED, since, doneAt },
})

/** In one transaction: of two control planes one begins it, and a refusal leaves nothing behind. */
function backUp(services: Services, owed: OwedBackup, now: Date): Promise<number> {
  const { serverId: id, ownerId } = owed
  return contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
    await lockOwner(ctx.db, ownerId)
    if (!(await insertStep(ctx.db, settled(owed, now)))) return 0
    await createBackup(ctx, { id, ownerId }, { isLast: true })
    return 1
  })
}

function giveUp(services: Services, owed: OwedBackup, now: Date, why: string): Promise<void> {
  const { serverId, serverName, email } = owed
  return contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
    if (await insertStep(ctx.db, settled(owed, now)))
      await ctx.emit('billing.last_backup_missed', { serverId, serverName, email, why })
  })
}
