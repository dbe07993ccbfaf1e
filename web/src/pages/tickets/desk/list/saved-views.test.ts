import { expect, test } from 'vitest'
import { filterOf, searchOf } from './saved-views.ts'

test('a view is saved as what the list shows, and is found again whatever order it was chosen in', () => {
  const saved = filterOf({ q: 'a&b=c', view: 'mine', after: 'page-2', priority: 'high' })
  expect(saved).toBe(filterOf({ priority: 'high', view: 'mine', q: 'a&b=c' }))
  expect(searchOf({ filter: saved })).toMatchObject({ view: 'mine', q: 'a&b=c', priority: 'high' })
  expect(filterOf({})).toBe('')
})

test('opening a view takes away what it does not say, and what no longer means anything', () => {
  const opened = searchOf({ filter: 'view=gone&priority=urgent&else=1' })
  expect(opened).toMatchObject({ view: undefined, q: undefined, tag: undefined, after: undefined })
  expect(opened.priority).toBe('urgent')
  expect('else' in opened).toBe(false)
})
