import { expect, test } from 'vitest'
import { inRuns } from './repeated.ts'

test('repeated rows form one run, and a new one after a different row', () => {
  const runs = inRuns(['lost', 'lost', 'back', 'lost'], (one, next) => one === next)
  expect(runs.map(({ first, all }) => [first, all.length])).toEqual([
    ['lost', 2],
    ['back', 1],
    ['lost', 1],
  ])
})
