import { expect, test } from 'vitest'
import { changesOf, DraftSchema, draftOf, layerOf, readLimit } from './limit-draft.ts'

test.each([
  ['maxMemoryMb', '4 GiB', 4096],
  ['maxMemoryMb', '0', 0],
  ['maxCpuPercent', '1.5 cores', 150],
  ['maxServers', '3', 3],
  ['maxServers', ' Unlimited ', 'unlimited'],
  ['maxServers', '', null],
  ['maxServers', 'many', undefined],
  ['maxServers', '1.5', undefined],
  ['mayShare', 'no', false],
  ['allowedLocations', 'Here\nThere', ['Here', 'There']],
  ['allowedLocations', '\n', []],
] as const)('%s written as %j is %j', (key, text, value) => {
  expect(readLimit(key, text)).toEqual(value)
})

test('a layer survives being written as text and read back', () => {
  const layer = {
    maxServers: 5,
    maxMemoryMb: 1536,
    maxCpuPercent: 'unlimited',
    allowedTemplates: [],
    allowedLocations: ['Here'],
    mayShare: false,
  } as const
  const read = layerOf(draftOf({ ...layer, allowedTemplates: [], allowedLocations: ['Here'] }))
  expect(Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null))).toEqual(
    layer,
  )
})

test('a change names only what differs, and clears what was emptied', () => {
  const saved = draftOf({ maxServers: 5, maxBackups: 2 })
  expect(changesOf({ ...saved, maxServers: '', maxDiskMb: '10 GiB' }, saved)).toEqual({
    maxServers: null,
    maxDiskMb: 10_240,
  })
})

test('unreadable text is reported at its key', () => {
  const parsed = DraftSchema.safeParse({ ...draftOf({}), maxMemoryMb: 'lots' })
  expect(parsed.error?.issues.map((issue) => issue.path)).toEqual([['maxMemoryMb']])
})
