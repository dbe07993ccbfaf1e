import { expect, test } from 'vitest'
import { foldedTabs } from './fold-tabs.ts'

const bar = { widths: [60, 70, 80, 90, 100], gap: 4, more: 50, current: 0 }

test.each([
  ['all that fit stay', { available: 416 }, []],
  ['the last ones overflow when there is less room', { available: 415 }, [4]],
  ['reserves room for "More"', { available: 300 }, [3, 4]],
  ['the current one stays wherever it is', { available: 300, current: 4 }, [2, 3]],
  [
    'on the narrowest screen only the current one stays',
    { available: 120, current: 2 },
    [0, 1, 3, 4],
  ],
  ['nothing is current', { available: 275, current: -1 }, [3, 4]],
] as const)('%s', (_, given, folded) => {
  expect(foldedTabs({ ...bar, ...given })).toEqual(folded)
})
