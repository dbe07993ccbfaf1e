import { contextFor } from '../../../context.ts'
import { periodicTask } from '../../../jobs/periodic-task.ts'
import { giveOwner } from '../../attachments/index.ts'
import { filesWithoutOwner } from './ownerless-store.ts'

const MOST_AT_ONCE = 500

/**
 * Assigns files of mails to their senders. Files from before `maxAttachedFilesMb`, or from an
 * instance without it, have no owner and would never count. Files of unproven senders stay without
 * one: otherwise anybody could use up somebody else's quota.
 */
export const ownFilesOfMails = periodicTask('support.own_files', 3600, async (services) => {
  const ctx = contextFor(services, { kind: 'system' })
  let owned = 0
  for (const { id, ownerId } of await filesWithoutOwner(ctx.db, MOST_AT_ONCE))
    if (await giveOwner(ctx, id, ownerId)) owned++
  return { owned }
})
