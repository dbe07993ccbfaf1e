import { isMachine, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Facts } from './decide.ts'

interface Holder {
  readonly facts: Facts
  readonly spec: WorkloadSpec | null
}

/** Whether another server that runs has, or may have, a port of this one. */
export function sharesPort(servers: ReadonlyMap<string, Holder>, serverId: string): boolean {
  const own = new Set(portsOf(servers.get(serverId)?.spec))
  return [...servers].some(([id, { facts, spec }]) => {
    if (id === serverId || !facts.running) return false
    // Of one that was found here without a document, nobody knows.
    return spec === null || portsOf(spec).some((port) => own.has(port))
  })
}

const portsOf = (spec: WorkloadSpec | null | undefined): string[] =>
  spec && !isMachine(spec)
    ? spec.ports.map(({ hostPort, protocol }) => `${hostPort} ${protocol}`)
    : []
