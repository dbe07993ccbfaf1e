import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { Settings } from '../engine/options.ts'
import { type ServerPaths, serverPaths } from './layout.ts'
import {
  createLoopDisk,
  dropLoopDisk,
  mountLoopDisk,
  resizeLoopDisk,
  usedOnDisk,
} from './loop-disk.ts'
import { measuredSizes } from './measured-disk.ts'
import { engineSharesMounts } from './mounts.ts'
import { warmDisks } from './warm-disks.ts'

export interface PreparedData {
  readonly diskLimit: 'enforced' | 'measured'
  /** True when the disk can only be resized with the server stopped. */
  readonly restartRequired: boolean
}

/** The data folders of all servers on this node. */
export interface ServerData {
  paths(serverId: string): ServerPaths
  /** Creates folder, disk and the server user's passwd and group files, or resizes the disk. */
  prepare(serverId: string, uid: number, diskMb: number, running: boolean): Promise<PreparedData>
  /**
   * Prepares one more disk of this size when there are fewer than `count`. Returns whether it did.
   */
  addWarm(diskMb: number, count: number): Promise<boolean>
  /** Mounts the data before anything runs on it. */
  mount(serverId: string): Promise<void>
  /** Gives ownership of everything in the data folder to the server's user. */
  giveTo(serverId: string, uid: number): Promise<void>
  usedBytes(serverId: string): Promise<number | null>
  remove(serverId: string): Promise<void>
  list(): Promise<readonly string[]>
  /** Why disk limits are not enforced although they should be, or null. */
  warning(): Promise<string | null>
}

export function serverData(settings: Settings): ServerData {
  const paths = (serverId: string) => serverPaths(settings.dataRoot, serverId)
  const sizes = measuredSizes()
  const warmPool = warmDisks(join(settings.dataRoot, 'spares'))
  let refused = settings.disk === 'measured'
  let shared = false
  /** Not cached while false: the engine may not have been started yet. */
  const canEnforce = async () => {
    shared ||= !refused && (await engineSharesMounts())
    return shared && !refused
  }

  async function makeFolder(own: ServerPaths, uid: number, diskMb: number): Promise<void> {
    const enforced = await canEnforce()
    const warm = enforced && (await warmPool.take(diskMb, own.folder))
    if (!warm) await mkdir(own.folder, { recursive: true, mode: 0o711 })
    // An existing disk image is complete, because it is renamed into place; an earlier attempt
    // stopped after that.
    if (enforced && (await exists(own.diskImage))) await mountLoopDisk(own)
    else if (enforced) {
      try {
        await createLoopDisk(own, diskMb)
      } catch (error) {
        refused = true
        settings.log(`Disk limits are only measured on this machine: ${String(error)}`)
      }
    }
    await mkdir(own.data, { recursive: true })
    await chown(own.data, uid, uid)
    await chmod(own.data, 0o750)
    await writeFile(own.passwd, passwd(uid), { mode: 0o644 })
    await writeFile(own.group, `root:x:0:\nserver:x:${uid}:\nnogroup:x:65534:\n`, { mode: 0o644 })
  }

  return {
    paths,
    async prepare(serverId, uid, diskMb, running) {
      const own = paths(serverId)
      try {
        if (!(await exists(own.group))) await makeFolder(own, uid, diskMb)
        if (!(await exists(own.diskImage))) return { diskLimit: 'measured', restartRequired: false }
        await mountLoopDisk(own)
        const resized = await resizeLoopDisk(own, diskMb, running)
        return { diskLimit: 'enforced', restartRequired: resized === 'restart' }
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') {
          throw new DriverError('disk_full', 'The disk of this machine is full.', {
            retryable: true,
            cause: error,
          })
        }
        throw error
      }
    },
    addWarm: async (diskMb, count) => (await canEnforce()) && warmPool.add(diskMb, count),
    async mount(serverId) {
      const own = paths(serverId)
      if (await exists(own.diskImage)) await mountLoopDisk(own)
    },
    async giveTo(serverId, uid) {
      const { code, output } = await runProgram(
        'chown',
        ['-hR', `${uid}:${uid}`, '--', paths(serverId).data],
        {
          deadlineMs: 600_000,
        },
      )
      if (code !== 0)
        throw new DriverError('install_failed', 'The files could not be given to the server.', {
          cause: output,
        })
    },
    async usedBytes(serverId) {
      const own = paths(serverId)
      if (await exists(own.diskImage)) return usedOnDisk(own.data).catch(() => null)
      return sizes.bytes(own.data)
    },
    async remove(serverId) {
      const own = paths(serverId)
      sizes.forget(own.data)
      if (await exists(own.diskImage)) await dropLoopDisk(own)
      await rm(own.folder, { recursive: true, force: true })
    },
    async warning() {
      if (settings.disk === 'measured' || (await canEnforce())) return null
      return 'Disk limits are only measured here: no disks can be mounted for the engine.'
    },
    async list() {
      return readdir(join(settings.dataRoot, 'servers')).catch(() => [])
    },
  }
}

function passwd(uid: number): string {
  return [
    'root:x:0:0:root:/root:/bin/sh',
    `server:x:${uid}:${uid}:server:/:/bin/sh`,
    'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
    '',
  ].join('\n')
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
