import { expect, test } from 'vitest'
import { catalogueOf, type Domain, defineDomain } from './domain.ts'
import { defineMail } from './events/mails.ts'
import { defineBudgets } from './http/budgets.ts'
import { modules } from './modules.ts'

const mail = defineMail({
  ...{ id: 'hello', title: 'A greeting', priority: 2 },
  ...{ variables: {}, subject: 'Hello', body: 'Hello.' },
})
const twice: [what: string, declared: Partial<Domain>, refusal: string][] = [
  [
    'rate limit',
    { budgets: defineBudgets({ greet: { secondsEach: 1, burst: 1 } }) },
    'Two domains declare the budget greet',
  ],
  ['kind of mail', { mails: [mail] }, 'Two domains declare the mail hello'],
  [
    'recorded event',
    { records: { 'job.ended': () => ({ action: 'x' }) } },
    'Two domains declare the event in records job.ended',
  ],
  [
    'event that sends mail',
    { letters: { 'job.ended': () => [] } },
    'Two domains declare the event in letters job.ended',
  ],
]

test.each(twice)('a %s belongs to one domain', (_, declared, refusal) => {
  const one = defineDomain({ name: 'one', ...declared })
  const other = defineDomain({ name: 'other', ...declared })
  expect(() => catalogueOf([one])).not.toThrow()
  expect(() => catalogueOf([one, other])).toThrow(refusal)
})

test('every rate limit of an endpoint is declared by a domain', () => {
  const declared = new Set(modules.flatMap(({ budgets = {} }) => Object.values(budgets)))
  const used = modules
    .flatMap(({ routes }) => routes.flatMap((one) => Object.values(one)))
    .flatMap(({ access }) => ('throttle' in access && access.throttle) || [])
  expect(used.filter((budget) => !declared.has(budget))).toEqual([])
  expect(used.length).toBeGreaterThan(20)
})
