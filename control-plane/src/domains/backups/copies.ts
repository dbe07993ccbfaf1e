import { MadeBackup } from '@lodge/shared/backup-work.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { StepTools } from '../../jobs/sagas/saga.ts'
import { findServer, onPlace, type ServerRow } from '../servers/index.ts'
import { commandsOf } from './commands.ts'
import { judging } from './judging.ts'
import { repositoryFor } from './repositories.ts'
import { deleteRestore, findRestore } from './restore-store.ts'
import { deleteLater, markForPrune } from './tidy-store.ts'
import { backupOnNode, resultOf } from './work.ts'

/**
 * Copies of a server's files that travel to another node. They are made as backups are, in a
 * repository that both nodes reach, but no list shows them, and they are deleted on arrival.
 */
export interface Travelling {
  readonly serverId: string
  readonly sourceId: string
  readonly targetId: string
  readonly repositoryId: string
}

/** The repository for copies to another node. The caller has locked the owner's row. */
export const repositoryForMove = async (
  ctx: Ctx,
  row: ServerRow,
  targetId: string,
): Promise<string> => (await repositoryFor(ctx, row.ownerId, row.nodeId, { forNode: targetId })).id

/**
 * Copies the current files, apart from what an earlier copy has already transferred.
 * @param copy.alone first ends connections that work with the files
 * @returns also a text saying which route the bytes took, if they went to another node
 */
export async function copyOut(
  { serverId, sourceId: nodeId, repositoryId }: Travelling,
  { copyId, alone }: { readonly copyId: string; readonly alone: boolean },
  tools: StepTools,
): Promise<MadeBackup & { readonly way?: string }> {
  const commands = await commandsOf(tools.ctx, serverId)
  const { document, way } = await backupOnNode(tools, {
    serverId,
    nodeId,
    repositoryId,
    name: `copy ${copyId}`,
    work: { do: 'create', backupId: copyId, alone, ...(commands && { commands }) },
  })
  return { ...resultOf(MadeBackup, document), ...(way !== undefined && { way }) }
}

interface Copied extends Pick<MadeBackup, 'snapshotId' | 'sizeBytes'> {
  readonly restoreId: string
  /** The backup that it is, unless it was made only to travel: what reading it shows is recorded. */
  readonly backupId?: string | null
}

/** Replaces the server's files on the other node with a copy. */
export async function copyIn(
  { serverId, targetId, repositoryId }: Omit<Travelling, 'sourceId'>,
  { restoreId, snapshotId, sizeBytes, backupId }: Copied,
  tools: StepTools,
): Promise<void> {
  const place = { serverId, nodeId: targetId }
  const work = { do: 'stage', snapshotId, restoreId, sizeBytes } as const
  const stage = () => backupOnNode(tools, { ...place, repositoryId, name: 'stage', work })
  if (backupId) await judging({ backupId, repositoryId, nodeId: targetId }, tools, stage)
  else await stage()
  await onPlace(place, tools, { do: 'swap', restoreId })
  await onPlace(place, tools, { do: 'settle', restoreId })
}

/** Deletes copies, even incomplete ones. Idempotent. */
export async function forgetCopies(
  { serverId, sourceId: nodeId, repositoryId }: Travelling,
  backupIds: readonly string[],
  tools: StepTools,
): Promise<void> {
  await backupOnNode(tools, {
    serverId,
    nodeId,
    repositoryId,
    name: 'forget',
    work: { do: 'forget', backupIds: [...backupIds] },
    always: true,
  })
  await markForPrune(tools.ctx.db, repositoryId)
}

/** Queues the same: they are deleted once their repository can be reached. */
export const forgetCopiesLater = (
  { ctx }: StepTools,
  { repositoryId }: Pick<Travelling, 'repositoryId'>,
  backupIds: readonly string[],
): Promise<void> => deleteLater(ctx.db, repositoryId, backupIds)

/** For a server that leaves its files with those from before the last restore. */
export async function forgetRestore(db: Db, serverId: string): Promise<void> {
  const restore = await findRestore(db, serverId)
  if (restore) await deleteRestore(db, serverId, restore.restoreId)
}

/** Deletes the files from before the last restore, which do not move along. Idempotent. */
export async function settleRestore(serverId: string, tools: StepTools): Promise<void> {
  const { db } = tools.ctx
  const [server, restore] = [await findServer(db, serverId), await findRestore(db, serverId)]
  if (!server || !restore) return
  const { restoreId } = restore
  await onPlace({ serverId, nodeId: server.nodeId }, tools, { do: 'settle', restoreId })
  await deleteRestore(db, serverId, restoreId)
}
