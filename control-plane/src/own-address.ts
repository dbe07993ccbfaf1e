import os from 'node:os'

/**
 * Interfaces of containers and virtual machines, ours included; keep in step with
 * `tools/start.mjs`.
 */
const OF_WORKLOADS = /^(docker|br-|veth|virbr|vnet|lodge|lg[0-9a-f]{10}$|lgv[0-9a-f]{6}$)/

export const isOfWorkloads = (interfaceName: string): boolean => OF_WORKLOADS.test(interfaceName)

/** The first address reachable by other machines, or loopback. */
export function ownAddress(): string {
  const addresses = Object.entries(os.networkInterfaces())
    .filter(([name]) => !isOfWorkloads(name))
    .flatMap(([, list]) => list ?? [])
  return addresses.find((one) => one.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1'
}
