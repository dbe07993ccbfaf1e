import { readFileSync } from 'node:fs'
import os from 'node:os'

/**
 * Interfaces of containers and virtual machines, ours included; keep in step with
 * `tools/start.mjs`.
 */
const OF_WORKLOADS = /^(docker|br-|veth|virbr|vnet|lodge|lg[0-9a-f]{10}$|lgv[0-9a-f]{6}$)/
/** The kernel's routes (proc_net(5)): one line each, columns separated by tabs. */
const ROUTES = '/proc/net/route'

export const isOfWorkloads = (interfaceName: string): boolean => OF_WORKLOADS.test(interfaceName)

/** The interface that leads to the internet, if this machine has a route there. */
export function outwardInterface(routes: string): string | undefined {
  const defaults = routes
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .filter(([, destination, , , , , , mask]) => destination === '00000000' && mask === '00000000')
  const metric = (route: readonly string[]) => Number(route[6])
  return defaults.sort((one, other) => metric(one) - metric(other))[0]?.[0]
}

/**
 * The address at which other machines reach this one: of the interface that leads to the internet, or
 * else the first, or loopback.
 */
export function ownAddress(): string {
  const outward = outwardInterface(routesOf())
  const addresses = Object.entries(os.networkInterfaces())
    .filter(([name]) => !isOfWorkloads(name))
    .sort(([one], [other]) => Number(other === outward) - Number(one === outward))
    .flatMap(([, list]) => list ?? [])
  return addresses.find((one) => one.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1'
}

function routesOf(): string {
  try {
    return readFileSync(ROUTES, 'utf8')
  } catch {
    return ''
  }
}
