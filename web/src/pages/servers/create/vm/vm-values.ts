import type { CreateServer } from '@lodge/shared/servers.ts'
import type { z } from 'zod'
import type { Reply } from '../../../../api.ts'

export type Catalogue = Reply<'GET /api/virtualization/catalogue'>
export type SourceKind = 'image' | 'iso' | 'empty'

/** The values of the form of a virtual machine. An empty text lets Lodge choose. */
export interface VmValues {
  name: string
  ownerId: string
  location: string
  nodeId: string
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

export function initialVm(catalogue: Catalogue, ownerId: string): VmValues {
  const profile = catalogue.profiles.find(({ enabled }) => enabled)
  const source = firstSource(catalogue)
  const least = profile?.hardware.minimum
  return {
    name: '',
    ownerId,
    location: '',
    nodeId: '',
    profileId: profile?.id ?? '',
    source,
    mediumId: mediaFor(catalogue, source)[0]?.id ?? '',
    user: 'admin',
    sshKeys: '',
    password: '',
    packages: '',
    userData: '',
    vcpus: Math.max(2, least?.vcpus ?? 1),
    memoryMb: Math.max(2048, least?.memoryMb ?? 0),
    diskMb: Math.max(20_480, least?.diskMb ?? 0),
    extraDisksMb: [],
    networkId: '',
    guestPort: 22,
    start: true,
    force: false,
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
  const { name, ownerId, location, nodeId, memoryMb, diskMb, start, force } = values
  const { profileId, networkId, vcpus, guestPort } = values
  return {
    ...filled({ name, ownerId, location, nodeId, memoryMb, diskMb }),
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
