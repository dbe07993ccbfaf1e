import { join } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'

/** The paths of one server on disk. */
export interface MachinePaths {
  readonly folder: string
  /** The record of what was created, for the time without a domain. */
  readonly record: string
  readonly disks: string
  readonly firmware: string
  readonly seed: string
  readonly snapshots: string
  /** Files received from another node, incomplete. */
  readonly arriving: string
  /** A copy that a backup is read from. */
  readonly backup: string
  /** Restored files that are not in place. */
  readonly restore: string
  /** The files from before a restore. */
  readonly former: string
  readonly exchange: string
  readonly serialLog: string
  /** Belongs to QEMU's user, because QEMU creates its sockets here. */
  readonly sockets: string
  readonly serialSocket: string
  readonly screenSocket: string
  disk(id: string): string
}

/** `sun_path` of unix(7), without the terminating zero. */
const LONGEST_SOCKET_PATH = 107

/** Rejects an id that would not be safe in a path or domain name. */
export function checkServerId(serverId: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(serverId)) return serverId
  throw new DriverError('invalid_spec', 'The server has an id that cannot be used.')
}

/** Throws `invalid_spec` for an id that is not safe in a path. */
export function machinePaths(dataRoot: string, serverId: string): MachinePaths {
  const folder = join(dataRoot, checkServerId(serverId))
  const sockets = join(folder, 'run')
  const serialSocket = join(sockets, 'serial')
  if (Buffer.byteLength(serialSocket) > LONGEST_SOCKET_PATH)
    throw new DriverError('invalid_spec', `The path ${folder} is too long for sockets.`)
  return {
    folder,
    record: join(folder, 'server.json'),
    disks: join(folder, 'disks'),
    firmware: join(folder, 'firmware.fd'),
    seed: join(folder, 'seed.iso'),
    snapshots: join(folder, 'snapshots'),
    arriving: join(folder, 'arriving'),
    backup: join(folder, 'backup'),
    restore: join(folder, 'restore'),
    former: join(folder, 'former'),
    exchange: join(folder, 'exchange.json'),
    serialLog: join(folder, 'serial.log'),
    sockets,
    serialSocket,
    screenSocket: join(sockets, 'screen'),
    disk: (id) => join(folder, 'disks', `${id}.qcow2`),
  }
}

/**
 * Domain names are for people who use other tools; the driver identifies domains by their metadata.
 */
export function domainName(scope: string, serverId: string): string {
  return `lodge-${scope}-${checkServerId(serverId)}`
}
