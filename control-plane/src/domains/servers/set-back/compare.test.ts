import { randomUUID } from 'node:crypto'
import type { ServerObserved } from '@lodge/proto/server.ts'
import { expect, test } from 'vitest'
import { compareInventory } from './compare.ts'

const observed = (serverId: string, generation: number, state = 'running'): ServerObserved => ({
  ...{
    serverId,
    generation,
    state,
    observation: 1,
    since: undefined,
    settledGeneration: generation,
  },
  ...{ run: 2, installed: 1, restartRequired: false, diskLimit: '', installFailed: false },
})
const known = (id: string, generation: number, isDeleting = false) => ({
  ...{ id, generation, isDeleting },
})

test('a node with the same or older desired states does not differ', () => {
  const [one, two] = [randomUUID(), randomUUID()]
  const inventory = [observed(one, 4), observed(two, 2)]
  expect(compareInventory([known(one, 4), known(two, 3)], inventory)).toEqual([])
})

test('finds newer, missing and unknown servers, with what the node reports of them', () => {
  const [newer, missing, unknown] = [randomUUID(), randomUUID(), randomUUID()]
  const found = compareInventory(
    [known(newer, 4), known(missing, 2)],
    [observed(newer, 7, 'stopped'), observed(unknown, 3)],
  )
  expect(found).toEqual([
    { serverId: newer, kind: 'newer', generation: 7, run: 2, installed: 1, state: 'stopped' },
    { serverId: missing, kind: 'missing', generation: 0, run: 0, installed: 0, state: 'absent' },
    { serverId: unknown, kind: 'unknown', generation: 3, run: 2, installed: 1, state: 'running' },
  ])
})

test('servers that are no longer desired, are gone or are being deleted are no findings', () => {
  const inventory = [
    observed(randomUUID(), 0, 'stopped'),
    observed(randomUUID(), 5, 'absent'),
    observed('../etc', 5),
  ]
  expect(compareInventory([known(randomUUID(), 3, true)], inventory)).toEqual([])
})

test('clamps an agent’s numbers to what the database can hold', () => {
  const id = randomUUID()
  const liar = { ...observed(id, Number.MAX_SAFE_INTEGER), run: 2 ** 40, installed: 2 ** 40 }
  const [found] = compareInventory([known(id, 1)], [liar])
  expect(found?.generation).toBeLessThan(Number.MAX_SAFE_INTEGER - 2 ** 30)
  expect(found?.run).toBeLessThan(2 ** 31 - 1)
  expect(found?.installed).toBeLessThan(2 ** 31 - 1)
})
