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

/** Refuses an id that could mean something else in a path or a container name. */
export function checkServerId(serverId: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(serverId)) return serverId
  throw new DriverError('invalid_spec', 'The server has an id that cannot be used.')
}

/** Containers are found by name, so that no call needs a search first. */
export function containerName(scope: string, serverId: string, kind: ContainerKind): string {
  const name = `lodge-${scope}-${checkServerId(serverId)}`
  return kind === 'run' ? name : `${name}-install`
}

/** A server's network is named after its number, so that it can be made before the server. */
export function networkName(scope: string, number: number): string {
  return `lodge-${scope}-network-${number}`
}

/** Networks of earlier agents were named after their server. */
export function earlierNetworkName(scope: string, serverId: string): string {
  return `lodge-${scope}-${checkServerId(serverId)}`
}
