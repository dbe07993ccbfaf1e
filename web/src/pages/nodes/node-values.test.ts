import { CreateNode, EditNode, type Node } from '@lodge/shared/nodes.ts'
import { expect, test } from 'vitest'
import { changeOf, creationOf, NEW_NODE, valuesOf } from './node-values.ts'

test('a new node needs a name and a location; its capacity is detected', () => {
  expect(CreateNode.parse(creationOf(NEW_NODE))).toEqual({
    name: 'node-1',
    location: 'default',
    memoryMb: null,
    cpuPercent: null,
    diskMb: null,
    headroomMb: null,
  })
})

test('a cleared amount returns to the detected one', () => {
  const node = {
    name: 'alpha',
    location: 'Here',
    address: null,
    memoryMb: 8192,
    cpuPercent: 800,
    diskMb: 1000,
    headroomMb: 409,
    followed: ['memoryMb', 'diskMb', 'headroomMb'],
    portRanges: [{ from: 25_000, to: 29_999 }],
    openNetworks: [],
    sftp: { port: 2022, open: true, why: null, hostKeys: [] },
    transfers: { port: 7443, open: true, why: null },
  } as unknown as Node
  const values = valuesOf(node)
  expect([values.memoryMb, values.cpuPercent]).toEqual([undefined, 800])
  expect(
    EditNode.parse(changeOf({ ...values, cpuPercent: undefined, headroomMb: 0 }, node)),
  ).toEqual({
    name: 'alpha',
    location: 'Here',
    memoryMb: null,
    cpuPercent: null,
    diskMb: null,
    headroomMb: 0,
    portRanges: [{ from: 25_000, to: 29_999 }],
    sftpPort: 2022,
    transferPort: 7443,
    openNetworks: [],
  })
})

test('an address is sent only when it was changed, and a cleared one is detected again', () => {
  const values = { ...NEW_NODE, address: '192.0.2.7' }
  const change = (address: string) =>
    EditNode.parse(changeOf({ ...values, address }, { address: '192.0.2.7' })).address
  expect(change('192.0.2.7')).toBeUndefined()
  expect(change(' ')).toBeNull()
  expect(change('node.example.org')).toBe('node.example.org')
})
