import { expect, test } from 'vitest'
import { originWords } from './limit-words.ts'

const byDefault = { source: 'default', planName: null, value: 3 } as const
const fromPlan = { source: 'plan', planName: 'Starter', value: 4 } as const
const byHand = { source: 'customer', planName: null, value: 9 } as const

test.each([
  ['nothing set', 'maxServers', [], 'By default'],
  ['the default alone', 'maxServers', [byDefault], 'By default'],
  ['one plan alone', 'maxServers', [fromPlan], 'From Starter'],
  ['a total, which adds up', 'maxServers', [byDefault, fromPlan], '3 by default + 4 from Starter'],
  [
    'a limit of each server, of which the most generous counts',
    'maxServerBackups',
    [byDefault, fromPlan],
    '3 by default, 4 from Starter',
  ],
  [
    'an override, beside which nothing counts',
    'maxServers',
    [byDefault, byHand],
    'Set by the host',
  ],
] as const)('the origin of %s is told in words', (_what, key, parts, words) => {
  expect(originWords(key, parts)).toBe(words)
})
