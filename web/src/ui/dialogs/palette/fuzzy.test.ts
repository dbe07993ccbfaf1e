import { expect, test } from 'vitest'
import { fuzzyScore } from './fuzzy.ts'

const best = (typed: string, labels: readonly string[]) =>
  labels
    .map((label) => [fuzzyScore(typed, label), label] as const)
    .filter(([score]) => score > 0)
    .toSorted(([a], [b]) => b - a)
    .map(([, label]) => label)

const LABELS = [
  'Stop lobby',
  'Start lobby',
  'Open console of lobby',
  'Nodes',
  'New node',
  'Settings: mail',
]

test('whole matches come first', () => {
  expect(best('stop lobby', LABELS)[0]).toBe('Stop lobby')
  expect(best('nodes', LABELS)[0]).toBe('Nodes')
})

test('words may be in any order and incomplete', () => {
  expect(best('lob con', LABELS)).toEqual(['Open console of lobby'])
  expect(best('mail sett', LABELS)).toEqual(['Settings: mail'])
})

test('letters may be missing, and accents do not matter', () => {
  expect(best('stp lby', LABELS)).toEqual(['Stop lobby'])
  expect(fuzzyScore('uber', 'Über allen Gipfeln')).toBeGreaterThan(0)
})

test('a word without a match excludes', () => {
  expect(best('stop castle', LABELS)).toEqual([])
})
