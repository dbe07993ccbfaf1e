import { access, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { exists, unlessGone } from '@lodge/shared/local/files.ts'
import type { MachineDisk } from '@lodge/shared/machine-spec.ts'
import { diskName, FIRMWARE, SEED } from '../copies/parts-of.ts'
import type { MachinePaths } from '../data/layout.ts'
import type { Disks } from '../disks/disks.ts'
import { disksOf } from '../disks/of-machine.ts'
import { growDisk } from '../disks/qemu-img.ts'
import type { Domain } from '../domain/domains.ts'
import { diskSizeBytes } from '../media/headers.ts'
import { type Item, type Plan, TPM_FOLDER } from './exchange.ts'
import { type MachineFacts, readFacts } from './facts.ts'

const MIB = 1024 * 1024

/**
 * Says which restored files go where in a machine, and makes the disks as large as the machine's.
 * Into the same machine everything returns but disks that it no longer has. Another machine gets the
 * disks and firmware variables, and keeps what identifies it: its seed and its TPM.
 * @throws {DriverError} `copy_damaged`, `invalid_spec`, `unsupported`
 */
export async function planRestore(
  paths: MachinePaths,
  machine: Domain,
  folder: string,
  holding: Parameters<Disks['adopt']>[1],
  signal: AbortSignal,
): Promise<Plan> {
  const facts = await readFacts(folder)
  const { record, uuid } = machine
  const { profile } = record.spec
  const isSame = facts.uuid === uuid
  const fits = (isSame ? sameDisks : otherDisks)(facts, record.spec.disks)
  if (facts.firmware !== profile.firmware.kind)
    throw new DriverError(
      'invalid_spec',
      `The backup is of a machine that boots by ${facts.firmware.toUpperCase()}, and this one boots by ${profile.firmware.kind.toUpperCase()}: restore it to a machine with the same kind of firmware.`,
    )
  const disks = disksOf(paths)
  const items: Item[] = []
  const place = (name: string, path: string) =>
    items.push({ name, place: relative(paths.home, path) })
  for (const { name, disk } of fits) {
    const note = join(folder, name.replace(/\.qcow2$/, disks.ending))
    // One that was made into an image by an earlier try is no file any more.
    if (disks.ending === '.qcow2' || !(await exists(note))) await shape(join(folder, name), disk)
    place(await disks.adopt(join(folder, name), holding, signal), paths.disk(disk.id))
  }
  if (profile.firmware.kind === 'uefi') place(FIRMWARE, paths.firmware)
  if (isSame && (await exists(join(folder, SEED)))) place(SEED, paths.seed)
  for (const { name } of items)
    if (await isGone(join(folder, name)))
      throw new DriverError('copy_damaged', `${name} is missing in the backup.`)
  const tpm = (await readdir(join(folder, TPM_FOLDER)).catch(() => [])).length > 0
  return { uuid, items, tpm: isSame && profile.tpm && tpm }
}

interface Fit {
  readonly name: string
  readonly disk: MachineDisk
}

const sameDisks = (facts: MachineFacts, disks: readonly MachineDisk[]): readonly Fit[] =>
  facts.disks.flatMap(({ id }) => {
    const disk = disks.find((one) => one.id === id)
    return disk ? [{ name: diskName(id), disk }] : []
  })

/** The first disk to the first, and so on. */
function otherDisks(facts: MachineFacts, disks: readonly MachineDisk[]): readonly Fit[] {
  return facts.disks.map(({ id }, index) => {
    const disk = disks[index]
    if (disk) return { name: diskName(id), disk }
    throw new DriverError(
      'invalid_spec',
      `The backup has ${facts.disks.length} disks, and the machine has ${disks.length}: add disks to it first.`,
    )
  })
}

/** Unlike `exists`, false where the node cannot tell: then nothing says that the backup lacks it. */
const isGone = async (path: string): Promise<boolean> =>
  (await access(path).then(() => true, unlessGone)) === undefined

async function shape(path: string, { id, sizeMb }: MachineDisk): Promise<void> {
  if (await isGone(path)) throw new DriverError('copy_damaged', 'A disk is missing in the backup.')
  const bytes = await diskSizeBytes(path)
  if (bytes > sizeMb * MIB)
    throw new DriverError(
      'invalid_spec',
      `The disk in the backup has ${Math.ceil(bytes / MIB)} MiB, and the disk ${id} of the machine has ${sizeMb} MiB: enlarge it first.`,
    )
  if (bytes < sizeMb * MIB) await growDisk(path, sizeMb)
}
