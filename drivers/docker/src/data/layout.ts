import { join } from 'node:path'
import { checkServerId } from '../engine/names.ts'

/** The paths of one server on disk. */
export interface ServerPaths {
  readonly folder: string
  /** The customer's data; a mount point where the disk limit is enforced. */
  readonly data: string
  readonly diskImage: string
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

/** The same paths in a folder that belongs to no server yet. */
export function pathsIn(folder: string): ServerPaths {
  return {
    folder,
    data: join(folder, 'data'),
    diskImage: join(folder, 'disk.img'),
    record: join(folder, 'record.json'),
    diskLimit: join(folder, 'disk-limit-mb'),
    installLog: join(folder, 'install.log'),
    installFolder: join(folder, 'install'),
    passwd: join(folder, 'passwd'),
    group: join(folder, 'group'),
  }
}
