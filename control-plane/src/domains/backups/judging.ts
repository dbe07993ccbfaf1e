import type { System } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Permanent, type StepTools } from '../../jobs/sagas/saga.ts'
import { lockServer, newsOf } from '../servers/index.ts'
import { findBackup, findRepository, lockBackup, updateBackup } from './store.ts'

/** A backup that is read completely. */
interface Read {
  readonly backupId: string
  readonly repositoryId: string
  /** The node that reads it, which need not be that of the server. */
  readonly nodeId: string
}

/** A node may have to wait for its turn to clean a repository, and then do so for hours. */
const CLEANED_WITHIN_MS = 12 * 3_600_000

/**
 * Records what reading a backup completely shows: that all of it is what was written, or its damage.
 * @param isFault whether an error that is no clear damage counts as such
 */
export async function judging<T>(
  about: Read,
  tools: StepTools,
  read: () => Promise<T>,
  isFault: (code: string) => Promise<boolean> = async () => false,
): Promise<T> {
  const result = await read().catch(async (error: unknown) => {
    if (!(error instanceof Permanent)) throw error
    if (error.code !== 'copy_damaged' && !(await isFault(error.code))) throw error
    // Deleted data cannot be read either.
    await requireKept(about, tools)
    await requireUncleaned(about, tools)
    await recordDamage(tools, about, error.message)
    throw error
  })
  await recordVerified(tools.ctx, about.backupId)
  return result
}

/** @throws {Permanent} if somebody has deleted it meanwhile */
export async function requireKept({ backupId }: Read, { ctx }: StepTools): Promise<void> {
  const backup = await findBackup(ctx.db, backupId)
  if (backup?.state !== 'good') throw new Permanent('not_found', 'The backup was deleted meanwhile')
}

/**
 * Only the node that cleans a repository waits with it for readers. For another one, what that node
 * has just packed anew is missing.
 * @throws {Permanent} if it may have done so meanwhile
 */
async function requireUncleaned(about: Read, { ctx, job }: StepTools): Promise<void> {
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
async function recordDamage({ ctx, job }: StepTools, about: Read, damage: string): Promise<void> {
  const { backupId, nodeId } = about
  await ctx.transaction(async (ctx) => {
    const serverId = (await findBackup(ctx.db, backupId))?.serverId
    const server = serverId ? await lockServer(ctx.db, serverId) : undefined
    const backup = server && (await lockBackup(ctx.db, server.id, backupId))
    if (!server || backup?.state !== 'good') return
    await updateBackup(ctx.db, backupId, { damagedAt: ctx.now, damage })
    await ctx.live.announce(ctx.db, { kind: 'backups', id: server.id })
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
