import { expect, test } from 'vitest'
import { changesOf } from './draft-changes.ts'

const saved = {
  name: 'A',
  runtime: {
    images: [{ name: 'one' }],
    limits: { memoryMb: 512, cpuPercent: 100 },
    query: { kind: 'none' },
  },
}

test('changes have the form’s names of their fields, in its order and once', () => {
  const { runtime } = saved
  const draft = {
    variables: [{ env: 'MOTD' }, { env: 'PORT' }],
    runtime: { ...runtime, limits: { memoryMb: 1024, cpuPercent: 100 }, images: [] },
    name: 'B',
  }
  expect(changesOf(saved, draft)).toEqual(['Name', 'Images', 'Memory (MiB)', 'Variables'])
})

test('reordering the source is no change', () => {
  const { name, runtime } = saved
  expect(changesOf(saved, { runtime: { ...runtime }, name })).toEqual([])
})

test('a text that is typed and deleted again is no change', () => {
  expect(changesOf({ ...saved, author: '', tags: [] }, saved)).toEqual([])
  expect(changesOf({ ...saved, author: 'Ada' }, saved)).toEqual(['Author'])
})

test('values that only the source has are named by their path', () => {
  const draft = { ...saved, runtime: { ...saved.runtime, query: { kind: 'source' } } }
  expect(changesOf(saved, draft)).toEqual(['runtime › query › kind'])
  expect(changesOf(saved, [])).toEqual(['Source'])
})

test('a field that shows something unreadable counts as changed', () => {
  expect(changesOf(saved, saved, ['runtime/stop/0/timeoutSeconds'])).toEqual(['Stop'])
})
