import { type RuleCondition, WriteRule } from '@lodge/shared/support/rules/rule.ts'
import { describe, expect, it } from 'vitest'
import { goThrough } from './go-through.ts'
import { type Change, matches, type SeenTicket } from './matches.ts'

const GROUP = '0199f0a0-0000-7000-8000-000000000001'
const ticket: SeenTicket = {
  ...{ status: 'open', priority: 'normal', categoryId: null, groupId: GROUP, assigneeId: null },
  ...{ tags: ['lag', 'eu'], source: 'email', subject: 'Server is SLOW', body: 'It lags.' },
  ...{ requesterEmail: 'ann@example.com', requesterEmailDomain: 'example.com' },
  ...{ tierId: null, planId: null, serverId: null, templateId: null, withinHours: true },
  ...{ ageMinutes: 90, idleMinutes: 30, rating: null, isFollowUp: false },
}
const asks = (condition: unknown) => {
  const { when } = WriteRule.parse({ ...rule('one'), when: { all: [condition] } })
  return matches({ when }, ticket)
}
const rule = (name: string, more: object = {}) => ({
  ...{ name, on: 'ticket.created', when: {}, actions: [{ type: 'add_tags', tags: [name] }] },
  ...more,
})
const known = (...given: object[]) => given.map((one) => WriteRule.parse(one))
/** The names of the rules that ran; their actions change only the priority. */
async function runOf(rules: WriteRule[], changes: Change[] = []): Promise<string[]> {
  const names: string[] = []
  let seen = ticket
  await goThrough(rules, { ticket, changes }, async ({ name, actions }) => {
    names.push(name)
    for (const action of actions)
      if (action.type === 'set_priority') seen = { ...seen, priority: action.priority }
    return seen
  })
  return names
}

describe('a condition', () => {
  it.each<[RuleCondition, boolean]>([
    [{ field: 'status', op: 'eq', value: 'open' }, true],
    [{ field: 'status', op: 'nin', value: ['open', 'new'] }, false],
    [{ field: 'groupId', op: 'isSet' }, true],
    [{ field: 'assigneeId', op: 'isUnset' }, true],
    [{ field: 'tags', op: 'contains', value: 'lag' }, true],
    [{ field: 'tags', op: 'contains', value: 'la' }, false],
    [{ field: 'subject', op: 'contains', value: 'slow' }, true],
    [{ field: 'subject', op: 'startsWith', value: 'SERVER' }, true],
    [{ field: 'requesterEmailDomain', op: 'eq', value: 'Example.com' }, true],
    [{ field: 'ageMinutes', op: 'gte', value: 90 }, true],
    [{ field: 'ageMinutes', op: 'gt', value: 90 }, false],
    [{ field: 'rating', op: 'lt', value: 3 }, false],
    [{ field: 'rating', op: 'gte', value: 3 }, false],
    [{ field: 'withinHours', op: 'eq', value: false }, false],
  ])('%j is %s', (condition, met) => expect(asks(condition)).toBe(met))

  it('asks what the event changed', () => {
    const { when } = WriteRule.parse(
      rule('one', { when: { all: [{ field: 'status', op: 'changedTo', value: 'open' }] } }),
    )
    expect(matches({ when }, ticket)).toBe(false)
    expect(matches({ when }, ticket, [{ field: 'status', from: 'new', to: 'open' }])).toBe(true)
    expect(matches({ when }, ticket, [{ field: 'priority', from: 'new', to: 'open' }])).toBe(false)
  })
})

describe('a rule is not accepted', () => {
  it.each([
    [
      'with a regular expression',
      { when: { all: [{ field: 'subject', op: 'regex', value: 'a' }] } },
    ],
    ['with a comparison of words', { when: { all: [{ field: 'subject', op: 'gt', value: 'a' }] } }],
    ['with an unknown status', { when: { all: [{ field: 'status', op: 'eq', value: 'odd' }] } }],
    ['without an action', { actions: [] }],
    ['with eleven actions', { actions: Array(11).fill({ type: 'snooze', minutes: 5 }) }],
    ['about idle tickets without a time', { on: 'idle' }],
    ['with a time but about something else', { idleMinutes: 60 }],
    [
      'with 21 conditions',
      {
        when: {
          all: Array(11).fill({ field: 'rating', op: 'isSet' }),
          any: Array(10).fill({ field: 'rating', op: 'isSet' }),
        },
      },
    ],
  ])('%s', (_what, more) => expect(WriteRule.safeParse(rule('one', more)).success).toBe(false))
})

describe('the rules of an event', () => {
  it('see what the rules before them changed', async () => {
    const urgent = { field: 'priority', op: 'eq', value: 'urgent' }
    const rules = known(
      rule('a', { actions: [{ type: 'set_priority', priority: 'urgent' }] }),
      rule('b', { when: { all: [urgent] } }),
      rule('c', { when: { all: [{ ...urgent, op: 'neq' }] } }),
    )
    expect(await runOf(rules)).toEqual(['a', 'b'])
  })

  it('end with a rule that stops them', async () => {
    expect(await runOf(known(rule('a', { stop: true }), rule('b')))).toEqual(['a'])
  })

  it('never chase each other', async () => {
    const flip = (from: string, to: string) =>
      rule(from, {
        when: { all: [{ field: 'priority', op: 'eq', value: from }] },
        actions: [{ type: 'set_priority', priority: to }],
      })
    const rules = known(flip('normal', 'high'), flip('high', 'normal'), flip('normal', 'high'))
    expect(await runOf(rules)).toEqual(['normal', 'high', 'normal'])
  })
})
