import { join } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { imagePrefix } from '@lodge/driver/storage/images.ts'
import { readNote, type StorageNote } from '@lodge/driver/storage/note.ts'
import type { RbdPool } from '@lodge/driver/storage/rbd.ts'

/** The images of one server in an RBD pool. */
export interface ImagePool extends RbdPool {
  /** What the names of all of them begin with, and of no other. */
  readonly prefix: string
}

/** The paths of one server on disk. */
export interface MachinePaths {
  /** What belongs to the node. */
  readonly folder: string
  /**
   * What belongs to the customer, and so goes wherever the machine goes: the same folder, or one on a
   * shared storage.
   */
  readonly home: string
  /** The shared storage that has it; null for the node's own disk. */
  readonly storage: StorageNote | null
  /** Has the disks, of which the files are notes; null: the files are the disks. */
  readonly pool: ImagePool | null
  /** The record of what was created, for the time without a domain. */
  readonly record: string
  /** The same beside the disks; of a machine on a shared storage, other nodes change it, too. */
  readonly contents: string
  readonly disks: string
  readonly firmware: string
  /** The state of the TPM on a shared storage; on the node's own disk, it lies where libvirt keeps it. */
  readonly tpm: string
  readonly seed: string
  readonly snapshots: string
  /** Files received from another node, incomplete. */
  readonly arriving: string
  /** A copy that a backup is read from; on a shared storage each node has its own. */
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
  return pathsOn(dataRoot, serverId, readNote(noteIn(folder)))
}

/** The paths of a server if it lay on this storage, or on the node's own disk (null). */
export function pathsOn(
  dataRoot: string,
  serverId: string,
  storage: StorageNote | null,
): MachinePaths {
  const folder = join(dataRoot, checkServerId(serverId))
  const home = storage?.home ?? folder
  const pool = storage?.pool ? { ...storage.pool, prefix: imagePrefix(storage.id, serverId) } : null
  const sockets = join(folder, 'run')
  const serialSocket = join(sockets, 'serial')
  if (Buffer.byteLength(serialSocket) > LONGEST_SOCKET_PATH)
    throw new DriverError('invalid_spec', `The path ${folder} is too long for sockets.`)
  return {
    ...{ folder, home, storage, pool },
    record: join(folder, RECORD),
    contents: join(home, RECORD),
    disks: join(home, 'disks'),
    firmware: join(home, 'firmware.fd'),
    tpm: join(home, 'tpm'),
    seed: join(home, 'seed.iso'),
    snapshots: join(home, 'snapshots'),
    arriving: join(home, 'arriving'),
    backup: join(home, storage?.own ? `${BACKUP}-${storage.own}` : BACKUP),
    restore: join(home, 'restore'),
    former: join(home, 'former'),
    exchange: join(home, 'exchange.json'),
    serialLog: join(folder, 'serial.log'),
    sockets,
    serialSocket,
    screenSocket: join(sockets, 'screen'),
    disk: (id) => join(home, 'disks', `${id}.${pool ? 'rbd' : 'qcow2'}`),
  }
}

const RECORD = 'server.json'
/** What copies for backups are named, those that other nodes left as well. */
export const BACKUP = 'backup'

/** The file in a machine's folder on its node with the shared storage that has the rest. */
export const noteIn = (folder: string): string => join(folder, 'storage')

/**
 * Domain names are for people who use other tools; the driver identifies domains by their metadata.
 */
export function domainName(scope: string, serverId: string): string {
  return `lodge-${scope}-${checkServerId(serverId)}`
}
