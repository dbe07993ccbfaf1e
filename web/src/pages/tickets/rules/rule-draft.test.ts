import { type Rule, WriteRule } from '@lodge/shared/support/rules/rule.ts'
import { expect, test } from 'vitest'
import {
  bodyOf,
  doesSomething,
  FIELDS,
  isWhole,
  newAction,
  newCondition,
  OPS,
  ruleDraft,
} from './rule-draft.ts'

const ID = '0199f0a0-0000-7000-8000-000000000001'
const RULE: Rule = {
  ...{ id: ID, name: 'One', enabled: false, position: 3, disabledReason: null, lastRanAt: null },
  ...{ on: 'idle', idleMinutes: 90, stop: true },
  when: {
    all: [
      { field: 'status', op: 'in', value: ['new', 'open'] },
      { field: 'groupId', op: 'changedTo', value: null },
      { field: 'ageMinutes', op: 'gte', value: 30 },
      { field: 'withinHours', op: 'eq', value: false },
    ],
    any: [
      { field: 'rating', op: 'isUnset' },
      { field: 'subject', op: 'endsWith', value: 'now' },
    ],
  },
  actions: [
    { type: 'set_status', status: 'solved' },
    { type: 'set_tier', tierId: ID },
    { type: 'assign', to: 'agent', agentId: ID },
    { type: 'assign', to: 'none' },
    { type: 'remove_tags', tags: ['late'] },
    { type: 'note', text: 'Look' },
    { type: 'snooze', minutes: 45 },
    { type: 'notify_agent', agentId: ID },
  ],
}

test('a rule that is opened and saved stays unchanged', () => {
  const { id: _, position: __, disabledReason: ___, lastRanAt: ____, ...rule } = RULE
  expect(bodyOf(ruleDraft(RULE), RULE)).toEqual(rule)
})

test('every choice of the form is valid in a rule, once it is complete', () => {
  for (const field of FIELDS)
    for (const op of OPS[field]) {
      const text = OPS[field].includes('gt') ? '3' : ''
      const begun = { ...newCondition(field), op }
      const values = { status: 'open', priority: 'low', source: 'web', tags: 'x' }
      const value = field in values ? values[field as keyof typeof values] : ID
      const filled = { ...begun, text: text || begun.text || value, many: [value] }
      expect(isWhole(filled)).toBe(true)
      const body = bodyOf({ ...ruleDraft(undefined), name: 'x', all: [filled], actions: [tagged] })
      expect(WriteRule.safeParse(body).success, `${field} ${op}`).toBe(true)
    }
  expect(doesSomething(newAction('add_tags'))).toBe(false)
})

const tagged = { ...newAction('add_tags'), many: ['x'] }
