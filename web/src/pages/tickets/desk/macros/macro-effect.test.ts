import type { MacroAction } from '@lodge/shared/support/macros.ts'
import { expect, test } from 'vitest'
import { effectOf } from './macro-effect.ts'

const ticket = {
  number: 'T-000007',
  subject: 'It stops',
  requester: { id: null, email: 'ann@example.org', name: 'Ann $& Co' },
  staff: {
    ...{ groupId: null, assignee: null, tierId: null, tags: ['old'], spam: false },
    ...{ snoozedUntil: null, sla: {} as never },
  },
}
const me = { id: 'me', name: 'Bo' }
const apply = (actions: readonly MacroAction[], text = '', isNote = false) =>
  effectOf(actions, { ticket, me, typed: { text, isNote } })

test('an answer is inserted below the typed text, with names filled in, and brings its status', () => {
  const actions: MacroAction[] = [
    { type: 'reply', text: 'Hello {customer}, about {number} {subject}: {unknown}. {agent}' },
    { type: 'set_status', status: 'on_hold' },
    { type: 'set_priority', priority: 'high' },
    { type: 'add_tags', tags: ['old', 'new'] },
    { type: 'remove_tags', tags: ['old'] },
    { type: 'assign', to: 'me' },
  ]
  const text = 'Hello Ann $& Co, about T-000007 It stops: {unknown}. Bo'
  expect(apply(actions)).toEqual({
    typed: { text, isNote: false },
    change: { priority: 'high', tags: ['new'], assigneeId: 'me' },
    afterwards: 'on_hold',
  })
  expect(apply(actions, 'Typed. ').typed.text).toBe(`Typed.\n\n${text}`)
})

test('without an answer the status changes immediately, and the typed text stays', () => {
  expect(apply([{ type: 'set_status', status: 'solved' }], 'Typed')).toEqual({
    ...{ typed: {}, change: { status: 'solved' }, afterwards: undefined },
  })
})

test('a note that was begun stays a note', () => {
  const actions: MacroAction[] = [
    { type: 'reply', text: 'Public' },
    { type: 'set_status', status: 'solved' },
  ]
  expect(apply(actions, 'Between us', true)).toEqual({
    typed: { text: 'Between us\n\nPublic', isNote: true },
    change: { status: 'solved' },
    afterwards: undefined,
  })
  expect(apply(actions, ' ', true).typed.isNote).toBe(false)
})
