import type { PortMapping, PortProtocol } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../../context.ts'
import { requireFree } from '../../../db/cap.ts'
import { notFound, Problem } from '../../../problem.ts'
import { lockOwner } from '../../customers/index.ts'
import { requireQuota } from '../../limits/index.ts'
import { findNode, lockNode } from '../../nodes/index.ts'
import { changeDesired } from '../desired-state/desired-state.ts'
import { endForwarding, forward } from '../machine/forward.ts'
import { deletePort, insertPorts, listPorts, usedPorts } from '../port-store.ts'
import { respec } from '../spec/spec.ts'
import { lockServer } from '../store.ts'
import type { PortRow } from '../tables.ts'
import type { ServerView } from '../view/view.ts'
import { portCap } from './cap-store.ts'
import { freePorts } from './free-ports.ts'

export const describePort = (row: PortRow): PortMapping => ({
  offset: row.offset,
  hostPort: row.hostPort,
  container: row.containerPort,
  protocol: row.protocol,
  label: row.label,
})

/** Adds a host port to the server; a running server must restart to use it. */
export async function addPort(
  ctx: Ctx,
  server: ServerView,
  given: { container: number; protocol: PortProtocol; label?: string | undefined },
): Promise<PortMapping> {
  return ctx.transaction(async (ctx) => {
    const owner = await lockOwner(ctx.db, server.ownerId)
    const row = await lockServer(ctx.db, server.id)
    if (!row || !owner) throw notFound('server')
    await requireQuota(
      ctx,
      owner,
      (usage) => [
        { capability: 'mayExtraPorts' },
        { key: 'maxExtraPorts', used: usage.extraPorts, requested: 1 },
      ],
      { of: row },
    )
    // Locked, so that no two servers take the same port.
    await lockNode(ctx.db, row.nodeId)
    const node = await findNode(ctx.db, row.nodeId)
    const present = await listPorts(ctx.db, row.id)
    await requireFree(ctx.db, portCap, row.id)
    const same = present.find(
      (port) => port.containerPort === given.container && overlap(port.protocol, given.protocol),
    )
    if (same)
      throw new Problem(
        'duplicate',
        `Port ${given.container} of the server is mapped already (host port ${same.hostPort})`,
      )
    const used = await usedPorts(ctx.db, row.nodeId, row.id)
    const [hostPort] = freePorts(used, node?.portRanges ?? [], 1)
    if (hostPort === undefined)
      throw new Problem('no_capacity', 'The node has no free ports: ask your host to add some')
    const port: PortRow = {
      serverId: row.id,
      offset: firstFree(present.map((one) => one.offset)),
      nodeId: row.nodeId,
      hostPort,
      containerPort: given.container,
      protocol: given.protocol,
      label: given.label ?? null,
    }
    await insertPorts(ctx.db, [port])
    if (row.kind === 'vm') await forward(ctx.db, port)
    await changeDesired(ctx, row, { ...(await respec(ctx, row)) })
    return describePort(port)
  })
}

/**
 * Takes an extra port from the server at once. Nobody else gets it before its node reports that
 * nothing there has it open any more: a container keeps its ports until it is restarted.
 */
export async function removePort(ctx: Ctx, server: ServerView, offset: number): Promise<void> {
  if (offset === 0) throw new Problem('in_use', 'The primary port of a server cannot be removed')
  await ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, server.id)
    const port = row && (await listPorts(ctx.db, row.id)).find((one) => one.offset === offset)
    if (!row || !port || !(await deletePort(ctx.db, row.id, offset))) throw notFound('port')
    if (row.kind === 'vm') await endForwarding(ctx.db, port)
    await changeDesired(ctx, row, {
      ...(await respec(ctx, row)),
      heldPorts: [...new Set([...row.heldPorts, port.hostPort])],
      heldPortsUntil: row.generation + 1,
    })
  })
}

const overlap = (a: PortProtocol, b: PortProtocol): boolean =>
  a === b || a === 'both' || b === 'both'

function firstFree(offsets: readonly number[]): number {
  let offset = 1
  while (offsets.includes(offset)) offset++
  return offset
}
