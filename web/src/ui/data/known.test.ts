import { expect, test } from 'vitest'
import { entryOf, toneOf, wordOf } from './known.ts'

const WORDS = { done: () => 'Done' }
/** As a control plane of a later version sends it. */
const later = 'put_on_ice' as keyof typeof WORDS

test('a known value has its word from the table', () => {
  expect(wordOf(WORDS, 'done')).toBe('Done')
  expect(toneOf({ done: 'ok' }, 'done')).toBe('ok')
})

test('an unknown value is shown as in the API, in a neutral colour', () => {
  expect(wordOf(WORDS, later)).toBe('put on ice')
  expect(toneOf({ done: 'ok' }, later)).toBe('idle')
  expect(entryOf({ done: 1 }, later, (word) => word.length)).toBe(10)
})
