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
  const why = (usedBytes: number | null) => whyNoChange(nodes, { from: null, to: FAST }, usedBytes)
  expect([why(9 * GIB), why(null)]).toEqual([undefined, undefined])
  expect(why(11 * GIB)).toBe('The storage fast has no room for it: 10 GiB are free')
})

test('a server leaves a storage only where its node can read its files there', () => {
  const away = { from: FAST, to: null }
  const target = nodeOf('there', false)
  expect(whyNoChange({ source: nodeOf('here'), target }, away, null)).toBeUndefined()
  expect(whyNoChange({ source: nodeOf('here', false), target }, away, null)).toBe(
    'here does not have its shared storage now',
  )
})
