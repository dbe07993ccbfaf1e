import { randomUUID } from 'node:crypto'
import { type CloudSeed, DiskLimits, type MachineDisk } from '@lodge/shared/machine-spec.ts'
import type { CreateServer } from '@lodge/shared/servers.ts'
import type { CreateVm, VmSource } from '@lodge/shared/vms.ts'
import { encrypt } from 'unixcrypt'
import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../http/input.ts'
import type { Size } from '../../nodes/index.ts'
import {
  findMedium,
  findProfile,
  type MediumRow,
  type ProfileRow,
  whyNotMedium,
} from '../../virtualization/index.ts'

const DEFAULT_MEMORY_MB = 2048
const DEFAULT_DISK_MB = 20_480
export const NO_LIMITS = DiskLimits.parse({})

/** The parts of a machine, loaded and checked. */
export interface Parts {
  readonly profile: ProfileRow
  readonly medium: MediumRow | null
  readonly image: MediumRow | null
}

/** @param selfService for a customer, who may use only what is released to customers */
export async function findParts(
  db: Db,
  { templateId, vm }: { readonly templateId: string; readonly vm: CreateVm },
  selfService: boolean,
): Promise<Parts> {
  const found = await findProfile(db, templateId)
  const profile = selfService && !found?.customerVisible ? undefined : found
  if (!profile?.enabled) {
    const detail = profile ? 'is not enabled for new machines' : 'is not a hardware profile'
    throw invalid([{ pointer: '/templateId', detail }])
  }
  return { profile, ...(await findSource(db, vm.source, '/vm/source')) }
}

/**
 * The medium of a source, if it has one.
 * @throws {Problem} validation_failed if it is not usable
 */
export async function findSource(
  db: Db,
  source: VmSource,
  pointer: string,
): Promise<Pick<Parts, 'medium' | 'image'>> {
  if (source.kind === 'empty') return { medium: null, image: null }
  const row = await findMedium(db, source.mediumId)
  const why = whyNotMedium(row) ?? wrongKind(row, source.kind)
  if (!row || why) throw invalid([{ pointer: `${pointer}/mediumId`, detail: why ?? 'is unknown' }])
  return source.kind === 'iso' ? { medium: row, image: null } : { medium: null, image: row }
}

const wrongKind = (row: MediumRow | undefined, kind: 'iso' | 'image'): string | undefined =>
  (row?.kind === 'iso') === (kind === 'iso')
    ? undefined
    : kind === 'iso'
      ? 'is a disk image, not an installation medium'
      : 'is an installation medium, not a disk image'

/** Sizes of a new machine: as requested, otherwise what its hardware needs. */
export function shapeOf(
  given: CreateServer,
  vm: CreateVm,
  { profile, image }: Parts,
): { size: Size; vcpus: number; disks: MachineDisk[] } {
  const { minimum } = profile.hardware
  const vcpus = vm.vcpus ?? Math.max(1, minimum.vcpus)
  const memoryMb = given.memoryMb ?? Math.max(DEFAULT_MEMORY_MB, minimum.memoryMb)
  const system = given.diskMb ?? Math.max(DEFAULT_DISK_MB, minimum.diskMb)
  const imageMb = image?.virtualSizeMb ?? 0
  const faults = [
    ...tooSmall(profile, { vcpus, memoryMb, diskMb: system }),
    ...(system < imageMb
      ? [{ pointer: '/diskMb', detail: `must be ${imageMb} at least: the image is that large` }]
      : []),
  ]
  if (faults.length > 0) throw invalid(faults)
  const disks = [
    { id: 'system', sizeMb: system, limits: NO_LIMITS },
    ...vm.extraDisks.map(({ sizeMb }, at) => ({
      id: `data${at + 1}`,
      sizeMb,
      limits: NO_LIMITS,
    })),
  ]
  const size = {
    memoryMb,
    cpuPercent: given.cpuPercent ?? vcpus * 100,
    diskMb: totalMb(disks),
  }
  return { size, vcpus, disks }
}

export const totalMb = (disks: readonly MachineDisk[]): number =>
  disks.reduce((sum, disk) => sum + disk.sizeMb, 0)

/** Sizes below the hardware's minimum, as validation errors. */
export function tooSmall(
  { name, hardware }: ProfileRow,
  size: Partial<Record<'vcpus' | 'memoryMb' | 'diskMb', number>>,
): { pointer: string; detail: string }[] {
  const fields = [
    ['vcpus', '/vm/vcpus'],
    ['memoryMb', '/memoryMb'],
    ['diskMb', '/diskMb'],
  ] as const
  return fields.flatMap(([field, pointer]) => {
    const least = hardware.minimum[field]
    const asked = size[field]
    if (asked === undefined || asked >= least) return []
    return [{ pointer, detail: `must be ${least} at least with the hardware ${name}` }]
  })
}

/** Derives a host name from the server's name. */
export function hostnameFrom(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '')
  return plain === '' ? 'machine' : plain
}

/** A seed with a new identity, so that the guest applies it at its next boot. */
export function seedOf(source: VmSource, hostname: string): CloudSeed | null {
  if (source.kind !== 'image') return null
  const { user, sshKeys, password, packages, userData } = source.seed
  return {
    instanceId: randomUUID(),
    hostname,
    user,
    sshKeys,
    passwordHash: password === undefined ? null : encrypt(password),
    ...(packages.length > 0 && { packages }),
    ...(userData !== undefined && { userData }),
  }
}
