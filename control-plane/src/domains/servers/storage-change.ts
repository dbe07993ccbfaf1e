import type { MoveTargets } from '@lodge/shared/moves.ts'
import { CHANGES_STORAGE, whyNodeCannot } from '@lodge/shared/node-abilities.ts'
import type { ProblemCode } from '@lodge/shared/problems.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import { hasPermission } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { hasStorage, type NodeRow } from '../nodes/index.ts'
import { partsLeftOf, whyFilesLeft, whyPartLeft } from './parts-left.ts'
import { isChangingStorage, storageCopiesOf } from './storage-copies/copies-store.ts'
import type { StorageCopyRow } from './storage-copies/tables.ts'
import type { ServerRow } from './tables.ts'
import type { ServerView } from './view/view.ts'

/** The shared storage that a server leaves, and the one that it gets; null for the disk of its node. */
export interface StorageChange {
  readonly from: string | null
  readonly to: string | null
}

/** Whether the caller decides how servers use their nodes, such as where files lie: customers do not. */
export const actsForHost = ({ actor }: Ctx): boolean =>
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
  if (!actsForHost(ctx))
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
  if (!actsForHost(ctx)) return []
  const storages = (hardware?.storages ?? []).flatMap(({ id, name }) => (id ? [{ id, name }] : []))
  return [{ id: null, name: null }, ...storages].filter(({ id }) => id !== storageId)
}

/** What a change of storage on the node of a server takes. */
interface Here {
  readonly node: NodeRow
  readonly kind: ServerRow['kind']
  readonly usedBytes: number | null
  readonly whyLeft: (change: StorageChange) => string | null
  /** What its node still has of it on another storage, unless a job needs that. */
  readonly copy: StorageCopyRow | undefined
  /** Another node has files of it there that it is to delete. */
  readonly hasFilesOf: (storageId: string) => boolean
}

export async function hereNow(
  ctx: Ctx,
  { usageDisk: usedBytes }: Pick<ServerView, 'usageDisk'>,
  { id, kind, nodeId: from }: Pick<ServerRow, 'id' | 'kind' | 'nodeId'>,
  node: NodeRow,
): Promise<Here> {
  const parts = await partsLeftOf(ctx, id)
  const whyLeft = ({ to }: StorageChange) =>
    whyPartLeft(ctx, node, parts, from) ?? whyFilesLeft(to, parts)
  const others = [...parts].filter(([nodeId]) => nodeId !== node.id)
  const hasFilesOf = (on: string) => others.some(([, { filesOn }]) => filesOn.includes(on))
  const left = (await isChangingStorage(ctx.db, id)) ? [] : await storageCopiesOf(ctx.db, id)
  const copy = left.find(({ nodeId }) => nodeId === node.id)
  return { node, kind, usedBytes, whyLeft, copy, hasFilesOf }
}

/** Why a server cannot take the copy that its node has on another storage; undefined if it can. */
export function whyNoCopy(
  { node, kind, copy, hasFilesOf }: Here,
  { to }: StorageChange,
): { readonly code: ProblemCode; readonly detail: string } | undefined {
  if (copy?.storageId !== to)
    return {
      code: 'conflict',
      detail: `${node.name} has no copy of it there: change its storage instead, so that its files are copied`,
    }
  if (to !== null && hasFilesOf(to))
    return {
      code: 'part_left_behind',
      detail: 'Another node still has to delete files of it on that storage: wait for that',
    }
  const unable =
    whyNodeCannot(node, kind === 'vm' ? 'machine' : 'container', 'relocation') ??
    (to !== null && !hasStorage(node, to)
      ? `${node.name} does not have this shared storage now`
      : undefined)
  return unable === undefined ? undefined : { code: 'unsupported_on_node', detail: unable }
}

/**
 * Why a server does not change its place while a former copy of it lies on another node.
 * @param isGoing the copy is being deleted; that of a machine waits for its next start
 */
export const whyFormerCopy = (isGoing: boolean): string =>
  isGoing
    ? 'Its former copy is being taken away from another node: wait a moment'
    : 'Its former copy still lies on another node: start the machine once first'

/** Why a server cannot change its storage on its node; undefined if it can. */
export function whyNotHere(
  { node, kind, usedBytes, whyLeft }: Here,
  change: StorageChange,
): { readonly code: ProblemCode; readonly detail: string } | undefined {
  const left = whyLeft(change)
  if (left) return { code: 'part_left_behind', detail: left }
  const unable =
    whyNodeCannot(node, kind === 'vm' ? 'machine' : 'container', 'relocation') ??
    whyNoChange({ source: node, target: node }, change, usedBytes, kind)
  return unable === undefined ? undefined : { code: 'unsupported_on_node', detail: unable }
}

/** Where else a server could lie on its node, for a caller who chooses that. */
export async function placesHere(
  ctx: Ctx,
  server: Pick<ServerView, 'usageDisk'>,
  row: ServerRow,
  node: NodeRow,
  /** Why its former copy on another node keeps it from that. */
  whyFormer: string | undefined,
): Promise<MoveTargets['here']> {
  const places = otherPlaces(ctx, row, node)
  const storages = node.hardware?.storages ?? []
  const name = storages.find(({ id }) => id === row.storageId)?.name ?? null
  const here = await hereNow(ctx, server, row, node)
  return {
    present: { id: row.storageId, name },
    storages: places.map((place) => {
      const change = { from: row.storageId, to: place.id }
      const { copy } = here
      // As a rule its node deletes it within seconds.
      const isLeft = copy && (copy.failure !== null || copy.keptUntil !== null)
      const isOffered = isLeft && !whyNoCopy(here, change)
      return {
        ...place,
        why: whyFormer ?? whyNotHere(here, change)?.detail ?? null,
        copyOf: isOffered ? copy.createdAt.toISOString() : null,
      }
    }),
  }
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
