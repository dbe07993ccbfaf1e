import { z } from 'zod'
import { Permanent, saga } from '../../jobs/sagas/saga.ts'
import { endOperation } from '../servers/index.ts'
import {
  type BackupToMake,
  backingUp,
  copyOutBackup,
  failBackup,
  finishBackup,
} from './create-saga.ts'
import { recordVerified } from './judging.ts'
import { Restoring, restoreIn } from './restore-sagas.ts'
import { deleteRestore } from './restore-store.ts'
import { findBackup } from './store.ts'
import { backupOnNode } from './work.ts'

const Secured = Restoring.extend({
  /** The backup of the present data. */
  present: z.object({ repositoryId: z.uuid(), backupId: z.uuid() }),
})
type Secured = z.infer<typeof Secured>

/**
 * A restore that first backs up the data it replaces. It begins only after that backup was read back
 * completely, and the backup stays even if the restore fails. It has a job kind of its own, so that no
 * control plane of an earlier version picks it up and restores at once.
 */
export const securedRestoreSaga = restoreIn(
  saga('backup.restore-secured', Secured)
    .step('Back up the present state', {
      do: (about, tools) => orNothing(() => copyOutBackup(presentOf(about), tools)),
      async undo(about, tools) {
        const { serverId, backupId } = presentOf(about)
        const backup = await findBackup(tools.ctx.db, backupId)
        if (backup?.state === 'creating') await failBackup(presentOf(about), tools)
        else await endOperation(tools.ctx, serverId, backingUp(backupId))
        await deleteRestore(tools.ctx.db, serverId, about.restoreId)
      },
    })
    .step('Verify that backup', {
      async do({ made, ...about }, tools) {
        const { serverId, nodeId, repositoryId } = presentOf(about)
        const { snapshotId, sizeBytes } = made
        await orNothing(() =>
          backupOnNode(tools, {
            ...{ serverId, nodeId, repositoryId },
            name: 'verify',
            work: { do: 'verify', snapshotId, sizeBytes },
          }),
        )
        await finishBackup(tools.ctx, presentOf(about), made)
        await recordVerified(tools.ctx, presentOf(about).backupId)
      },
    }),
)

const presentOf = ({ serverId, nodeId, present }: Secured): BackupToMake => ({
  serverId,
  nodeId,
  ...present,
})

/** Adds to a failure that nothing was restored. */
async function orNothing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Permanent) || error.code === 'cancelled') throw error
    throw new Permanent(
      error.code,
      `The present state could not be backed up, so nothing was restored: ${error.message}`,
    )
  }
}
