import { expect, test } from 'vitest'
import { isNothing, isSame, NOTHING_TYPED, typedOf } from './kept-draft.ts'

test.each([
  [null, NOTHING_TYPED],
  ['text', NOTHING_TYPED],
  [
    { text: 7, subject: {}, isNote: 'yes', answers: { version: [] }, files: [{ id: 'x' }] },
    NOTHING_TYPED,
  ],
  [
    { text: 'Hello', isNote: true, more: 1 },
    { ...NOTHING_TYPED, text: 'Hello', isNote: true },
  ],
])('reads a stored draft of any shape: %j', (stored, typed) => {
  expect(typedOf(stored)).toEqual(typed)
})

test('a note with the text of a reply is a different draft', () => {
  expect(isSame({ ...NOTHING_TYPED, isNote: true }, NOTHING_TYPED)).toBe(false)
})

test('an answer to a field of the category is worth storing, a chosen category alone is not', () => {
  expect(isNothing({ ...NOTHING_TYPED, categoryId: 'a' })).toBe(true)
  expect(isNothing({ ...NOTHING_TYPED, answers: { version: '1' } })).toBe(false)
})

test('a draft keeps its files as long as the control plane does', () => {
  const hex = (at: number) => at.toString(16).padStart(12, '0')
  const file = (at: number) => ({
    id: `${hex(at).slice(0, 8)}-${hex(at).slice(8)}-7000-8000-000000000001`,
    ...{ name: 'lobby.png', type: 'image/png', sizeBytes: 400, scan: 'none', scanWhy: null },
    preview: { state: 'waiting' },
  })
  const [today, yesterday] = [file(Date.now()), file(Date.now() - 24 * 3_600_000)]
  const { files } = typedOf({ text: '', files: [yesterday, today] })
  expect(files).toEqual([today])
  // A picture alone is an answer, too.
  expect(isNothing({ ...NOTHING_TYPED, files })).toBe(false)
})
