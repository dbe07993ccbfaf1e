import { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Permanent, type StepTools } from '../../jobs/sagas/saga.ts'
import { notFound, Problem } from '../../problem.ts'
import { isLost } from '../nodes/index.ts'
import { findServer, requireOnNode, type ServerRow } from '../servers/index.ts'
import { requireIntact } from './able.ts'
import { createBackup } from './create.ts'
import { wayOfBackup } from './create-saga.ts'
import { forgetBackup } from './delete.ts'
import { judging } from './judging.ts'
import { reaches } from './repositories.ts'
import { findBackup, findRepository, lockBackup, updateBackup } from './store.ts'
import { backupOnNode } from './work.ts'

/** A backup whose files a new server gets. */
export const BackupSource = z.object({
  sourceId: z.uuid(),
  /** The node of its server, which writes to the repository. */
  sourceNodeId: z.uuid(),
  repositoryId: z.uuid(),
  backupId: z.uuid(),
  /** The job that makes it only for this; null for a backup that existed before, and stays. */
  madeBy: z.uuid().nullable(),
})
export type BackupSource = z.infer<typeof BackupSource>

/** The new server, and the id of the exchange of its files. */
interface Target {
  readonly serverId: string
  readonly nodeId: string
  readonly restoreId: string
}

/**
 * A complete backup of a server.
 * @throws {Problem} not_found, backup_incomplete, invalid_state
 */
export async function sourceOf(
  ctx: Ctx<User>,
  row: ServerRow,
  backupId: string,
): Promise<BackupSource> {
  const backup = await lockBackup(ctx.db, row.id, backupId)
  if (!backup) throw notFound('backup')
  if (backup.state !== 'good')
    throw new Problem('backup_incomplete', 'Only a complete backup can be restored')
  requireIntact(backup)
  const { repositoryId } = backup
  return { sourceId: row.id, sourceNodeId: row.nodeId, repositoryId, backupId, madeBy: null }
}

/** Begins a backup of a server, in a place that the other node reaches. */
export async function backUpForNode(
  ctx: Ctx,
  row: ServerRow,
  nodeId: string,
): Promise<BackupSource> {
  const { jobId, backupId } = await createBackup(ctx, row, {
    name: 'Copy for a clone',
    locked: true,
    forNode: nodeId,
  })
  const backup = await findBackup(ctx.db, backupId)
  if (!backup) throw notFound('backup')
  const { repositoryId } = backup
  return { sourceId: row.id, sourceNodeId: row.nodeId, repositoryId, backupId, madeBy: jobId }
}

/** @throws {Problem} unsupported_on_node */
export async function requireReached(
  ctx: Ctx,
  { repositoryId }: BackupSource,
  server: Pick<ServerRow, 'nodeId' | 'kind'>,
): Promise<void> {
  await requireOnNode(ctx, server, 'backups')
  const repository = await findRepository(ctx.db, repositoryId)
  if (!repository || reaches(server.nodeId, repository)) return
  throw new Problem(
    'unsupported_on_node',
    'The backup is kept on another node than the new server is placed on: choose the node of the backup, or copy what the server has now',
    { fields: { missing: ['backups'] } },
  )
}

/** Waits until the backup is complete. */
export async function madeSource(source: BackupSource, tools: StepTools): Promise<void> {
  const { ctx, waitUntil, progress } = tools
  const { backupId, madeBy } = source
  if (madeBy === null) return
  await progress(null, 'Waiting for the backup of the present files')
  await waitUntil({ kind: 'job-ended', jobId: madeBy }, async () => {
    const backup = await findBackup(ctx.db, backupId)
    return backup?.state !== 'creating'
  })
  const backup = await findBackup(ctx.db, backupId)
  if (backup?.state === 'good') {
    // The backup has transferred the clone's bytes to its node.
    const way = await wayOfBackup(ctx.db, madeBy)
    if (way !== undefined) await progress(100, way)
    return
  }
  const { code = 'backup_incomplete', detail = 'The backup was deleted' } = backup?.failure ?? {}
  throw new Permanent(code, detail)
}

/**
 * Ends and deletes the backup, if it was made only for this. Idempotent.
 * @param options.later queues it without waiting, because one of the nodes involved may be lost
 */
export async function dropSource(
  source: BackupSource,
  tools: StepTools,
  { later = false }: { readonly later?: boolean } = {},
): Promise<void> {
  const { ctx, waitUntil } = tools
  const { backupId, madeBy, sourceNodeId: nodeId, sourceId: serverId, repositoryId } = source
  if (madeBy === null) return
  const present = await findBackup(ctx.db, backupId)
  if (present?.state === 'creating') {
    await ctx.jobs.sagas.cancel(ctx.db, madeBy)
    await waitUntil({ kind: 'job-ended', jobId: madeBy }, async () => {
      const backup = await findBackup(ctx.db, backupId)
      return backup?.state !== 'creating'
    })
  }
  const backup = await findBackup(ctx.db, backupId)
  // A failed one stays visible.
  if (!backup || (backup.state === 'failed' && backup.failure?.code !== 'cancelled')) return
  const kept = await findRepository(ctx.db, repositoryId)
  const takes = [nodeId, ...(kept?.storageNodeId ? [kept.storageNodeId] : [])]
  const lost = await Promise.all(takes.map((id) => isLost(ctx.db, id)))
  const leftover = later || lost.includes(true)
  await updateBackup(ctx.db, backupId, { state: 'deleting', locked: false, leftover })
  if (leftover) return
  await forgetBackup({ serverId, nodeId, repositoryId, backupId }, tools, { always: true })
}

/** Replaces the files of a new, stopped server with those of the backup. */
export async function placeFiles(source: BackupSource & Target, tools: StepTools): Promise<void> {
  const { serverId, nodeId, restoreId, backupId, repositoryId } = source
  const backup = await findBackup(tools.ctx.db, backupId)
  if (!backup?.snapshotId || backup.sizeBytes === null)
    throw new Permanent('not_found', 'The backup is gone')
  const { snapshotId, sizeBytes } = backup
  const work = { do: 'stage', snapshotId, restoreId, sizeBytes } as const
  await judging(source, tools, () =>
    backupOnNode(tools, { serverId, nodeId, repositoryId, name: 'stage', work }),
  )
  await backupOnNode(tools, { serverId, nodeId, name: 'swap', work: { do: 'swap', restoreId } })
}

/**
 * Deletes the new server's initial files, or the restored ones if they were not put in place.
 * Idempotent.
 */
export async function settleFiles(
  { serverId, nodeId, restoreId }: Target,
  tools: StepTools,
): Promise<void> {
  if (!(await findServer(tools.ctx.db, serverId))) return
  await backupOnNode(tools, {
    serverId,
    nodeId,
    name: 'settle',
    work: { do: 'settle', restoreId },
    always: true,
  })
}
