import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { expect, test } from 'vitest'
import { changedFields, overlaps } from './merge-changes.ts'

const ticket = (given: Partial<TicketThread>, tags: readonly string[] = []): TicketThread =>
  ({
    ...{ subject: 'It stops', status: 'open', priority: 'normal', categoryId: null },
    staff: { groupId: null, assignee: null, tags: [...tags], snoozedUntil: null },
    ...given,
  }) as TicketThread

test('names the fields that somebody else changed, whatever the order of tags', () => {
  const before = ticket({}, ['crash', 'paper'])
  expect(changedFields(before, ticket({}, ['paper', 'crash']))).toEqual([])
  expect(changedFields(before, ticket({ status: 'pending' }, ['crash']))).toEqual([
    'status',
    'tags',
  ])
})

test('asks the person only when somebody else changed the same field', () => {
  expect(overlaps(['status', 'tags'], { priority: 'high' })).toBe(false)
  expect(overlaps(['status', 'tags'], { status: 'solved' })).toBe(true)
})
