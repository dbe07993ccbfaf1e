import { MadeBackup } from '@lodge/shared/backup-work.ts'
import { MIB } from '@lodge/shared/units.ts'
import { z } from 'zod'
import type { System } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { type StepTools, saga } from '../../jobs/sagas/saga.ts'
import { findStep } from '../../jobs/sagas/saga-store.ts'
import { endOperation, findServer, lockServer, newsOf } from '../servers/index.ts'
import { readSettings } from '../settings/index.ts'
import { commandsOf } from './commands.ts'
import { rotateHosts } from './protection-store.ts'
import { backupSettings } from './settings.ts'
import { findBackup, rotate, updateBackup } from './store.ts'
import { backupOnNode, resultOf } from './work.ts'

export const BackupToMake = z.object({
  serverId: z.uuid(),
  nodeId: z.uuid(),
  repositoryId: z.uuid(),
  backupId: z.uuid(),
  /** The one before the deletion of the server. */
  isLast: z.boolean().optional(),
})
export type BackupToMake = z.infer<typeof BackupToMake>

const BACK_UP = 'Back up'
/** Result of the step that makes the backup. */
const BackedUp = z.object({
  made: MadeBackup,
  /** A text saying which route the bytes took, if they went to another node. */
  way: z.string().optional(),
})
type BackedUp = z.infer<typeof BackedUp>

/** Keeps others from replacing the files meanwhile; the server itself keeps running. */
export const backingUp = (cause: string) => ({ kind: 'backing-up', cause }) as const

/** Copies the files of a server into its owner's repository. */
export const createBackupSaga = saga('backup.create', BackupToMake)
  .step(BACK_UP, {
    do: copyOutBackup,
    undo: failBackup,
  })
  .step('Finish', { do: ({ made, ...about }, { ctx }) => finishBackup(ctx, about, made) })

/** Has the node copy the files. */
export async function copyOutBackup(about: BackupToMake, tools: StepTools): Promise<BackedUp> {
  const { serverId, nodeId, repositoryId, backupId } = about
  const commands = await commandsOf(tools.ctx, serverId)
  const { ignored = [] } = (await findBackup(tools.ctx.db, backupId)) ?? {}
  const { document, way } = await backupOnNode(tools, {
    ...{ serverId, nodeId, repositoryId },
    name: 'create',
    work: {
      ...{ do: 'create', backupId, ...(commands && { commands }) },
      ...(ignored.length > 0 && { ignored: [...ignored] }),
    },
  })
  return { made: resultOf(MadeBackup, document), way }
}

/**
 * A text saying which route a backup's bytes took, if this job has transferred them to another node.
 */
export async function wayOfBackup(db: Db, jobId: string): Promise<string | undefined> {
  const made = await findStep(db, jobId, BACK_UP)
  return made && BackedUp.parse(made).way
}

/** Marks the host's older backups for deletion, as its settings say. */
async function rotateByHost(db: Db, serverId: string): Promise<void> {
  const { protection } = await readSettings(db, backupSettings)
  if (protection) await rotateHosts(db, serverId, protection.keep)
}

/** Marks a backup as complete and releases the hold. Idempotent. */
export async function finishBackup(
  ctx: Ctx<System>,
  about: Pick<BackupToMake, 'serverId' | 'backupId'>,
  made: MadeBackup,
): Promise<void> {
  const { serverId, backupId } = about
  await ctx.transaction(async (ctx) => {
    const server = await lockServer(ctx.db, serverId)
    const present = await findBackup(ctx.db, backupId)
    if (present?.state !== 'creating') return
    await updateBackup(ctx.db, backupId, {
      ...made,
      state: 'good',
      reservedMb: Math.ceil(made.sizeBytes / MIB),
      finishedAt: ctx.now,
    })
    // Once its server is gone, the backup is deleted too.
    if (!server) return
    await endOperation(ctx, serverId, backingUp(backupId))
    if (present.byHost) await rotateByHost(ctx.db, serverId)
    if (present.rotated) {
      const { keepScheduled } = await readSettings(ctx.db, backupSettings)
      await rotate(ctx.db, serverId, keepScheduled)
    }
    await ctx.live.announce(ctx.db, { kind: 'backups', id: serverId })
    await ctx.emit('backup.completed', {
      ...(await newsOf(ctx.db, server)),
      backupId,
      backupName: present.name,
      scheduled: present.scheduled,
      sizeBytes: made.sizeBytes,
    })
  })
}

/** Records the failure: a failed backup stays visible and counts for no limit. Idempotent. */
export async function failBackup(
  { serverId, nodeId, backupId, isLast = false }: BackupToMake,
  { ctx, failure, job }: StepTools,
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const server = await findServer(ctx.db, serverId)
    const present = await findBackup(ctx.db, backupId)
    if (present && present.state !== 'failed') {
      const cancelled = job.cancelRequested
      const why = failure ?? { code: 'internal_error', detail: 'The backup could not be made' }
      await updateBackup(ctx.db, backupId, {
        state: 'failed',
        failure: why,
        reservedMb: 0,
        leftover: true,
        finishedAt: ctx.now,
      })
      await ctx.live.announce(ctx.db, { kind: 'backups', id: serverId })
      if (server && present.byHost) {
        const about = { nodeId, serverId, serverName: server.name }
        // A last backup is tried again, and the host is told once if none can be made.
        if (!isLast)
          await ctx.emit('backup.host-failed', { ...about, reason: why.detail, cancelled })
      } else if (server)
        await ctx.emit('backup.failed', {
          ...(await newsOf(ctx.db, server)),
          backupId,
          backupName: present.name,
          scheduled: present.scheduled,
          reason: why.detail,
          cancelled,
        })
    }
    await endOperation(ctx, serverId, backingUp(backupId))
  })
}
