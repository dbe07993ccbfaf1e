import { CreateServer } from '@lodge/shared/servers.ts'
import { describe, expect, test } from 'vitest'
import {
  type Catalogue,
  firstSource,
  initialVm,
  keysOf,
  mediaFor,
  vmBodyOf,
  waysOf,
} from './vm-values.ts'

const ID = '11111111-1111-4111-8111-111111111111'
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJlIGtpbmQgdG8geW91ciBuZWlnaGJvdXJz ada@desk'

const medium = (
  kind: Catalogue['media'][number]['kind'],
  given: Partial<Catalogue['media'][number]> = {},
): Catalogue['media'][number] => ({
  id: ID,
  name: kind,
  kind,
  sha256: '',
  sizeBytes: 1,
  virtualSizeMb: null,
  state: 'ready',
  enabled: true,
  url: null,
  checksumUrl: null,
  kept: null,
  uploadedBytes: null,
  failure: null,
  jobId: null,
  ...given,
})

const catalogue = (media: Catalogue['media']): Catalogue => ({
  profiles: [
    {
      id: ID,
      name: 'Windows',
      description: '',
      hardware: {
        machine: 'q35',
        firmware: { kind: 'bios' },
        tpm: true,
        cpuModel: 'host',
        diskBus: 'sata',
        nicModel: 'e1000e',
        video: 'vga',
        guestAgent: true,
        minimum: { vcpus: 4, memoryMb: 4096, diskMb: 65_536 },
      },
      builtIn: true,
      enabled: true,
      customerVisible: false,
    },
  ],
  media,
  networks: [],
  available: true,
})

describe('the source of a new machine', () => {
  test('is only one that is enabled and was checked', () => {
    const found = catalogue([
      medium('iso', { enabled: false }),
      medium('iso', { state: 'checking' }),
      medium('raw'),
    ])
    expect(mediaFor(found, 'iso')).toEqual([])
    expect(mediaFor(found, 'image').map(({ kind }) => kind)).toEqual(['raw'])
  })

  test('is an image if there is one, else a medium, else an empty disk', () => {
    expect(firstSource(catalogue([medium('iso'), medium('qcow2')]))).toBe('image')
    expect(firstSource(catalogue([medium('iso')]))).toBe('iso')
    expect(firstSource(catalogue([]))).toBe('empty')
  })
})

test('the form starts with sizes that the profile accepts', () => {
  expect(initialVm(catalogue([]), ID)).toMatchObject({
    vcpus: 4,
    memoryMb: 4096,
    diskMb: 65_536,
  })
})

test('the form starts with sizes that fit the free capacity, never below the minimum', () => {
  const found = catalogue([medium('qcow2', { virtualSizeMb: 3072 })])
  const [linux] = found.profiles
  if (!linux) throw new Error('there is no profile')
  linux.hardware.minimum = { vcpus: 1, memoryMb: 512, diskMb: 1024 }
  const shapeWith = (room: object) => {
    const { vcpus, memoryMb, diskMb } = initialVm(found, ID, () => room)
    return { vcpus, memoryMb, diskMb }
  }
  expect(shapeWith({})).toEqual({ vcpus: 2, memoryMb: 2048, diskMb: 20_480 })
  expect(shapeWith({ cpuPercent: 150, memoryMb: 1500, diskMb: 9000 })).toEqual({
    vcpus: 1,
    memoryMb: 1500,
    diskMb: 9000,
  })
  expect(shapeWith({ cpuPercent: 0, memoryMb: 0, diskMb: 0 })).toEqual({
    vcpus: 1,
    memoryMb: 512,
    diskMb: 3072,
  })
})

test('pasted keys are split by line', () => {
  expect(keysOf(`\n ${KEY} \r\n\n${KEY}\n`)).toEqual([KEY, KEY])
})

test.each(['image', 'iso', 'empty'] as const)(
  'a machine from %s is a body that the API accepts',
  (source) => {
    const values = { ...initialVm(catalogue([medium('iso'), medium('qcow2')]), ID), name: 'One' }
    const body = vmBodyOf({ ...values, source, sshKeys: KEY, extraDisksMb: [10_240] })
    const parsed = CreateServer.parse(body)
    expect(parsed.vm?.source.kind).toBe(source)
    expect(parsed.vm?.extraDisks).toEqual([{ sizeMb: 10_240 }])
    expect(parsed.nodeId).toBeUndefined()
    expect(parsed.vm?.networkId).toBeUndefined()
  },
)

test('a machine takes over typed sizes, never below what its hardware needs, and counts whole processors', () => {
  const offered = catalogue([medium('iso')])
  const initial = initialVm(offered, ID)
  const { adopt, commonOf, usualSizes } = waysOf(initial, offered, { locations: [] })
  const large = adopt(initial, { memoryMb: 8192, cpuPercent: 650, location: 'away' })
  expect(large).toEqual({ ...initial, memoryMb: 8192, vcpus: 7 })
  expect(commonOf(large)).toMatchObject({ memoryMb: 8192, cpuPercent: 700 })
  expect(adopt(initial, { memoryMb: 512, cpuPercent: 50, diskMb: 1024 })).toEqual(initial)
  expect(usualSizes(large)).toEqual({ memoryMb: 4096, cpuPercent: 400, diskMb: 65_536 })
})
