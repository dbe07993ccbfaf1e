import { freeOn, hasRoom } from '../moves/index.ts'
import type { NodeRow } from '../nodes/index.ts'

/** A server that needs a node. */
interface Homeless {
  readonly id: string
  readonly memoryMb: number
  readonly cpuPercent: number
  readonly diskMb: number
  /** The only node that can reach its backup; null: all can. */
  readonly onlyOn: string | null
  /** Nodes that still have to delete a part of it. */
  readonly notOn: ReadonlySet<string>
  /** Why a node cannot take servers of this kind, regardless of room; undefined if it can. */
  readonly whyUnfit: (node: NodeRow) => string | undefined
}

/** The node that a server is assigned, or why there is none. */
export type Assigned =
  | { readonly node: NodeRow; readonly why: null }
  | { readonly node: null; readonly why: string }

/**
 * Assigns nodes to servers of a lost node: in the same location if there is room, on the node with
 * the most free memory. Big servers first, because they fit on few nodes.
 */
export function assign(
  servers: readonly Homeless[],
  nodes: readonly NodeRow[],
  location: string,
): ReadonlyMap<string, Assigned> {
  const free = new Map(nodes.map((node) => [node.id, freeOn(node)]))
  const assigned = new Map<string, Assigned>()
  const bySize = servers.toSorted((a, b) => b.memoryMb - a.memoryMb || a.id.localeCompare(b.id))
  for (const server of bySize) {
    const fits = nodes.filter(
      (node) =>
        (server.onlyOn === null || server.onlyOn === node.id) &&
        !server.notOn.has(node.id) &&
        hasRoom(free.get(node.id) ?? NOTHING, server) &&
        server.whyUnfit(node) === undefined,
    )
    const [node] = fits.toSorted(
      (a, b) =>
        Number(b.location === location) - Number(a.location === location) ||
        (free.get(b.id) ?? NOTHING).memoryMb - (free.get(a.id) ?? NOTHING).memoryMb ||
        a.id.localeCompare(b.id),
    )
    const room = node && free.get(node.id)
    if (!node || !room) {
      assigned.set(server.id, { node: null, why: whyNowhere(server, nodes) })
      continue
    }
    free.set(node.id, {
      memoryMb: room.memoryMb - server.memoryMb,
      cpuPercent: room.cpuPercent - server.cpuPercent,
      diskMb: room.diskMb - server.diskMb,
    })
    assigned.set(server.id, { node, why: null })
  }
  return assigned
}

const HAS_PART = 'it still has to delete what an earlier move left there'
const NOTHING = { memoryMb: 0, cpuPercent: 0, diskMb: 0 }

function whyNowhere({ onlyOn, notOn, whyUnfit }: Homeless, nodes: readonly NodeRow[]): string {
  const [node] = onlyOn === null ? [] : nodes.filter(({ id }) => id === onlyOn)
  if (node)
    return `Only ${node.name} reaches its backup: ${whyUnfit(node) ?? (notOn.has(node.id) ? HAS_PART : 'it has no room')}`
  if (nodes.length === 0) return 'There is no other node'
  const reasons = nodes.slice(0, 3).flatMap((one) => whyUnfit(one) ?? [])
  const usable = nodes.some((one) => whyUnfit(one) === undefined)
  if (usable && notOn.size > 0)
    return 'No node can take it: some have no room, others still have to delete part of it'
  return usable ? 'No node has room for it' : `No node can take it: ${reasons.join('; ')}`
}
