import { expect, test } from 'vitest'
import { changeWords } from './change-words.ts'
import { changedNames, isSame, rebased, rebasedList } from './changes.ts'

test('only the values that differ are changes, lists by their content', () => {
  const saved = { name: 'a', memoryMb: 512, tags: ['x'], note: undefined }
  expect(changedNames({ ...saved, tags: ['x'] }, saved)).toEqual([])
  expect(changedNames({ ...saved, memoryMb: 1024, tags: ['y'] }, saved)).toEqual([
    'memoryMb',
    'tags',
  ])
})

test('sets are compared by their elements', () => {
  expect(isSame(new Set(['a', 'b']), new Set(['b', 'a']))).toBe(true)
  expect(isSame(new Set(['a']), new Set(['b']))).toBe(false)
})

test('a save by somebody else is taken over, except for fields changed here', () => {
  const saved = { subject: 'Hello', body: 'One', tags: ['x'] }
  const typed = { subject: 'Hello', body: 'Two', tags: ['x'] }
  const next = { subject: 'Good day', body: 'Three', tags: [] }
  expect(rebased(typed, saved, next)).toEqual({ subject: 'Good day', body: 'Two', tags: [] })
  expect(rebased(saved, saved, next)).toEqual(next)
})

test('what goes with a changed field is saved with it', () => {
  const saved = { host: 'a', password: '', sender: 'me' }
  const next = { host: 'b', password: '', sender: 'you' }
  const goesWith = { password: ['host'] } as const
  expect(rebased({ ...saved, password: 'typed' }, saved, next, goesWith)).toEqual({
    ...{ host: 'a', password: 'typed', sender: 'you' },
  })
  expect(rebased({ ...saved, sender: 'we' }, saved, next, goesWith)).toEqual({
    ...{ host: 'b', password: '', sender: 'we' },
  })
})

test('a list saved by somebody else is taken over, with what was added and removed here', () => {
  expect(rebasedList(['a', 'c', 'mine'], ['a', 'b', 'c'], ['theirs', 'c', 'b'])).toEqual([
    ...['theirs', 'c', 'mine'],
  ])
  expect(rebasedList(new Set('ab'), new Set('ab'), new Set('b'))).toEqual(['b'])
})

test('an unreadable amount differs from an absent one', () => {
  expect(isSame(Number.NaN, null)).toBe(false)
  expect(isSame(Number.NaN, Number.NaN)).toBe(true)
})

test.each([
  [['Memory'], '1 change: Memory'],
  [['Memory', 'Disk'], '2 changes: Memory, Disk'],
  [['User (optional)'], '1 change: User'],
  [['A', 'B', 'C', 'D', 'E'], '5 changes: A, B, C and 2 more'],
])('the changes of %j read %j', (labels, words) => {
  expect(changeWords(labels)).toBe(words)
})
