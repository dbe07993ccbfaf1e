import { expect, test } from 'vitest'
import { firstOwnMachine, machineSizes } from './own-machine.ts'
import { mostOf, type Options, useOf, whyNoServer } from './quota.ts'

type Limit = Options['limits']['limits'][number]

const limit = (key: Limit['key'], value: Limit['value'], used: number | null = null): Limit => ({
  key,
  type: 'total',
  kind: '',
  value,
  used,
  remaining: typeof value === 'number' && used !== null ? Math.max(0, value - used) : null,
  percent: null,
  over: false,
  origin: { label: '', parts: [] },
})

const template: Options['templates'][number] = {
  id: 't',
  name: 'T',
  description: '',
  icon: null,
  featured: false,
  tags: [],
  limits: { memoryMb: null, cpuPercent: null, diskMb: null },
  images: [],
  imageWarning: null,
  variables: [],
}

const options = (limits: readonly Limit[], given: Partial<Options> = {}): Options => ({
  selfService: 'everyone',
  granted: true,
  templates: [template],
  machines: { profiles: [], media: [], networks: [], locations: [], available: false },
  locations: ['Here'],
  limits: {
    enforced: true,
    onExceed: 'refuse',
    showUsage: true,
    overLimit: false,
    warnPercent: 80,
    grant: { required: false, granted: true, source: null },
    planServers: 0,
    limits: [...limits],
  },
  ...given,
})

test('another server may have what is left of the total, or the cap per server if that is less', () => {
  const { limits } = options([
    limit('maxMemoryMb', 8192, 5120),
    limit('maxServerMemoryMb', 4096),
    limit('maxDiskMb', 20_000, 0),
    limit('maxServerDiskMb', 10_000),
  ])
  expect(mostOf(limits, 'memoryMb')).toBe(3072)
  expect(mostOf(limits, 'diskMb')).toBe(10_000)
  expect(mostOf(limits, 'cpuPercent')).toBeUndefined()
})

test('limits that are not enforced restrict nothing', () => {
  const { limits } = options([limit('maxMemoryMb', 8192, 8192)])
  expect(mostOf({ ...limits, enforced: false }, 'memoryMb')).toBeUndefined()
})

test('usage is shown only when both the limit and the figure are known', () => {
  const { limits } = options([
    limit('maxServers', 5, 2),
    limit('maxMemoryMb', 'unlimited', 100),
    limit('maxDiskMb', 10),
  ])
  expect(useOf(limits, 'servers')).toEqual({ used: 2, of: 5 })
  expect(useOf(limits, 'memoryMb')).toBeUndefined()
  expect(useOf(limits, 'diskMb')).toBeUndefined()
})

test.each([
  ['the host creates servers', options([], { selfService: 'off', granted: false }), /host creates/],
  ['no plan grants it', options([], { granted: false }), /plans/],
  ['the limits forbid it', options([limit('mayCreateServers', false)]), /limits/],
  ['the number is used up', options([limit('maxServers', 3, 3)]), /limit of 3 servers/],
  ['nothing is offered', options([], { templates: [] }), /no template/],
  ['no node takes servers', options([], { locations: [] }), /No location/],
])('a server cannot be created when %s, and the reason is given', (_, given, words) => {
  expect(whyNoServer(given)).toMatch(words)
})

test('a customer with capacity left can create a server', () => {
  expect(whyNoServer(options([limit('maxServers', 3, 2)]))).toBeUndefined()
})

const profile = {
  id: 'p',
  name: 'Linux',
  description: '',
  hardware: {
    machine: 'q35',
    firmware: { kind: 'bios' },
    tpm: false,
    cpuModel: 'host',
    diskBus: 'virtio',
    nicModel: 'virtio',
    video: 'virtio',
    guestAgent: true,
    minimum: { vcpus: 1, memoryMb: 512, diskMb: 1024 },
  },
  builtIn: true,
  enabled: true,
  customerVisible: true,
} satisfies Options['machines']['profiles'][number]

const network: Options['machines']['networks'][number] = {
  id: 'n',
  name: 'Guests',
  mode: 'nat',
  enabled: true,
  customerVisible: true,
  subnet: '10.77.0.0/24',
  gateway: '10.77.0.1',
  dns: [],
  libvirtName: null,
  pool: null,
  nodeIds: null,
}

const machines: Options['machines'] = {
  profiles: [profile],
  media: [],
  networks: [network],
  locations: ['Here'],
  available: true,
}

test('machines alone are enough to create a server, and they need hardware, a network and a location', () => {
  const none = { templates: [], locations: [] }
  expect(whyNoServer(options([], { ...none, machines }))).toBeUndefined()
  for (const lacking of [{ profiles: [] }, { networks: [] }, { available: false }])
    expect(whyNoServer(options([], { ...none, machines: { ...machines, ...lacking } }))).toMatch(
      /no template/,
    )
})

test("a machine starts with what the limits leave, and never below its hardware's minimum", () => {
  const limits = [limit('maxMemoryMb', 1024, 0), limit('maxCpuPercent', 150, 0)]
  const { vcpus, memoryMb, diskMb } = firstOwnMachine(
    options([...limits, limit('maxDiskMb', 10, 0)], { machines }),
  )
  expect({ vcpus, memoryMb, diskMb }).toEqual({ vcpus: 1, memoryMb: 1024, diskMb: 1024 })
})

test('all disks of a machine count, and a processor is 100 %', () => {
  const values = { vcpus: 3, memoryMb: 2048, diskMb: 20_480, extraDisksMb: [1024, undefined] }
  expect(machineSizes(values)).toEqual({ memoryMb: 2048, cpuPercent: 300, diskMb: 21_504 })
})
