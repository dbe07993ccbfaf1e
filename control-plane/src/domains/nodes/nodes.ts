import { randomUUIDv7 } from 'node:crypto'
import type { CordonCause, CreateNode, EditNode, Node, NodeHardware } from '@lodge/shared/nodes.ts'
import type { Ctx } from '../../context.ts'
import { cutPage, decodeCursor } from '../../db/cursor.ts'
import { type Db, isDuplicate } from '../../db/database.ts'
import { announceDesired } from '../../fleet/store.ts'
import { invalid } from '../../http/input.ts'
import { notFound, Problem } from '../../problem.ts'
import { requireOpenings } from './abilities.ts'
import { describeNode } from './describe.ts'
import { changedCapacity, UNKNOWN } from './detected.ts'
import { requireApart } from './own-ports.ts'
import { nodeRemoval } from './removal.ts'
import { hasStorage, serversOnStorage } from './storages.ts'
import * as store from './store.ts'
import type { NodeRow } from './tables.ts'

const DEFAULT_PORTS = [{ from: 25_000, to: 29_999 }]

export async function pageOfNodes(db: Db, query: { after?: string | undefined; limit: number }) {
  const rows = await store.listNodes(db, { after: decodeCursor(query.after), limit: query.limit })
  const page = cutPage(rows, query.limit, (row) => [row.name, row.id])
  return { ...page, items: page.items.map((row) => describeNode(row)) }
}

export async function createNode(ctx: Ctx, given: CreateNode, local = false): Promise<NodeRow> {
  const { portRanges = DEFAULT_PORTS, sftpPort = null, transferPort = null } = given
  const ports = { portRanges, sftpPort, transferPort }
  requireApart(ports)
  try {
    const row = await ctx.transaction(async (ctx) => {
      const node = await store.insertNode(ctx.db, {
        id: randomUUIDv7(),
        name: given.name,
        location: given.location,
        address: given.address ?? null,
        ...changedCapacity({ ...UNKNOWN, local }, given),
        ...ports,
        local,
      })
      await ctx.live.announce(ctx.db, { kind: 'node', id: node.id })
      return node
    })
    return row
  } catch (error) {
    throw nameTaken(error)
  }
}

/**
 * Sizes may be set below what is allocated: nothing is removed, but nothing new fits.
 * @param because the cause of a cordon
 */
export async function editNode(
  ctx: Ctx,
  node: NodeRow,
  change: EditNode,
  because: CordonCause = 'person',
): Promise<Node> {
  const { address, memoryMb, cpuPercent, diskMb, headroomMb, ...rest } = change
  if (change.openNetworks) requireOpenings(node, change.openNetworks)
  try {
    return await ctx.transaction(async (ctx) => {
      // Locked, because a report of the agent may change what is detected meanwhile.
      await store.lockNode(ctx.db, node.id)
      const present = await store.findNode(ctx.db, node.id)
      if (!present) throw notFound('node')
      if (change.defaultStorageId) requireStorage(present, change.defaultStorageId)
      requireApart({
        portRanges: change.portRanges ?? present.portRanges,
        sftpPort: change.sftpPort === undefined ? present.sftpPort : change.sftpPort,
        transferPort:
          change.transferPort === undefined ? present.transferPort : change.transferPort,
      })
      const row = await store.updateNode(ctx.db, node.id, {
        ...rest,
        ...changedCapacity(present, { memoryMb, cpuPercent, diskMb, headroomMb }),
        ...(address !== undefined && { address }),
        ...cordonChange(present, change.cordoned, { because, at: ctx.now }),
      })
      if (!row) throw notFound('node')
      await ctx.live.announce(ctx.db, { kind: 'node', id: row.id })
      const isDesired = [change.openNetworks, change.sftpPort, change.transferPort].some(
        (wanted) => wanted !== undefined,
      )
      if (isDesired) await announceDesired(ctx.db, row.id)
      return describeNode(row)
    })
  } catch (error) {
    throw nameTaken(error)
  }
}

/** @throws {Problem} validation_failed */
function requireStorage(node: NodeRow, storageId: string): void {
  if (!hasStorage(node, storageId))
    throw invalid([
      { pointer: '/defaultStorageId', detail: 'is not a shared storage that the node has now' },
    ])
}

/** A cordon keeps its original cause for as long as it lasts. */
function cordonChange(
  present: NodeRow,
  cordoned: boolean | undefined,
  { because, at }: { readonly because: CordonCause; readonly at: Date },
): Partial<Pick<NodeRow, 'cordonedBecause' | 'cordonedAt'>> {
  if (cordoned === undefined || cordoned === present.cordoned) return {}
  return cordoned
    ? { cordonedBecause: because, cordonedAt: at }
    : { cordonedBecause: null, cordonedAt: null }
}

/** @param confirmed accepts the loss of what only this node keeps */
export async function removeNode(ctx: Ctx, node: NodeRow, confirmed = false): Promise<void> {
  const notEmpty = () =>
    new Problem(
      'node_not_empty',
      `${node.name} still has ${node.allocatedServers} servers: delete or move them first`,
    )
  if (node.allocatedServers > 0) throw notEmpty()
  await ctx.transaction(async (ctx) => {
    await ctx.catalogue.answers.to(nodeRemoval)(ctx, node, confirmed)
    if (!(await store.deleteNode(ctx.db, node.id))) throw notEmpty()
    await ctx.live.announce(ctx.db, { kind: 'node-removed', id: node.id })
  })
  // After the commit: before it, the agent could still reconnect with its credential.
  await ctx.fleet.disconnectNode(node.id)
}

function nameTaken(error: unknown): unknown {
  if (!isDuplicate(error, 'nodes_name')) return error
  return new Problem('duplicate', 'A node with this name already exists: choose another name', {
    fields: { errors: [{ pointer: '/name', detail: 'is taken' }] },
  })
}

export const hardwareOf = async (
  { db, catalogue }: Ctx,
  { id, hardware, drivers }: NodeRow,
): Promise<NodeHardware> => ({
  hardware,
  engines: drivers,
  serversOnStorage: await catalogue.answers.to(serversOnStorage)(db, id),
})
