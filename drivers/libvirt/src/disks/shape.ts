import { chmod, copyFile, mkdir, statfs } from 'node:fs/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import { exists } from '@lodge/shared/local/files.ts'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import type { DataRecord } from '../data/data.ts'
import { moveIntoPlace } from '../data/files.ts'
import type { MachinePaths } from '../data/layout.ts'
import { disksOf } from './of-machine.ts'

const MIB = 1024 * 1024

/**
 * Creates the folders of a machine. QEMU's user must be able to reach the sockets, and nobody else
 * the rest.
 */
export async function makeFolders(paths: MachinePaths): Promise<void> {
  for (const folder of [paths.folder, paths.home, paths.disks])
    await mkdir(folder, { recursive: true, mode: 0o711 })
  for (const folder of [paths.folder, paths.home]) await chmod(folder, 0o711)
}

/**
 * Brings the disks and firmware variables of a stopped machine into line with its spec, and returns
 * what exists afterwards. Throws `disk_missing` for a missing disk that existed before,
 * `invalid_spec` for one that would shrink.
 */
export async function shapeDisks(
  paths: MachinePaths,
  spec: MachineSpec,
  known: DataRecord | null,
): Promise<Pick<DataRecord, 'disks' | 'firmware'>> {
  for (const disk of spec.disks) {
    const { id, sizeMb } = disk
    const path = paths.disk(id)
    if (await exists(path)) await growTo(paths, disk)
    else if (known?.disks.includes(id)) throw missing(paths, `The disk ${id} is`)
    else {
      await requireFits(paths, disk)
      await makeEmptyDisk(paths, path, sizeMb)
    }
  }
  const firmware = await shapeFirmware(paths, spec, known?.firmware ?? false)
  const disks = [...new Set([...(known?.disks ?? []), ...spec.disks.map(({ id }) => id)])]
  return { disks, firmware }
}

/** Throws `invalid_spec` for a disk larger than the whole file system it would be on. */
export async function requireFits(
  paths: MachinePaths,
  { id, sizeMb }: MachineSpec['disks'][number],
): Promise<void> {
  // A pool says of none how much it could have.
  if (paths.pool) return
  const { blocks, bsize } = await statfs(paths.home)
  if (sizeMb * MIB <= blocks * bsize) return
  const [size, most] = [formatBytes(sizeMb * MIB), formatBytes(blocks * bsize)]
  throw new DriverError(
    'invalid_spec',
    paths.storage
      ? `The disk ${id} of ${size} is larger than its shared storage, which has ${most}: give it a smaller size.`
      : `The disk ${id} of ${size} is larger than the node's own, which has ${most}: give it a smaller size.`,
  )
}

/** Replaces whatever is at the path with an empty disk. */
export async function makeEmptyDisk(
  paths: MachinePaths,
  path: string,
  sizeMb: number,
): Promise<void> {
  const fresh = `${path}.new`
  await disksOf(paths).create(fresh, sizeMb)
  await moveIntoPlace(fresh, path)
}

/** Installs fresh firmware variables. */
export async function makeFirmware(paths: MachinePaths, spec: MachineSpec): Promise<boolean> {
  const { firmware } = spec.profile
  if (firmware.kind === 'bios') return false
  const fresh = `${paths.firmware}.new`
  await copyFile(firmware.vars.path, fresh).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new DriverError('unsupported', `This node has no firmware ${firmware.vars.path}.`)
  })
  await chmod(fresh, 0o600)
  await moveIntoPlace(fresh, paths.firmware)
  return true
}

/**
 * Throws unless every disk exists and is self-contained: QEMU would open any file that the header
 * names.
 */
export async function checkDisks(paths: MachinePaths, spec: MachineSpec): Promise<void> {
  for (const { id } of spec.disks) {
    if (!(await exists(paths.disk(id)))) throw missing(paths, `The disk ${id} is`)
    await disksOf(paths).sizeBytes(paths.disk(id))
  }
  if (spec.profile.firmware.kind === 'uefi' && !(await exists(paths.firmware)))
    throw missing(paths, 'The firmware variables are')
}

async function growTo(paths: MachinePaths, disk: MachineSpec['disks'][number]): Promise<void> {
  const { id, sizeMb } = disk
  const path = paths.disk(id)
  const disks = disksOf(paths)
  const size = await disks.sizeBytes(path)
  if (size > sizeMb * MIB)
    throw new DriverError('invalid_spec', `The disk ${id} cannot be made smaller.`)
  if (size === sizeMb * MIB) return
  await requireFits(paths, disk)
  await disks.grow(path, sizeMb)
}

async function shapeFirmware(
  paths: MachinePaths,
  spec: MachineSpec,
  known: boolean,
): Promise<boolean> {
  if (spec.profile.firmware.kind === 'bios') return known
  if (await exists(paths.firmware)) return true
  if (known) throw missing(paths, 'The firmware variables are')
  return makeFirmware(paths, spec)
}

function missing({ storage }: MachinePaths, what: string): DriverError {
  return new DriverError(
    'disk_missing',
    storage
      ? `${what} gone from the shared storage. Restore a snapshot or a backup, or install the machine anew.`
      : `${what} gone from this node. Restore a snapshot or a backup, or install the machine anew.`,
  )
}
