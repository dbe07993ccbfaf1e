import { describe, expect, test } from 'vitest'
import {
  bodyOf,
  firstFitting,
  fits,
  initialValues,
  mostFree,
  type Node,
  OWN_DISK,
  placementOf,
  type Template,
  whyNoRoom,
} from './values.ts'

const node = (name: string, given: Partial<Node> = {}): Node => ({
  id: name,
  name,
  location: 'here',
  address: null,
  state: 'online',
  cordoned: false,
  cordon: null,
  defaultStorageId: null,
  memoryMb: 8192,
  cpuPercent: 800,
  diskMb: 100_000,
  headroomMb: 1024,
  followed: [],
  detected: null,
  allocated: { memoryMb: 0, cpuPercent: 0, diskMb: 0, servers: 0 },
  usage: null,
  portRanges: [],
  openNetworks: [],
  sftp: { port: null, open: false, why: null, hostKeys: [] },
  transfers: { port: null, open: false, why: null },
  storages: [],
  agentVersion: null,
  agentOutdated: false,
  capabilities: [],
  preflight: [],
  virtualization: { enabled: false, emulationAllowed: false, found: null },
  lastSeenAt: null,
  connectedSince: null,
  createdAt: '2026-01-01T00:00:00Z',
  ...given,
})
const busy = { memoryMb: 4096, cpuPercent: 0, diskMb: 0, servers: 1 }
const values = initialValues(undefined, 'owner')

describe('placement', () => {
  test('prefers the node with the most free memory', () => {
    const nodes = [node('a', { allocated: busy }), node('b'), node('c', { allocated: busy })]
    expect(placementOf(values, nodes)?.name).toBe('b')
  })

  test('stays within the chosen location', () => {
    const nodes = [node('a'), node('b', { location: 'there', allocated: busy })]
    expect(placementOf({ ...values, location: 'there' }, nodes)?.name).toBe('b')
  })

  test('is the chosen node even when another has more free memory', () => {
    expect(
      placementOf({ ...values, nodeId: 'a' }, [node('a', { allocated: busy }), node('b')])?.name,
    ).toBe('a')
  })

  test('is empty when no node has enough capacity, is online and accepts new servers', () => {
    const nodes = [
      node('a', { state: 'offline' }),
      node('b', { state: 'cordoned' }),
      node('c', { memoryMb: 1500 }),
    ]
    expect(placementOf(values, nodes)).toBeUndefined()
  })
})

test('a new server starts with the first template that fits on some node', () => {
  const template = (id: string, memoryMb: number) =>
    ({ id, recommended: { memoryMb, cpuPercent: 100, diskMb: 1024 } }) as Template
  const templates = [template('large', 64_000), template('small', 1024), template('tiny', 128)]
  expect(firstFitting(templates, [node('a')])?.id).toBe('small')
  expect(firstFitting(templates, [node('a', { state: 'offline' })])?.id).toBe('large')
})

describe('creating', () => {
  const anywhere = { nodeId: '', location: '' }

  test('is possible while a node has capacity for the size', () => {
    const nodes = [node('a', { allocated: busy }), node('b')]
    expect(whyNoRoom({ ...values, memoryMb: 6000 }, anywhere, nodes)).toBeUndefined()
  })

  test('is refused with the reason when no node, or not the chosen one, has capacity', () => {
    const nodes = [node('a', { allocated: busy }), node('b')]
    const large = { ...values, memoryMb: 6000 }
    expect(whyNoRoom(large, { ...anywhere, nodeId: 'a' }, nodes)).toContain('room for this size')
    expect(whyNoRoom(large, { ...anywhere, location: 'there' }, [])).toBeDefined()
    const offline = [node('a', { state: 'offline' }), node('b', { state: 'cordoned' })]
    expect(whyNoRoom(values, anywhere, offline)).toContain('offline or cordoned')
  })
})

test('the maximum of a size is the free capacity of the nodes at the chosen location', () => {
  const nodes = [
    node('a', { cpuPercent: 200, allocated: { ...busy, cpuPercent: 100 } }),
    node('b', { state: 'cordoned' }),
  ]
  const anywhere = { nodeId: '', location: '' }
  expect(mostFree('cpuPercent', anywhere, nodes)).toBe(100)
  expect(mostFree('memoryMb', anywhere, nodes)).toBe(8192 - 1024 - 4096)
  expect(mostFree('cpuPercent', { ...anywhere, nodeId: 'b' }, nodes)).toBeUndefined()
  const full = node('c', { allocated: { ...busy, cpuPercent: 900 } })
  expect(mostFree('cpuPercent', anywhere, [full])).toBe(0)
})

test("a server may not use a node's headroom", () => {
  expect(fits(node('a'), { ...values, memoryMb: 7168 })).toBe(true)
  expect(fits(node('a'), { ...values, memoryMb: 7169 })).toBe(false)
})

test('empty fields are not sent', () => {
  const body = bodyOf({ ...values, templateId: 't', name: 'lobby' })
  expect(Object.keys(body).toSorted()).toEqual([
    'cpuPercent',
    'diskMb',
    'memoryMb',
    'name',
    'ownerId',
    'start',
    'templateId',
    'variables',
  ])
  expect(bodyOf({ ...values, force: true }).force).toBe(true)
  // On a node with another default, its own disk is an explicit choice.
  expect(bodyOf({ ...values, storageId: OWN_DISK }).storageId).toBeNull()
})
