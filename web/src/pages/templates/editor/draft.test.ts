import { expect, test } from 'vitest'
import { at, moved, put, textAt } from './draft.ts'

const draft = { name: 'A', runtime: { images: [{ name: 'one' }, { name: 'two' }] } }

test('a change keeps everything else and creates missing parents', () => {
  expect(put(draft, ['runtime', 'images', 1, 'name'], 'other')).toEqual({
    name: 'A',
    runtime: { images: [{ name: 'one' }, { name: 'other' }] },
  })
  expect(put({}, ['runtime', 'port', 'protocol'], 'tcp')).toEqual({
    runtime: { port: { protocol: 'tcp' } },
  })
  expect(draft.runtime.images[1]?.name).toBe('two')
})

test('nothing removes a field or an entry', () => {
  expect(put(draft, ['name'], undefined)).toEqual({ runtime: draft.runtime })
  expect(put(draft, ['runtime', 'images', 0], undefined)).toEqual({
    name: 'A',
    runtime: { images: [{ name: 'two' }] },
  })
})

test('a path that is missing, or inherited, reads as undefined', () => {
  expect(at(draft, ['runtime', 'images', 5, 'name'])).toBeUndefined()
  expect(at({}, ['constructor'])).toBeUndefined()
  expect(textAt({ a: {} }, ['a'])).toBe('')
})

test('an entry moves by one place', () => {
  expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b'])
})
