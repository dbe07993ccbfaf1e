import { expect, test } from 'vitest'
import { type Common, offeredHere, typedSince } from './drafts.ts'

const common = (given: Partial<Common> = {}): Common => ({
  name: '',
  location: '',
  start: true,
  memoryMb: 1024,
  cpuPercent: 100,
  diskMb: 4096,
  ...given,
})
const USUAL = { memoryMb: 1024, cpuPercent: 100, diskMb: 4096 }

test('only typed values carry over to the other kind', () => {
  const now = common({ name: 'lobby', memoryMb: 3072, start: false })
  expect(typedSince(common(), now, USUAL)).toEqual({ name: 'lobby', memoryMb: 3072, start: false })
})

test('sizes from a template or profile do not count as typed, nor do unreadable ones', () => {
  const chosen = common({ memoryMb: 8192, cpuPercent: 400, diskMb: Number.NaN })
  const recommended = { memoryMb: 8192, cpuPercent: 400, diskMb: 32_768 }
  expect(typedSince(common(), chosen, recommended)).toEqual({})
})

test('a location carries over only if the other kind is offered there', () => {
  const offered = { locations: ['here'], nodeIds: ['a'] }
  expect(offeredHere({ name: 'x', location: 'here', nodeId: 'a' }, offered)).toEqual({
    name: 'x',
    location: 'here',
    nodeId: 'a',
  })
  expect(offeredHere({ location: 'there', nodeId: 'b' }, offered)).toEqual({})
  expect(offeredHere({ location: '', nodeId: '' }, offered)).toEqual({ location: '', nodeId: '' })
})
