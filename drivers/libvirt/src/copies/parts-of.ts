import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { exists } from '@lodge/shared/local/files.ts'
import type { CopiedFile } from '@lodge/shared/machine-copy.ts'
import { completeExchange } from '../backups/exchange.ts'
import { machinePaths } from '../data/layout.ts'
import type { Disks } from '../disks/disks.ts'
import { disksOf } from '../disks/of-machine.ts'
import type { Domain } from '../domain/domains.ts'
import type { Parts } from '../parts.ts'
import { tpmStateFolder } from './tpm-state.ts'

/** A file that a complete copy of a machine contains. */
export interface PartFile {
  readonly name: string
  readonly part: CopiedFile['part']
  /** Its path on this node. */
  readonly path: string
}

/** File names in a copy; a disk is `disk-<id>.qcow2`, or `.rbd` while it is an image in a pool. */
export const FIRMWARE = 'firmware.fd'
export const SEED = 'seed.iso'
export const diskName = (id: string, ending: Disks['ending'] = '.qcow2') => `disk-${id}${ending}`
/** The disk that a file of a copy is of. */
export const diskOf = ({ name }: Pick<CopiedFile, 'name'>): string =>
  name.replace(/^disk-/, '').replace(/\.(?:qcow2|rbd)$/, '')

/** The path of a copy's file on this node. */
export function placeOf(
  parts: Parts,
  serverId: string,
  uuid: string,
  file: Pick<CopiedFile, 'name' | 'part'>,
): string {
  const paths = machinePaths(parts.settings.dataRoot, serverId)
  switch (file.part) {
    case 'disk':
      return paths.disk(diskOf(file))
    case 'firmware':
      return paths.firmware
    case 'seed':
      return paths.seed
    case 'tpm':
      return join(tpmStateFolder(parts, paths, uuid), file.name)
  }
}

/**
 * All files that make up a machine. Throws `disk_missing` when a disk or the firmware variables are
 * missing.
 */
export async function partsOf(
  parts: Parts,
  { record, uuid }: Domain,
): Promise<readonly PartFile[]> {
  const paths = machinePaths(parts.settings.dataRoot, record.serverId)
  const { ending } = disksOf(paths)
  const files: PartFile[] = record.spec.disks.map(({ id }) => ({
    name: diskName(id, ending),
    part: 'disk',
    path: paths.disk(id),
  }))
  if (record.spec.profile.firmware.kind === 'uefi')
    files.push({ name: FIRMWARE, part: 'firmware', path: paths.firmware })
  for (const { name, path } of files) {
    if (!(await exists(path)))
      throw new DriverError('disk_missing', `${name} of the machine is gone from this node.`)
  }
  if (await exists(paths.seed)) files.push({ name: SEED, part: 'seed', path: paths.seed })
  if (record.spec.profile.tpm) {
    const folder = tpmStateFolder(parts, paths, uuid)
    for (const name of await readdir(folder).catch((): string[] => [])) {
      // The lock file belongs to a process, not to the state.
      if (!name.startsWith('.')) files.push({ name, part: 'tpm', path: join(folder, name) })
    }
  }
  return files
}

/**
 * Returns the machine, which must be neither running nor suspended to disk, with its disks
 * there. Throws `not_found`, `not_stopped` or `storage_away`. The caller must hold the server's lock, so
 * that it stays stopped.
 */
export async function stoppedMachine(parts: Parts, serverId: string): Promise<Domain> {
  const found = await endedMachine(parts, serverId)
  await parts.places.require(serverId)
  await completeExchange(parts, serverId)
  return found
}

/**
 * The same for a machine that leaves its disks where they are, which may be on a storage that is away.
 */
export async function leavingMachine(parts: Parts, serverId: string): Promise<void> {
  await endedMachine(parts, serverId)
  try {
    await parts.places.require(serverId)
  } catch (error) {
    if (error instanceof DriverError && error.code === 'storage_away') return
    throw error
  }
  await completeExchange(parts, serverId)
}

async function endedMachine(parts: Parts, serverId: string): Promise<Domain> {
  const found = await parts.domains.get(serverId)
  if (found.active || (await parts.port.call('hasManagedSave', found.uuid)))
    throw new DriverError('not_stopped', 'The machine is running: stop it first.', {
      retryable: true,
    })
  await parts.orphans.end(found.uuid)
  return found
}
