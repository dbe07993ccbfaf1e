import { ListedFolder } from '@lodge/shared/backup-work.ts'
import type { BackupFolder } from '@lodge/shared/backups.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { TaskFailure } from '../../fleet/tasks.ts'
import { notFound, Problem } from '../../problem.ts'
import { requireNode, type SharedServer, taskOf } from '../servers/index.ts'
import { requireWhole } from './able.ts'
import { openRepository, reaches } from './repositories.ts'
import { findListed, findRepository } from './store.ts'
import { resultOf } from './work.ts'

const LIST_MS = 60_000

/** Entries of a folder in a backup, read by the server's node. */
export async function browseBackup(
  ctx: Ctx<User>,
  server: SharedServer,
  backupId: string,
  path: string,
): Promise<BackupFolder> {
  requireWhole(ctx, server)
  const { repositoryId, snapshotId, nodeId } = await readable(ctx, server, backupId)
  const repository = await openRepository(ctx, repositoryId, { nodeId, access: 'read' })
  const work = taskOf({ do: 'list', repository, snapshotId, path })
  const done = await asked(() =>
    ctx.fleet.ask(nodeId, { serverId: server.id, work }, { timeoutMs: LIST_MS }),
  )
  const text = done.output?.$case === 'backupResult' ? done.output.value.document : ''
  const { items, truncated } = resultOf(ListedFolder, text)
  const prefix = path === '/' ? '' : path
  return {
    path,
    items: items.map((item) => ({ ...item, path: `${prefix}/${item.name}` })),
    truncated,
  }
}

/** A complete backup, and the node that reads it. */
export async function readable(
  { db }: Pick<Ctx, 'db'>,
  server: SharedServer,
  backupId: string,
): Promise<{ repositoryId: string; snapshotId: string; nodeId: string; name: string }> {
  const found = await findListed(db, server.id, backupId)
  const repository = found && (await findRepository(db, found.backup.repositoryId))
  if (!found || !repository) throw notFound('backup')
  const { state, snapshotId, name } = found.backup
  if (state !== 'good' || snapshotId === null)
    throw new Problem('backup_incomplete', 'Only a complete backup has files')
  requireNode(server)
  const nodeId = reaches(server.nodeId, repository) ? server.nodeId : repository.nodeId
  if (nodeId === null) throw notFound('backup')
  return { repositoryId: repository.id, snapshotId, nodeId, name }
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof TaskFailure ? refused(error) : error
  }
}

/** A node's refusal as a problem. */
export function refused({ code, detail }: { code: string; detail: string }): Problem {
  if (code === 'not_found') return new Problem('not_found', detail)
  if (code === 'unsupported') return new Problem('unsupported_on_node', detail)
  if (code === 'copy_damaged') return new Problem('backup_damaged', detail)
  return new Problem('node_unavailable', detail, { retryAfterSeconds: 30 })
}
