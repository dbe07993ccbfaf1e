import { expect, test } from 'vitest'
import { filterOf, searchOf } from './saved-views.ts'

test('a view is saved as the list’s query, and recognised whatever the order of its filters', () => {
  const saved = filterOf({ q: 'a&b=c', view: 'mine', after: 'page-2', priority: 'high' })
  expect(saved).toBe(filterOf({ priority: 'high', view: 'mine', q: 'a&b=c' }))
  expect(searchOf({ filter: saved })).toMatchObject({ view: 'mine', q: 'a&b=c', priority: 'high' })
  expect(filterOf({})).toBe('')
})

test('opening a view clears filters that it does not have, and drops unknown ones', () => {
  const opened = searchOf({ filter: 'view=gone&priority=urgent&else=1' })
  expect(opened).toMatchObject({ view: undefined, q: undefined, tag: undefined, after: undefined })
  expect(opened.priority).toBe('urgent')
  expect('else' in opened).toBe(false)
})
