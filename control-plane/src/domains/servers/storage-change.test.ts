import type { HardwareReport } from '@lodge/shared/hardware.ts'
import { CHANGES_STORAGE } from '@lodge/shared/node-abilities.ts'
import { expect, test } from 'vitest'
import type { NodeRow } from '../nodes/index.ts'
import { whyNoChange } from './storage-change.ts'

const GIB = 2 ** 30
const FAST = 'b6a2ab3a-6b07-4a38-8a7f-0f2c53a0c1de'

/** A node with 10 GiB free on the storage `fast`, or without it. */
const nodeOf = (name: string, isThere = true) => {
  const storage = { name: 'fast', path: '/fast', why: null, remedy: null, sizeBytes: 20 * GIB }
  const storages = [{ ...storage, id: isThere ? FAST : null, freeBytes: 10 * GIB }]
  const hardware = { storages } as HardwareReport
  return { name, hardware, capabilities: [CHANGES_STORAGE] } as unknown as NodeRow
}

test('a server goes onto a storage that has room for what it uses, or whose use is not known', () => {
  const nodes = { source: nodeOf('here', false), target: nodeOf('there') }
  const why = (usedBytes: number | null, kind: 'container' | 'vm' = 'container') =>
    whyNoChange(nodes, { from: null, to: FAST }, usedBytes, kind)
  expect([why(9 * GIB), why(null)]).toEqual([undefined, undefined])
  expect(why(11 * GIB)).toBe('The storage fast has no room for it: 10 GiB are free')
})

test('a machine goes onto a storage whose RBD pool has room, whatever its file system has', () => {
  const why = (freeBytes: number | null, kind: 'container' | 'vm') => {
    const target = nodeOf('there')
    const [fast] = target.hardware?.storages ?? []
    if (fast) fast.pool = { name: 'vms', sizeBytes: freeBytes, freeBytes }
    const nodes = { source: nodeOf('here'), target }
    return whyNoChange(nodes, { from: null, to: FAST }, 11 * GIB, kind)
  }
  expect([why(20 * GIB, 'vm'), why(null, 'vm')]).toEqual([undefined, undefined])
  expect(why(GIB, 'vm')).toBe(
    'The RBD pool vms of the storage fast has no room for it: 1 GiB are free',
  )
  expect(why(20 * GIB, 'container')).toBe('The storage fast has no room for it: 10 GiB are free')
})

test('a server leaves a storage only where its node can read its files there', () => {
  const away = { from: FAST, to: null }
  const target = nodeOf('there', false)
  const why = (source: NodeRow) => whyNoChange({ source, target }, away, null, 'container')
  expect(why(nodeOf('here'))).toBeUndefined()
  expect(why(nodeOf('here', false))).toBe('here does not have its shared storage now')
})
