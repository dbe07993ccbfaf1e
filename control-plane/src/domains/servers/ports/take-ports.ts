import type { portsNeeded } from '@lodge/shared/templates/resolve.ts'
import { Problem } from '../../../problem.ts'
import type { ReservedNode } from '../../nodes/index.ts'
import { portTaken } from '../port-store.ts'
import type { PortRow } from '../tables.ts'
import { freePorts } from './free-ports.ts'

/**
 * Allocates a port for everything a server listens on; the primary one may be requested. The node's
 * row is locked.
 */
export function takePorts(
  serverId: string,
  place: Pick<ReservedNode, 'nodeId' | 'portRanges' | 'usedPorts'>,
  needed: ReturnType<typeof portsNeeded>,
  wanted: number | undefined,
): PortRow[] {
  const free = freePorts(place.usedPorts, place.portRanges, needed.length + 1)
  if (wanted !== undefined) {
    if (!place.portRanges.some((range) => wanted >= range.from && wanted <= range.to)) {
      throw new Problem(
        'port_unavailable',
        `Port ${wanted} is outside the node's port ranges: choose one within them or leave it out`,
      )
    }
    if (place.usedPorts.includes(wanted)) throw portTaken(wanted)
  }
  const others = free.filter((port) => port !== wanted)
  const hostPorts = wanted === undefined ? others : [wanted, ...others]
  if (hostPorts.length < needed.length)
    throw new Problem('no_capacity', 'The node has no free ports: widen its port ranges')
  return needed.map((need, at) => {
    const hostPort = hostPorts[at] as number
    return {
      serverId,
      offset: need.offset,
      nodeId: place.nodeId,
      hostPort,
      containerPort: need.container ?? hostPort,
      protocol: need.protocol,
      label: need.label,
    }
  })
}
