import { expect, test } from 'vitest'
import type { AuditEntry } from './audit-entry.ts'
import { byDay, changesOf, cutAround, pageOf } from './audit-words.ts'

test('the object of an entry is linked, unless it was removed or has no page', () => {
  const targetId = 'an-id'
  expect(pageOf({ action: 'PATCH /api/nodes/{id}', targetId })).toEqual({
    to: '/admin/nodes/$id',
    id: targetId,
  })
  expect(pageOf({ action: 'DELETE /api/customers/{id}/notes/{noteId}', targetId })?.id).toBe(
    'an-id',
  )
  expect(pageOf({ action: 'DELETE /api/customers/{id}', targetId })).toBeUndefined()
  expect(pageOf({ action: 'signed in', targetId })).toBeUndefined()
  expect(pageOf({ action: 'POST /api/nodes', targetId: null })).toBeUndefined()
})

test('splits a sentence around the name of its object', () => {
  expect(cutAround('renamed the node node to node', 'node')).toEqual({
    before: 'renamed the node node to ',
    name: 'node',
    after: '',
  })
  expect(cutAround('invited Ada, and was shown the link', 'Ada')?.after).toBe(
    ', and was shown the link',
  )
  expect(cutAround('signed in', 'Ada')).toBeUndefined()
  expect(cutAround('signed in', undefined)).toBeUndefined()
})

test('a change shows the former value, where that is known', () => {
  const detail = {
    body: { name: 'beta', memoryMb: null, cordoned: true, ports: [1] },
    before: { name: 'alpha', memoryMb: 4096 },
  }
  expect(changesOf({ detail })).toEqual([
    { field: 'name', before: 'alpha', after: 'beta' },
    { field: 'memoryMb', before: '4096', after: 'none' },
    { field: 'cordoned', before: undefined, after: 'yes' },
    { field: 'ports', before: undefined, after: '[1]' },
  ])
  expect(changesOf({ detail: {} })).toEqual([])
})

test('entries keep their order within their days', () => {
  const entry = (at: string) => ({ at }) as AuditEntry
  const days = byDay(
    [entry('2026-01-02T09:00'), entry('2026-01-02T08:00'), entry('2026-01-01T23:00')],
    (at) => at.slice(0, 10),
  )
  expect(days.map(({ day, entries }) => [day, entries.length])).toEqual([
    ['2026-01-02', 2],
    ['2026-01-01', 1],
  ])
})
