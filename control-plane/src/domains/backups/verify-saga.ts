import { z } from 'zod'
import type { System } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { WaitExpired } from '../../jobs/dispatch/parking.ts'
import { Permanent, type StepTools, saga } from '../../jobs/sagas/saga.ts'
import { lockServer, newsOf } from '../servers/index.ts'
import { findBackup, findRepository, lockBackup, updateBackup } from './store.ts'
import { wasUnreadable } from './verify-store.ts'
import { backupOnNode } from './work.ts'

const About = z.object({
  serverId: z.uuid(),
  /** The node that reads it, which need not be that of the server. */
  nodeId: z.uuid(),
  repositoryId: z.uuid(),
  backupId: z.uuid(),
  snapshotId: z.string(),
  sizeBytes: z.number(),
})
type About = z.infer<typeof About>

/** A verification is never urgent, so it ends when its node is away for longer. */
const AWAY_MS = 3_600_000
/** The largest backups on the slowest storages. */
const READ_MS = 12 * 3_600_000
/** A node may have to wait for its turn to clean a repository, and then do so for hours. */
const CLEANED_WITHIN_MS = 12 * 3_600_000

/** Reads a backup back completely and records whether all of it is what was written. */
export const verifyBackupSaga = saga('backup.verify', About).step('Verify the backup', {
  async do(about, tools) {
    await requireKept(about, tools)
    try {
      await read(about, tools)
    } catch (error) {
      if (!(error instanceof Permanent) || !(await isDamage(error.code, about, tools))) throw error
      // Deleted data cannot be read either.
      await requireKept(about, tools)
      await requireUncleaned(about, tools)
      await recordDamage(tools, about, error.message)
      throw error
    }
    await recordVerified(tools.ctx, about.backupId)
  },
})

async function read(about: About, tools: StepTools): Promise<void> {
  const { serverId, nodeId, repositoryId, snapshotId, sizeBytes } = about
  try {
    await backupOnNode(tools, {
      ...{ serverId, nodeId, repositoryId },
      name: 'verify',
      work: { do: 'verify', snapshotId, sizeBytes },
      backWithinMs: AWAY_MS,
      timeoutMs: READ_MS,
    })
  } catch (error) {
    if (!(error instanceof WaitExpired)) throw error
    throw new Permanent('node_timeout', 'The node was away for an hour: verify the backup later')
  }
}

/** @throws {Permanent} if somebody has deleted it meanwhile */
async function requireKept({ backupId }: About, { ctx }: StepTools): Promise<void> {
  const backup = await findBackup(ctx.db, backupId)
  if (backup?.state !== 'good') throw new Permanent('not_found', 'The backup was deleted meanwhile')
}

/** A fault that is no clear damage may pass, until it comes again on another day. */
const isDamage = async (code: string, about: About, { ctx }: StepTools): Promise<boolean> =>
  code === 'copy_damaged' || (code === 'copy_unreadable' && (await wasUnreadable(ctx.db, about)))

/**
 * Only the node that cleans a repository waits with it for readers. For another one, what that node
 * has just packed anew is missing.
 * @throws {Permanent} if it may have done so meanwhile
 */
async function requireUncleaned(about: About, { ctx, job }: StepTools): Promise<void> {
  const repository = await findRepository(ctx.db, about.repositoryId)
  if (!repository || repository.nodeId === about.nodeId) return
  const since = job.createdAt.getTime() - CLEANED_WITHIN_MS
  if (repository.prunedAt === null || repository.prunedAt.getTime() < since) return
  throw new Permanent(
    'runtime_unavailable',
    'Another node may have been cleaning the repository meanwhile: verify the backup later',
  )
}

/** Records that a backup was read back completely. Idempotent. */
export async function recordVerified(ctx: Ctx<System>, backupId: string): Promise<void> {
  await ctx.transaction(async ({ db, live, now }) => {
    // The server that it is of, which is not the one that it was restored to.
    const serverId = (await findBackup(db, backupId))?.serverId
    if (!serverId) return
    await updateBackup(db, backupId, { verifiedAt: now, damagedAt: null, damage: null })
    await live.announce(db, { kind: 'backups', id: serverId })
  })
}

/** Records the damage, and tells people unless they know of it. Idempotent. */
async function recordDamage({ ctx, job }: StepTools, about: About, damage: string): Promise<void> {
  const { serverId, backupId, nodeId } = about
  await ctx.transaction(async (ctx) => {
    const server = await lockServer(ctx.db, serverId)
    const backup = server && (await lockBackup(ctx.db, serverId, backupId))
    if (!server || backup?.state !== 'good') return
    await updateBackup(ctx.db, backupId, { damagedAt: ctx.now, damage })
    await ctx.live.announce(ctx.db, { kind: 'backups', id: serverId })
    if (backup.damagedAt) return
    await ctx.emit('backup.damaged', {
      ...(await newsOf(ctx.db, server)),
      backupId,
      backupName: backup.name,
      nodeId,
      reason: damage,
      startedBy: job.startedBy,
    })
  })
}
