import { contextFor } from '../../context.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { createBackup } from '../backups/index.ts'
import { lockOwner } from '../customers/index.ts'
import { type OwedBackup, settleBackup, takeOwedBackups } from './last-backup-store.ts'

const HOUR_MS = 3_600_000
/** How long one that cannot be made is tried again. */
const TRIED_MS = 24 * HOUR_MS
/** While it can still be made by hand. */
const TELL_BEFORE_DELETION_MS = HOUR_MS

/**
 * Backs up the servers whose subscriptions ended unpaid, once more before they are deleted. One that fails is
 * tried again every hour, for a day. Then, or once the server is gone, the host is told; nothing delays the
 * deletion.
 * @returns how many backups were begun
 */
export async function backUpEnded(services: Services, now = new Date()): Promise<number> {
  let begun = 0
  for (const owed of await takeOwedBackups(services.db, now)) {
    try {
      begun += await tryOnce(services, owed, now)
    } catch (error) {
      services.log.warn({ err: error, server: owed.serverId }, 'a last backup was not begun')
      if (isLate(owed, now))
        await giveUp(services, owed, error instanceof Problem ? error.message : 'Unexpected')
    }
  }
  return begun
}

/** The host is told while there is time to do something about it. */
function isLate({ since, deleteAt }: OwedBackup, now: Date): boolean {
  const left =
    deleteAt === null ? Number.POSITIVE_INFINITY : deleteAt.getTime() - TELL_BEFORE_DELETION_MS
  return now.getTime() >= Math.min(since.getTime() + TRIED_MS, left)
}

async function tryOnce(services: Services, owed: OwedBackup, now: Date): Promise<number> {
  const { server, serverId, ownerId, deleteAt, state } = owed
  if (server === 'kept' || ownerId === null) {
    await settleBackup(services.db, serverId)
    return 0
  }
  if (server === 'deleted' || (state === 'failed' && isLate(owed, now))) {
    await giveUp(services, owed, whyMissed(owed))
    return 0
  }
  // A backup would delay the deletion.
  if (state === 'creating' || deleteAt === null || deleteAt <= now) return 0
  await contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
    await lockOwner(ctx.db, ownerId)
    await createBackup(ctx, { id: serverId, ownerId }, { isLast: true })
  })
  return 1
}

function whyMissed({ server, failure }: OwedBackup): string {
  if (server === 'deleted') return 'The server was deleted before it could be backed up'
  return failure ?? 'The backup could not be made'
}

function giveUp(services: Services, owed: OwedBackup, why: string): Promise<void> {
  const { serverId, serverName, email, server } = owed
  return contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
    if (!(await settleBackup(ctx.db, serverId)) || email === null) return
    const isDeleted = server === 'deleted'
    await ctx.emit('billing.last_backup_missed', { serverId, serverName, email, why, isDeleted })
  })
}
