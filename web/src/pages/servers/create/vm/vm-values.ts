import type { CreateServer } from '@lodge/shared/servers.ts'
import type { z } from 'zod'
import type { Reply } from '../../../../api.ts'
import { OWN_DISK, type Part, type Sizes } from '../container/values.ts'
import { offeredHere, type Ways } from '../drafts.ts'

export type Catalogue = Reply<'GET /api/virtualization/catalogue'>
export type SourceKind = 'image' | 'iso' | 'empty'

/** The values of the form of a virtual machine. An empty text lets Lodge choose. */
export interface VmValues {
  name: string
  ownerId: string
  location: string
  nodeId: string
  /** `OWN_DISK`, a shared storage, or empty for what its node does. */
  storageId: string
  profileId: string
  source: SourceKind
  mediumId: string
  user: string
  sshKeys: string
  password: string
  packages: string
  userData: string
  vcpus: number | undefined
  memoryMb: number | undefined
  diskMb: number | undefined
  extraDisksMb: readonly (number | undefined)[]
  networkId: string
  guestPort: number | undefined
  start: boolean
  force: boolean
}

/** Media that a machine can be created from now. */
export const mediaFor = ({ media }: Catalogue, source: SourceKind): Catalogue['media'] =>
  media.filter(
    ({ enabled, state, kind }) =>
      enabled &&
      state === 'ready' &&
      (source === 'iso' ? kind === 'iso' : source === 'image' && kind !== 'iso'),
  )

/** The first kind of source that is available. */
export function firstSource(catalogue: Catalogue): SourceKind {
  const kinds = ['image', 'iso'] as const
  return kinds.find((kind) => mediaFor(catalogue, kind).length > 0) ?? 'empty'
}

const USUAL = { vcpus: 2, memoryMb: 2048, diskMb: 20_480 }
type Shape = typeof USUAL
/** Returns the free capacity, given usual and minimum sizes; an undefined part has no bound. */
type RoomFor = (usual: Sizes, least: Sizes) => { readonly [P in Part]?: number | undefined }

const sizesOf = ({ vcpus, ...rest }: Shape): Sizes => ({ ...rest, cpuPercent: vcpus * 100 })

/** Usual sizes, smaller when there is less capacity, never below the minimum of hardware and image. */
function firstShape(least: Shape, roomFor: RoomFor): Shape {
  const usual = {
    vcpus: Math.max(USUAL.vcpus, least.vcpus),
    memoryMb: Math.max(USUAL.memoryMb, least.memoryMb),
    diskMb: Math.max(USUAL.diskMb, least.diskMb),
  }
  const room = roomFor(sizesOf(usual), sizesOf(least))
  const within = (usual: number, least: number, most: number | undefined): number =>
    Math.max(least, Math.min(usual, most ?? usual))
  const cores = room.cpuPercent === undefined ? undefined : Math.floor(room.cpuPercent / 100)
  return {
    vcpus: within(usual.vcpus, least.vcpus, cores),
    memoryMb: within(usual.memoryMb, least.memoryMb, room.memoryMb),
    diskMb: within(usual.diskMb, least.diskMb, room.diskMb),
  }
}

/** @param roomFor the capacity that nodes or limits leave */
export function initialVm(
  catalogue: Catalogue,
  ownerId: string,
  roomFor: RoomFor = () => ({}),
): VmValues {
  const profile = catalogue.profiles.find(({ enabled }) => enabled)
  const source = firstSource(catalogue)
  const medium = mediaFor(catalogue, source)[0]
  const minimum = profile?.hardware.minimum
  const imageMb = source === 'image' ? (medium?.virtualSizeMb ?? 0) : 0
  const least = {
    vcpus: Math.max(1, minimum?.vcpus ?? 1),
    memoryMb: minimum?.memoryMb ?? 1,
    diskMb: Math.max(1, minimum?.diskMb ?? 1, imageMb),
  }
  return {
    name: '',
    ownerId,
    location: '',
    nodeId: '',
    storageId: '',
    profileId: profile?.id ?? '',
    source,
    mediumId: medium?.id ?? '',
    user: 'admin',
    sshKeys: '',
    password: '',
    packages: '',
    userData: '',
    ...firstShape(least, roomFor),
    extraDisksMb: [],
    networkId: '',
    guestPort: 22,
    start: true,
    force: false,
  }
}

/**
 * How a machine takes over what was typed for a container.
 * @param initial the values that the form begins with
 */
export function waysOf(
  initial: VmValues,
  { profiles }: Pick<Catalogue, 'profiles'>,
  offered: Parameters<typeof offeredHere>[1],
): Ways<VmValues> {
  const leastOf = ({ profileId }: VmValues) => {
    const minimum = profiles.find(({ id }) => id === profileId)?.hardware.minimum
    return { vcpus: 1, memoryMb: 0, diskMb: 0, ...minimum }
  }
  return {
    commonOf: ({ vcpus, ...values }) => ({ ...values, cpuPercent: vcpus && vcpus * 100 }),
    usualSizes: (values) => {
      const least = leastOf(values)
      return sizesOf({
        vcpus: Math.max(initial.vcpus ?? 0, least.vcpus),
        memoryMb: Math.max(initial.memoryMb ?? 0, least.memoryMb),
        diskMb: Math.max(initial.diskMb ?? 0, least.diskMb),
      })
    },
    adopt: (values, typed) => {
      const { cpuPercent, memoryMb, diskMb, ...rest } = offeredHere(typed, offered)
      const least = leastOf(values)
      return {
        ...values,
        ...rest,
        ...(cpuPercent && { vcpus: Math.max(Math.ceil(cpuPercent / 100), least.vcpus) }),
        ...(memoryMb && { memoryMb: Math.max(memoryMb, least.memoryMb) }),
        ...(diskMb && { diskMb: Math.max(diskMb, least.diskMb) }),
      }
    },
  }
}

/** Pasted SSH keys, one per line. */
export const keysOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function sourceOf(values: VmValues): object {
  const { source, mediumId, user, sshKeys, password, packages, userData } = values
  if (source === 'empty') return { kind: 'empty' }
  if (source === 'iso') return { kind: 'iso', mediumId }
  const seed = {
    user,
    sshKeys: keysOf(sshKeys),
    ...(password === '' ? {} : { password }),
    packages: packages.split(/[\s,;]+/).filter((name) => name !== ''),
    ...(userData.trim() === '' ? {} : { userData: userData.trimStart() }),
  }
  return { kind: 'image', mediumId, seed }
}

const filled = (given: object): object =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== '' && value !== undefined),
  )

/** The body of the request; empty fields are left out. */
export function vmBodyOf(values: VmValues): z.input<typeof CreateServer> {
  const { name, ownerId, location, nodeId, storageId, memoryMb, diskMb, start, force } = values
  const { profileId, networkId, vcpus, guestPort } = values
  return {
    ...filled({ name, ownerId, location, nodeId, storageId, memoryMb, diskMb }),
    ...(storageId === OWN_DISK && { storageId: null }),
    start,
    ...(force ? { force } : {}),
    templateId: profileId,
    vm: {
      ...filled({ networkId, vcpus, guestPort }),
      source: sourceOf(values),
      extraDisks: values.extraDisksMb.map((sizeMb) => ({ sizeMb })),
    },
  } as z.input<typeof CreateServer>
}
