import { afterEach, expect, test } from 'vitest'
import { said, saidReason, sayWith } from './said.ts'

const asItIs = (text: string) => text
afterEach(() => sayWith({ say: asItIs, sayReason: asItIs }))

test('declared texts stay as they are until the panel speaks another language', () => {
  expect(said('Not found')).toBe('Not found')
  sayWith({ say: () => 'Nicht gefunden', sayReason: asItIs })
  expect(said('Not found')).toBe('Nicht gefunden')
  expect(saidReason('Not found')).toBe('Not found')
})
