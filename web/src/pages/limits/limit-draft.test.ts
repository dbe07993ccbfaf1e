import { ENGLISH, loadTranslations, speak } from '@lodge/shared/words/bind.ts'
import { afterEach, expect, test } from 'vitest'
import {
  changesOf,
  countSet,
  DraftSchema,
  draftOf,
  layerOf,
  normalLimit,
  readLimit,
  setOrChanged,
} from './limit-draft.ts'

afterEach(() => speak(ENGLISH))

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

test.each([
  ['maxMemoryMb', '4g', '4 GiB'],
  ['maxMemoryMb', '1536', '1536 MiB'],
  ['maxCpuPercent', '1.5 cores', '150%'],
  ['maxServers', ' 3 ', '3'],
  ['maxServers', 'Unlimited', 'unlimited'],
  ['maxMemoryMb', 'plenty', 'plenty'],
  ['maxMemoryMb', '', ''],
  ['mayShare', 'no', 'no'],
] as const)('%s typed as %j becomes %j on blur', (key, text, normal) => {
  expect(normalLimit(key, text)).toBe(normal)
})

test('a folded group shows what is set, what was set, and what has a complaint', () => {
  const keys = ['maxServers', 'maxMemoryMb', 'maxDiskMb', 'maxBackups'] as const
  const saved = draftOf({ maxServers: 5 })
  const draft = { ...saved, maxServers: '', maxMemoryMb: '4 GiB' }
  expect(setOrChanged(keys, draft, saved, { maxDiskMb: 'Is not valid' })).toEqual([
    'maxServers',
    'maxMemoryMb',
    'maxDiskMb',
  ])
  expect(countSet(draft, keys)).toBe(1)
})

test('“unlimited” is written in the panel’s language, and read in it and in English', async () => {
  await loadTranslations('de')
  speak('de')
  expect(normalLimit('maxServers', ' Unbegrenzt ')).toBe('unbegrenzt')
  expect(normalLimit('maxServers', 'unlimited')).toBe('unbegrenzt')
  const layer = { maxServers: 'unlimited', allowedLocations: 'unlimited' } as const
  expect(layerOf(draftOf(layer))).toMatchObject(layer)
  const parsed = DraftSchema.safeParse({ ...draftOf({}), maxMemoryMb: 'viel' })
  expect(parsed.error?.issues[0]?.message).toContain('„unbegrenzt“')
})
