import type { Ctx } from '../../../context.ts'
import { Permanent } from '../../../jobs/sagas/saga.ts'
import { findNode, lockNode } from '../../nodes/index.ts'
import { movePort, usedPorts } from '../port-store.ts'
import type { PortRow } from '../tables.ts'
import { freePorts } from './free-ports.ts'

/** Host ports by offset. */
export type PortsByOffset = Readonly<Record<string, number>>

/**
 * Host ports for a server on another node: the same as now, or the lowest free ones if those are
 * taken. Locks the node's row until the transaction ends.
 * @param earlier those that it had or was given there
 * @throws {Permanent} no_capacity
 */
export async function portsAt(
  ctx: Ctx,
  ports: readonly PortRow[],
  nodeId: string,
  earlier: PortsByOffset,
): Promise<ReadonlyMap<number, number>> {
  await lockNode(ctx.db, nodeId)
  const node = await findNode(ctx.db, nodeId)
  const chosen = new Map<number, number>()
  const used = ports[0] ? await usedPorts(ctx.db, nodeId, ports[0].serverId) : []
  const isFree = (port: number) => !new Set(chosen.values()).has(port) && !used.includes(port)
  for (const { hostPort, offset } of ports) {
    const wanted = earlier[offset] ?? hostPort
    const inRange = node?.portRanges.some(({ from, to }) => wanted >= from && wanted <= to) ?? false
    if (inRange && isFree(wanted)) chosen.set(hostPort, wanted)
  }
  const free = freePorts(used, node?.portRanges ?? [], ports.length * 2)
  const spare = free.filter((port) => !new Set(chosen.values()).has(port))
  for (const { hostPort } of ports) {
    if (chosen.has(hostPort)) continue
    const port = spare.shift()
    if (port === undefined)
      throw new Permanent('no_capacity', `${node?.name} has no free ports left: widen its ranges`)
    chosen.set(hostPort, port)
  }
  return chosen
}

/**
 * Replaces a server's ports with those on another node.
 * @returns the new host ports by the former ones
 */
export async function movePortsTo(
  ctx: Ctx,
  ports: readonly PortRow[],
  nodeId: string,
  earlier: PortsByOffset,
): Promise<ReadonlyMap<number, number>> {
  const next = await portsAt(ctx, ports, nodeId, earlier)
  for (const port of ports)
    await movePort(ctx.db, port, { nodeId, hostPort: next.get(port.hostPort) ?? port.hostPort })
  return next
}

export const byOffset = (ports: readonly PortRow[]): PortsByOffset =>
  Object.fromEntries(ports.map(({ offset, hostPort }) => [offset, hostPort]))
