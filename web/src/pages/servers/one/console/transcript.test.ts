import { expect, test } from 'vitest'
import { transcript } from './transcript.ts'

const at = (seconds: number): number => new Date(2026, 0, 1, 12, 0, seconds).getTime()
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are not what is looked at here
const bare = (text: string): string => text.replace(/\u001b\[\d+m/g, '')

test('every line carries the time of its first character', () => {
  const kept = transcript()
  expect(bare(kept.add('one\ntwo', at(1)))).toBe('12:00:01 one\n12:00:01 two')
  expect(bare(kept.add(' goes on\n', at(2)))).toBe(' goes on\n')
  expect(bare(kept.add('three\n', at(3)))).toBe('12:00:03 three\n')
  expect(bare(kept.all(true))).toBe('12:00:01 one\n12:00:01 two goes on\n12:00:03 three\n')
})

test('output from before the session has no time but stays aligned', () => {
  const kept = transcript()
  expect(bare(kept.add('old\n', null))).toBe('         old\n')
})

test('without timestamps the output is unchanged', () => {
  const kept = transcript()
  const parts = ['a\r\nb', '', '\u001b[32mc\u001b[0m\n', '\n\n']
  for (const part of parts) kept.add(part, at(1))
  expect(kept.all(false)).toBe(parts.join(''))
})

test('a flood does not grow it without bound, and the newest output is kept', () => {
  const kept = transcript()
  for (let count = 0; count < 300; count++) kept.add(`${count} ${'x'.repeat(10_000)}\n`, at(1))
  const all = kept.all(false)
  expect(all.length).toBeLessThan(1_100_000)
  expect(all).toContain('\n299 ')
})
