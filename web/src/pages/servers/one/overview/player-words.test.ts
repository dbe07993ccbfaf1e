import { expect, test } from 'vitest'
import { isOld, playersSentence } from './player-words.ts'

test.for([
  [3, 20, '3 of 20 players'],
  [0, 15, '0 of 15 players'],
  [1, null, '1 player'],
  [null, null, 'The game has not answered yet.'],
] as const)('%s of %s players read as "%s"', ([online, most, sentence]) => {
  expect(playersSentence({ online, most })).toBe(sentence)
})

test('a response much older than the metrics is shown as old', () => {
  expect(isOld('2026-01-01T00:00:00Z', '2026-01-01T00:00:20Z')).toBe(false)
  expect(isOld('2026-01-01T00:00:00Z', '2026-01-01T00:02:00Z')).toBe(true)
  expect(isOld('2026-01-01T00:00:00Z', undefined)).toBe(false)
})
