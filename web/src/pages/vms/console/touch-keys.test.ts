import { expect, test } from 'vitest'
import { editsOf, namedKey } from './touch-keys.ts'

test.each([
  ['a letter that is added', 'ro', 'roo', { removed: 0, added: 'o' }],
  ['a letter that is taken away', 'root', 'roo', { removed: 1, added: '' }],
  ['a word that the keyboard corrects', 'helo', 'hello ', { removed: 1, added: 'lo ' }],
  ['a character of two code units', '😀', '😀😁', { removed: 0, added: '😁' }],
  ['nothing', 'same', 'same', { removed: 0, added: '' }],
])('only the difference is typed for %s', (_, before, after, edits) => {
  expect(editsOf(before, after)).toEqual(edits)
})

test('non-printing keys are known by name, and letters are not', () => {
  expect(namedKey('Backspace')).toEqual([0xff08, 'Backspace'])
  expect(namedKey('a')).toBeUndefined()
  expect(namedKey('Unidentified')).toBeUndefined()
})
