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

test('the CSV has every customer of the filter in its order, and no formula', async () => {
  const wanted = { sort: '-email', filter: 'state:suspended' } as const
  const [first, ...others] = await all(wanted)
  await lodge.database.pool.query(`update users set name = '=1+1, "x"' where id = $1`, [first?.id])
  const { statusCode, headers, payload } = await admin.send({
    url: `/api/customers/export?${new URLSearchParams(wanted)}`,
  })
  expect([statusCode, headers['content-disposition']]).toEqual([
    200,
    'attachment; filename="customers.csv"',
  ])
  const [head, ...lines] = payload.trimEnd().split('\r\n')
  expect(head).toBe('id,email,name,state,servers,created_at')
  expect(lines[0]).toBe(
    `${first?.id},${first?.email},"'=1+1, ""x""",suspended,0,${first?.createdAt}`,
  )
  expect(lines.slice(1).map((line) => line.slice(0, 36))).toEqual(others.map(({ id }) => id))
})
