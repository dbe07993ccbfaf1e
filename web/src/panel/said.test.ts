import { afterEach, expect, test } from 'vitest'
import { said, saidReason, sayWith } from './said.ts'

const asItIs = <T>(said: T): T => said
const english = { say: asItIs, sayReason: asItIs }
afterEach(() => sayWith(english))

test('declared texts stay as they are until the panel’s language changes', () => {
  expect(said('Not found')).toBe('Not found')
  sayWith({ ...english, say: () => 'Nicht gefunden' })
  expect(said('Not found')).toBe('Nicht gefunden')
  expect(saidReason('Not found')).toBe('Not found')
})
