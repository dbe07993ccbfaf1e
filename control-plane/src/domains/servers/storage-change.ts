import { CHANGES_STORAGE } from '@lodge/shared/node-abilities.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import { hasPermission } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { hasStorage, type NodeRow } from '../nodes/index.ts'
import type { ServerRow } from './tables.ts'

/** The shared storage that a server leaves, and the one that it gets; null for the disk of its node. */
export interface StorageChange {
  readonly from: string | null
  readonly to: string | null
}

/** Whether the caller decides where the files of servers lie: customers do not. */
const choosesStorage = ({ actor }: Ctx): boolean =>
  actor.kind === 'system' || (actor.kind === 'user' && hasPermission(actor, 'servers.edit'))

/**
 * What a wish for a storage means for a server; undefined if it stays where it is.
 * @throws {Problem} permission_required
 */
export function storageChange(
  ctx: Ctx,
  { storageId }: Pick<ServerRow, 'storageId'>,
  wanted: string | null | undefined,
): StorageChange | undefined {
  if (wanted === undefined) return undefined
  if (!choosesStorage(ctx))
    throw new Problem(
      'permission_required',
      'Where the files of a server lie is for the host to choose: leave out storageId',
      { fields: { permission: 'servers.edit' } },
    )
  return wanted === storageId ? undefined : { from: storageId, to: wanted }
}

/** Where else the files of a server could lie on a node, for a caller who chooses that. */
export function otherPlaces(
  ctx: Ctx,
  { storageId }: Pick<ServerRow, 'storageId'>,
  { hardware }: Pick<NodeRow, 'hardware'>,
): { readonly id: string | null; readonly name: string | null }[] {
  if (!choosesStorage(ctx)) return []
  const storages = (hardware?.storages ?? []).flatMap(({ id, name }) => (id ? [{ id, name }] : []))
  return [{ id: null, name: null }, ...storages].filter(({ id }) => id !== storageId)
}

/**
 * Why a server cannot change its storage on the way from one node to another; undefined if it can.
 * @param usedBytes what its files take, as far as known
 */
export function whyNoChange(
  { source, target }: { readonly source: NodeRow; readonly target: NodeRow },
  { from, to }: StorageChange,
  usedBytes: number | null,
  kind: ServerRow['kind'],
): string | undefined {
  const old = [source, target].find(({ capabilities }) => !capabilities.includes(CHANGES_STORAGE))
  if (old) return `The agent of ${old.name} is too old to change the storage of servers: update it`
  if (from !== null && !hasStorage(source, from))
    return `${source.name} does not have its shared storage now`
  if (to === null) return undefined
  const there = target.hardware?.storages?.find(({ id }) => id === to)
  if (!there) return `${target.name} does not have this shared storage now`
  // Of a machine, what counts are its disks.
  const { pool } = there
  const inPool = kind === 'vm' ? pool : undefined
  const freeBytes = inPool ? inPool.freeBytes : there.freeBytes
  if (usedBytes !== null && freeBytes !== null && usedBytes > freeBytes)
    return inPool
      ? `The RBD pool ${inPool.name} of the storage ${there.name} has no room for it: ${formatBytes(freeBytes)} are free`
      : `The storage ${there.name} has no room for it: ${formatBytes(freeBytes)} are free`
  return undefined
}
