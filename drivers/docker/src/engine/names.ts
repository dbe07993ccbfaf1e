import { DriverError } from '@lodge/driver/driver.ts'

export const LABEL = {
  server: 'lodge.server',
  generation: 'lodge.generation',
  run: 'lodge.run',
  fingerprint: 'lodge.fingerprint',
  kind: 'lodge.kind',
  scope: 'lodge.scope',
  number: 'lodge.number',
} as const

export type ContainerKind = 'run' | 'install'

/** Rejects an id that would not be safe in a path or container name. */
export function checkServerId(serverId: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(serverId)) return serverId
  throw new DriverError('invalid_spec', 'The server has an id that cannot be used.')
}

/** Containers have deterministic names, so that no call needs to search for them. */
export function containerName(scope: string, serverId: string, kind: ContainerKind): string {
  const name = `lodge-${scope}-${checkServerId(serverId)}`
  return kind === 'run' ? name : `${name}-install`
}

/** Networks are named by number, so that they can be created before the server. */
export function networkName(scope: string, number: number): string {
  return `lodge-${scope}-network-${number}`
}

/** Earlier agents named a network after its server. */
export function earlierNetworkName(scope: string, serverId: string): string {
  return `lodge-${scope}-${checkServerId(serverId)}`
}
