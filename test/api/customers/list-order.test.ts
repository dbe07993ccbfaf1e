import { CUSTOMER_SORTS } from '@lodge/shared/lists/customers.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

const PEOPLE = 60
type Sort = (typeof CUSTOMER_SORTS)[number] | `-${(typeof CUSTOMER_SORTS)[number]}`

let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  await lodge.database.pool.query(
    `insert into users (id, email, name, role, state, preferences)
     select uuidv7(), 'p' || n % 10 || '-' || n || '@example.com',
       (array['Ann', 'bob', null, 'Zoë'])[1 + n % 4], 'customer',
       (array['active', 'suspended', 'pending'])[1 + n % 3], '{"mode":null}'
     from generate_series(1, ${PEOPLE}) n`,
  )
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

async function all(wanted: { sort?: Sort; filter?: string }, limit = 100) {
  const items = []
  let after: string | undefined
  do {
    const page = await admin.must('GET /api/customers', {
      query: { limit, ...wanted, ...(after !== undefined && { after }) },
    })
    items.push(...page.items)
    after = page.nextCursor ?? undefined
  } while (after !== undefined)
  return items
}

test.each(CUSTOMER_SORTS.flatMap((sort): Sort[] => [sort, `-${sort}`]))(
  'pages of customers in the order %s have everybody once',
  async (sort) => {
    const ids = (await all({ sort }, 7)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(PEOPLE)
    expect(ids).toEqual((await all({ sort })).map(({ id }) => id))
  },
)

test('customers without a name come last in either direction', async () => {
  for (const sort of ['name', '-name'] as const) {
    const without = (await all({ sort })).map(({ name }) => name === null)
    expect(without.indexOf(true)).toBe(without.filter((one) => !one).length)
  }
})

test('a filter of customers takes states, addresses and text', async () => {
  const everybody = await all({})
  const emails = (people: readonly { email: string }[]) => people.map(({ email }) => email)
  expect(emails(await all({ filter: 'state:suspended p1-' }))).toEqual(
    emails(everybody.filter(({ state, email }) => state === 'suspended' && email.includes('p1-'))),
  )
  expect(emails(await all({ filter: 'email:P2-*' }))).toEqual(
    emails(everybody.filter(({ email }) => email.startsWith('p2-'))),
  )
  expect(emails(await all({ filter: 'zoë' }))).toHaveLength(15)
})
