import { randomBytes, randomUUID } from 'node:crypto'
import {
  type BackupRepository,
  type StorageAccess,
  storageKind,
} from '@lodge/shared/backup-work.ts'
import type { StoredBackupSettings } from '@lodge/shared/backups.ts'
import { MOVES_SERVERS } from '@lodge/shared/node-abilities.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { notFound, Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { findNode } from '../nodes/index.ts'
import { readSettings } from '../settings/index.ts'
import { backupSettings, openSecretKey } from './settings.ts'
import { requireStorage, storageNodeOf, whyNoStorage } from './storage-nodes.ts'
import { findRepository, findRepositoryAt, insertRepository } from './store.ts'
import type { RepositoryRow } from './tables.ts'

const passwordPlace = (id: string) => ({ table: 'backup_repositories', id, column: 'password' })

/**
 * The repository for a customer's next backup on a node, created with the first. The caller has
 * locked the customer's row, so there is never a second one.
 * @param wanted overrides the place in the settings, or names the node that must reach the backup
 */
export async function repositoryFor(
  ctx: Ctx,
  ownerId: string,
  nodeId: string,
  wanted: {
    readonly place?: RepositoryRow['place'] | undefined
    readonly forNode?: string | undefined
  } = {},
): Promise<RepositoryRow> {
  const stored = await readSettings(ctx.db, backupSettings)
  const settings = { ...stored, ...placeOf(stored, nodeId, wanted) }
  const storage = settings.place === 'other-node' && (await storageNodeOf(ctx.db, settings, nodeId))
  if (settings.place === 'other-node') requireStorage(storage || undefined)
  const storageNodeId = storage ? storage.id : null
  const address = addressOf(settings, storageNodeId)
  const present = await findRepositoryAt(ctx.db, { ownerId, nodeId, address })
  if (present) return present
  const id = randomUUID()
  const row: RepositoryRow = {
    id,
    ownerId,
    nodeId,
    place: settings.place,
    address,
    storageNodeId,
    s3: s3Of(settings, id),
    password: ctx.vault.seal(randomBytes(32).toString('base64url'), passwordPlace(id)),
    needsPrune: false,
    prunedAt: null,
    createdAt: ctx.now,
  }
  await insertRepository(ctx.db, row)
  return row
}

/**
 * A bucket is reachable from every node; otherwise the node that is going to need the backup stores
 * it.
 */
function placeOf(
  stored: StoredBackupSettings,
  nodeId: string,
  { place = stored.place, forNode }: NonNullable<Parameters<typeof repositoryFor>[3]>,
): Partial<Pick<StoredBackupSettings, 'place' | 'storageNodeIds'>> {
  if (forNode === undefined) return { place }
  if (forNode === nodeId) return { place: 'node' }
  return stored.place === 's3' ? {} : { place: 'other-node', storageNodeIds: [forNode] }
}

function addressOf({ place, s3 }: StoredBackupSettings, storageNodeId: string | null): string {
  if (storageNodeId !== null) return `node:${storageNodeId}`
  return place === 's3' && s3 ? `${s3.endpoint}/${s3.bucket}/${s3.prefix}` : 'node'
}

function s3Of({ place, s3 }: StoredBackupSettings, id: string): RepositoryRow['s3'] {
  if (place !== 's3' || !s3) return null
  const { endpoint, bucket, prefix } = s3
  return { endpoint, bucket, folder: prefix === '' ? id : `${prefix}/${id}` }
}

/**
 * A repository with its credentials, for a node. Never stored, never logged. Access to one on another
 * node is for one connection and only as `access` allows: whatever a node does with it, it cannot
 * reach the repositories of others.
 * @throws {Problem} invalid_state if the bucket is no longer in the settings; node_unavailable
 */
export async function openRepository(
  { db, vault, fleet }: Pick<Services, 'db' | 'vault' | 'fleet'>,
  id: string,
  { nodeId, access }: { readonly nodeId: string; readonly access: StorageAccess },
): Promise<BackupRepository> {
  const row = await findRepository(db, id)
  if (!row) throw notFound('backup')
  const password = vault.open(row.password, passwordPlace(id))
  if (row.storageNodeId === nodeId && access === 'read' && (await readsItsOwn(db, nodeId)))
    return { id, password, location: { kind: 'kept-here' } }
  if (row.storageNodeId !== null) {
    const pair = await fleet
      .openPair(
        { nodeId: row.storageNodeId, serverId: id, kind: storageKind(access) },
        { nodeId, serverId: id, kind: 'storage' },
      )
      .catch(nameTheNode(db, row.storageNodeId))
    return { id, password, location: { kind: 'other-node', ...pair.second } }
  }
  if (!row.s3) return { id, password, location: { kind: 'node' } }
  const { s3 } = await readSettings(db, backupSettings)
  if (s3?.endpoint !== row.s3.endpoint || s3.bucket !== row.s3.bucket)
    throw new Problem(
      'invalid_state',
      `The backup is in the bucket ${row.s3.bucket}, which the settings of backups no longer name`,
    )
  const { endpoint, bucket, folder } = row.s3
  // These say how the bucket is reached, not where it is: a correction applies to earlier backups,
  // too.
  const { region, accessKeyId } = s3
  const secretAccessKey = openSecretKey(vault, s3.secretAccessKey)
  return {
    id,
    password,
    location: { kind: 's3', endpoint, bucket, folder, region, accessKeyId, secretAccessKey },
  }
}

/** An older agent also goes through the panel to what it stores for others. */
const readsItsOwn = async (db: Db, nodeId: string): Promise<boolean> =>
  (await findNode(db, nodeId))?.capabilities.includes(MOVES_SERVERS) ?? false

const nameTheNode = (db: Db, nodeId: string) => async (error: unknown) => {
  if (!(error instanceof Problem)) throw error
  const node = await findNode(db, nodeId)
  throw new Problem(error.code, whyNoStorage(node) ?? error.message, { retryAfterSeconds: 30 })
}

/** Whether a node can reach a repository. */
export const reaches = (nodeId: string, row: Pick<RepositoryRow, 'place' | 'nodeId'>): boolean =>
  row.place !== 'node' || row.nodeId === nodeId
