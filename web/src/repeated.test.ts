import { expect, test } from 'vitest'
import { inRuns } from './repeated.ts'

test('what follows itself is one run with all of its rows, and comes again after something else', () => {
  const runs = inRuns(['lost', 'lost', 'back', 'lost'], (one, next) => one === next)
  expect(runs.map(({ first, all }) => [first, all.length])).toEqual([
    ['lost', 2],
    ['back', 1],
    ['lost', 1],
  ])
})
