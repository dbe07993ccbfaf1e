import { expect, test } from 'vitest'
import { isNothing, isSame, NOTHING_TYPED, typedOf } from './kept-draft.ts'

test.each([
  [null, NOTHING_TYPED],
  ['text', NOTHING_TYPED],
  [{ text: 7, subject: {}, isNote: 'yes', answers: { version: [] } }, NOTHING_TYPED],
  [
    { text: 'Hello', isNote: true, more: 1 },
    { ...NOTHING_TYPED, text: 'Hello', isNote: true },
  ],
])('a stored draft of any shape is read as what was typed: %j', (stored, typed) => {
  expect(typedOf(stored)).toEqual(typed)
})

test('a note with the text of a reply is another draft', () => {
  expect(isSame({ ...NOTHING_TYPED, isNote: true }, NOTHING_TYPED)).toBe(false)
})

test('an answer to a field of the category is worth keeping, a chosen category alone is not', () => {
  expect(isNothing({ ...NOTHING_TYPED, categoryId: 'a' })).toBe(true)
  expect(isNothing({ ...NOTHING_TYPED, answers: { version: '1' } })).toBe(false)
})
