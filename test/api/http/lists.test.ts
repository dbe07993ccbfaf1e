import { JobState } from '@lodge/shared/jobs.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const add = (emails: readonly string[]) =>
  lodge.database.pool.query(
    `insert into users (id, email, role, preferences)
     select gen_random_uuid(), email, 'customer', '{"mode":null}' from unnest($1::text[]) as email`,
    [emails],
  )

test('pages of customers neither repeat nor skip anybody while others are added', async () => {
  const first = Array.from(
    { length: 95 },
    (_, at) => `p${String(at * 2).padStart(3, '0')}@example.com`,
  )
  await add(first)
  const seen: string[] = []
  let after: string | undefined
  let page = 0
  do {
    const answer = await admin.must('GET /api/customers', {
      query: { limit: 10, q: 'p', ...(after !== undefined && { after }) },
    })
    seen.push(...answer.items.map((item) => item.email))
    after = answer.nextCursor ?? undefined
    // Some sort before the reader's position, some after it.
    await add([`p${page}-${page}@example.com`, `p1${page}1@example.com`, `pz${page}@example.com`])
    page += 1
  } while (after !== undefined)
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(seen.toSorted())
  expect(first.filter((email) => !seen.includes(email))).toEqual([])
})

test('a search treats pattern characters literally', async () => {
  await add([
    '100%@example.com',
    '1000@example.com',
    'a_b@example.com',
    'axb@example.com',
    'c\\d@example.com',
  ])
  const found = async (q: string) =>
    (await admin.must('GET /api/customers', { query: { q } })).items.map((item) => item.email)
  expect(await found('100%')).toEqual(['100%@example.com'])
  expect(await found('a_b')).toEqual(['a_b@example.com'])
  expect(await found('C\\D')).toEqual(['c\\d@example.com'])
})

test('a customer sees only their own servers and jobs, page by page, newest first', async () => {
  const [ann, bob] = [await lodge.customer(), await lodge.customer()]
  const template = await lodge.template()
  const node = await lodge.node()
  const made: string[] = []
  for (let at = 0; at < 24; at++) {
    const { serverId } = await admin.must('POST /api/servers', {
      body: {
        name: `S${at}`,
        ownerId: at % 2 ? ann.id : bob.id,
        templateId: template.id,
        nodeId: node.id,
      },
    })
    if (at % 2) made.unshift(serverId)
  }
  const all = async (endpoint: 'GET /api/servers' | 'GET /api/jobs') => {
    const items: { id: string; serverId?: string | null }[] = []
    let after: string | undefined
    do {
      const page = await ann.must(endpoint, {
        query: { limit: 5, ...(after !== undefined && { after }) },
      })
      items.push(...page.items)
      after = page.nextCursor ?? undefined
    } while (after !== undefined)
    return items
  }
  expect((await all('GET /api/servers')).map((item) => item.id)).toEqual(made)
  expect((await all('GET /api/jobs')).map((item) => item.serverId)).toEqual(made)
  const foreign = await ann.must('GET /api/servers', { query: { ownerId: bob.id } })
  expect(foreign.items.every((item) => item.ownerId === ann.id)).toBe(true)
})

test('jobs are found by their state, for the host and for the owner of a server', async () => {
  const [ann, bob] = [await lodge.customer(), await lodge.customer()]
  await lodge.database.pool.query(
    `insert into jobs (id, kind, title, state, owner_id, input, steps, ended_at)
     select uuidv7(), 'server.power', state || ' of ' || name, state, id, '{}', '[]',
       case when state in ('waiting', 'running') then null else now() end
     from unnest($1::uuid[], array['ann', 'bob']) owner (id, name),
       unnest(array['waiting', 'running', 'done', 'failed', 'cancelled', 'superseded']) state`,
    [[ann.id, bob.id]],
  )
  const titles = async (caller: Caller, query: { state?: JobState; open?: 'true' }) =>
    (await caller.must('GET /api/jobs', { query: { limit: 100, ...query } })).items
      .map(({ title }) => title)
      .filter((title) => / of (ann|bob)$/.test(title))
      .sort()
  for (const state of JobState.options) {
    expect(await titles(ann, { state })).toEqual([`${state} of ann`])
    expect(await titles(admin, { state })).toEqual([`${state} of ann`, `${state} of bob`])
  }
  expect(await titles(ann, { open: 'true' })).toEqual(['running of ann', 'waiting of ann'])
  expect(await titles(ann, { open: 'true', state: 'failed' })).toEqual([])
})

test('a filter by status finds every matching server, on any page', async () => {
  const ann = await lodge.customer()
  const template = await lodge.template()
  const node = await lodge.node()
  const ids: string[] = []
  for (let at = 0; at < 30; at++) {
    const { serverId } = await admin.must('POST /api/servers', {
      body: { name: `F${at}`, ownerId: ann.id, templateId: template.id, nodeId: node.id },
    })
    ids.push(serverId)
  }
  await lodge.database.pool.query(
    `insert into server_holds (server_id, kind, cause) values ($1, 'deleting', 'administrator')`,
    [ids[0]],
  )
  const found = new Set<string>()
  let after: string | undefined
  do {
    const page = await ann.must('GET /api/servers', {
      query: { limit: 2, status: 'deleting', ...(after !== undefined && { after }) } as never,
    })
    for (const item of page.items) found.add(item.id)
    after = page.nextCursor ?? undefined
  } while (after !== undefined)
  expect([...found]).toEqual([ids[0]])
})
