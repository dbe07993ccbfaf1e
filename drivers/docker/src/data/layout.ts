import { join } from 'node:path'
import { checkServerId } from '../engine/names.ts'

/** The paths of one server on disk. */
export interface ServerPaths {
  readonly folder: string
  /** Where the data and what is beside them lie: the same folder, or one on a shared storage. */
  readonly home: string
  /** The customer's data; a mount point where the disk limit is enforced. */
  readonly data: string
  readonly diskImage: string
  /** A file with the id of the shared storage that has the data. */
  readonly storage: string
  readonly record: string
  /** A file with the disk limit in MiB. */
  readonly diskLimit: string
  readonly installLog: string
  readonly installFolder: string
  readonly passwd: string
  readonly group: string
}

export function serverPaths(dataRoot: string, serverId: string): ServerPaths {
  return pathsIn(join(dataRoot, 'servers', checkServerId(serverId)))
}

/**
 * The same paths in a folder that belongs to no server yet.
 * @param home that of a server on a shared storage
 */
export function pathsIn(folder: string, home = folder): ServerPaths {
  return {
    folder,
    home,
    data: join(home, 'data'),
    diskImage: join(home, 'disk.img'),
    storage: join(folder, 'storage'),
    record: join(folder, 'record.json'),
    diskLimit: join(folder, 'disk-limit-mb'),
    installLog: join(folder, 'install.log'),
    installFolder: join(folder, 'install'),
    passwd: join(folder, 'passwd'),
    group: join(folder, 'group'),
  }
}
