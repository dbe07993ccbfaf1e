import { isAdmin } from '../../actor.ts'
import { Question } from '../../answers.ts'
import type { Ctx } from '../../context.ts'
import { Permanent } from '../../jobs/sagas/saga.ts'
import { findNode, type NodeRow } from '../nodes/index.ts'
import { storageCopiesOf } from './storage-copies/copies-store.ts'
import { findServer } from './store.ts'

/**
 * By node: why it fails to delete its part of a server (null if it has not tried or finished yet), and
 * the storages whose files go with it.
 */
export type PartsLeft = ReadonlyMap<
  string,
  {
    readonly failure: string | null
    readonly filesOn: readonly string[]
    /** It has a copy from a change of storage, which an administrator can forget. */
    readonly copy?: { readonly isKept: boolean }
  }
>

/** Nodes that still have to delete a part of a server from a move. */
export const partsLeft = new Question<(ctx: Ctx, serverId: string) => Promise<PartsLeft>>(
  'which nodes still have to delete part of a server',
)

export async function partsLeftOf(ctx: Ctx, serverId: string): Promise<PartsLeft> {
  const parts = new Map(await ctx.catalogue.answers.to(partsLeft)(ctx, serverId))
  for (const copy of await storageCopiesOf(ctx.db, serverId)) {
    const { nodeId, failure, storageId, keptUntil } = copy
    const part = parts.get(nodeId)
    parts.set(nodeId, {
      failure: part?.failure ?? failure,
      ...(part?.failure == null && { copy: { isKept: keptUntil !== null && keptUntil > ctx.now } }),
      filesOn: [...(part?.filesOn ?? []), ...(storageId === null ? [] : [storageId])],
    })
  }
  return parts
}

/**
 * Why a server cannot be placed on a node that still has a part of it from an earlier move: the late
 * deletion would delete what a new move brings. Null if nothing is left.
 * @param from the node that it would leave, and whose kept copy it could then not take any more
 */
export function whyPartLeft(
  ctx: Ctx,
  { id, name }: Pick<NodeRow, 'id' | 'name'>,
  parts: PartsLeft,
  from?: string,
): string | null {
  const isHost = ctx.actor.kind === 'system' || isAdmin(ctx.actor)
  if (from !== undefined && from !== id && parts.get(from)?.copy?.isKept)
    return isHost
      ? 'Its node keeps another copy of it, which it could not take elsewhere: take that, or forget it on the page Failover'
      : 'Its node keeps another copy of it, which it could not take elsewhere: ask the host to decide about that'
  const part = parts.get(id)
  if (part === undefined) return null
  const { failure: failed, copy } = part
  if (copy?.isKept && isHost)
    return from === id
      ? `${name} keeps another copy of it: take that, or forget it on the page Failover`
      : `${name} keeps another copy of it, which it cannot take from where it is: forget it on the page Failover, or choose another node`
  if (failed === null && !copy?.isKept)
    return `${name} still has to delete what an earlier move left there: wait a moment`
  if (copy && isHost)
    return `${name} cannot delete the copy that a change of storage left (${failed}): mend that on ${name}, or forget the copy on the page Failover`
  return isHost
    ? `${name} cannot delete what an earlier move left there (${failed}): choose another node, or mend that on ${name}, which tries again by itself`
    : `${name} cannot delete what an earlier move left there: choose another node, or ask the host to look at the page Failover`
}

/**
 * Why a server cannot come onto a storage now: a node that still has to delete its files of an earlier stay
 * there would delete those of the new one.
 */
export function whyFilesLeft(storageId: string | null, parts: PartsLeft): string | null {
  if (storageId === null) return null
  const there = [...parts.values()].filter(({ filesOn }) => filesOn.includes(storageId))
  if (there.length === 0) return null
  return there.some(({ copy }) => copy?.isKept)
    ? 'Another node keeps a copy of it on that storage: save what you need of that, forget it on the page Failover, or choose another storage'
    : 'Its files of an earlier stay on that storage are still to be deleted: wait a moment, or look at the page Failover'
}

/** A part of a server that is elsewhere, which its node could not delete yet. */
export interface LeftPart {
  readonly serverId: string
  readonly nodeId: string
  readonly kind: 'container' | 'vm'
  /** The newest placement that the node may know of. */
  readonly placementGeneration: number
  /** The shared storage whose files of the server go with it. */
  readonly filesOn?: string | undefined
}

/** Records what a node has to delete as soon as it can. Idempotent. */
export async function notePart(ctx: Ctx, part: LeftPart): Promise<void> {
  const serverName = (await findServer(ctx.db, part.serverId))?.name ?? ''
  await ctx.emit('server.left_behind', { ...part, serverName, partial: true })
}

/** @throws {Permanent} part_left_behind */
export async function requireNothingLeft(
  ctx: Ctx,
  serverId: string,
  nodeId: string,
): Promise<void> {
  const parts = await partsLeftOf(ctx, serverId)
  const node = parts.has(nodeId) ? await findNode(ctx.db, nodeId) : undefined
  const why = node ? whyPartLeft(ctx, node, parts) : null
  if (why !== null) throw new Permanent('part_left_behind', why)
}
