import { expect, test } from 'vitest'
import { entryOf, toneOf, wordOf } from './known.ts'

const WORDS = { done: () => 'Done' }
/** As a control plane of a later version sends it. */
const later = 'put_on_ice' as keyof typeof WORDS

test('what a table knows is said in its words', () => {
  expect(wordOf(WORDS, 'done')).toBe('Done')
  expect(toneOf({ done: 'ok' }, 'done')).toBe('ok')
})

test('what it does not know is said in the word of the API, in a colour that says nothing', () => {
  expect(wordOf(WORDS, later)).toBe('put on ice')
  expect(toneOf({ done: 'ok' }, later)).toBe('idle')
  expect(entryOf({ done: 1 }, later, (word) => word.length)).toBe(10)
})
