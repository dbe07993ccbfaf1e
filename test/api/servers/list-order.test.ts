import { SERVER_SORTS } from '@lodge/shared/lists/servers.ts'
import { HOLD_KINDS, OBSERVED_STATES, SERVER_STATUSES } from '@lodge/shared/server-status.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertFleet, insertServers } from '../../../bench/src/stage/fleet-rows.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

const SERVERS = 240
type Sort = (typeof SERVER_SORTS)[number] | `-${(typeof SERVER_SORTS)[number]}`

/** A server that waits for a decision after a set-back is shown unchanged. */
const KINDS = HOLD_KINDS.filter((kind) => kind !== 'set-back')

let lodge: Lodge
let admin: Caller

/**
 * Servers in every state that rows can be in, on nodes that are connected, disconnected, and just
 * back.
 */
beforeAll(async () => {
  lodge = await startLodge()
  const { templateId } = await insertFleet(lodge.database.pool, { nodes: 6 })
  await insertServers(lodge.database.pool, { templateId, from: 0, to: SERVERS })
  const { rows } = await query<{ id: string }>(`select id from users where role = 'admin' limit 1`)
  admin = await lodge.session(rows[0]?.id ?? '')
  await query(
    `update servers set
       name = (array['Lobby', 'lobby', 'Survival', 'Ä-Server', 'creative'])[1 + metric_key % 5] || ' ' || metric_key % 20,
       observed_state = (array['${OBSERVED_STATES.join("','")}'])[1 + metric_key % ${OBSERVED_STATES.length}],
       desired_power = (array['on', 'off'])[1 + metric_key / 7 % 2],
       install_failed = metric_key % 13 = 0,
       restart_at = case when metric_key % 3 = 0 then now() end,
       failure = case when metric_key % 11 = 0 then '{"code":"x","detail":"y"}'::jsonb end,
       last_exit = case metric_key % 4
         when 0 then '{"code":0,"signal":null,"outOfMemory":false,"at":"2026-01-01T00:00:00Z"}'::jsonb
         when 1 then '{"code":1,"signal":null,"outOfMemory":false,"at":"2026-01-01T00:00:00Z"}'::jsonb
         when 2 then '{"code":0,"signal":"SIGKILL","outOfMemory":false,"at":"2026-01-01T00:00:00Z"}'::jsonb
         end`,
  )
  await query(
    `insert into server_holds (server_id, kind, cause)
     select id, (array['${KINDS.join("','")}'])[1 + metric_key % ${KINDS.length}],
       case when metric_key % ${KINDS.length} = 0 then 'billing' else 'test' end
     from servers where metric_key % 5 < 2`,
  )
  await query(
    `update server_usage set cpu = key % 7, memory = key % 9 * 1000000, disk = null where key % 2 = 0`,
  )
  await query(
    `update nodes set session_id = null where id = (select id from nodes order by name limit 1)`,
  )
  await query(
    `update nodes set inventory_taken = false, connected_at = now() + interval '1 second'
     where id = (select id from nodes order by name desc limit 1)`,
  )
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  lodge.database.pool.query<Row>(text, values)

type Wanted = { sort?: Sort; filter?: string }

/** All pages; `between` runs after each. */
async function all(
  caller: Caller,
  wanted: Wanted,
  limit = 50,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Server[]> {
  const items: Server[] = []
  let after: string | undefined
  do {
    const page = await caller.must('GET /api/servers', {
      query: { limit, ...wanted, ...(after !== undefined && { after }) },
    })
    items.push(...page.items)
    after = page.nextCursor ?? undefined
    if (after !== undefined) await between()
  } while (after !== undefined)
  return items
}

const names = (servers: readonly Server[]) => servers.map(({ id }) => id)

test.each(SERVER_SORTS.flatMap((sort): Sort[] => [sort, `-${sort}`]))(
  'pages in the order %s have every server once, in that order',
  async (sort) => {
    const pages = names(await all(admin, { sort }, 7))
    expect(new Set(pages).size).toBe(SERVERS)
    expect(pages).toHaveLength(SERVERS)
    expect(pages).toEqual(names(await all(admin, { sort }, 100)))
    const reverse = sort.startsWith('-') ? (sort.slice(1) as Sort) : (`-${sort}` as Sort)
    // Unknown values come last in either direction.
    if (!/cpu|memory|disk/.test(sort))
      expect(pages.toReversed()).toEqual(names(await all(admin, { sort: reverse }, 100)))
  },
)

test('names are ordered case-insensitively, and numbers by size with unknown ones last', async () => {
  const { rows } = await query<{ id: string }>('select id from servers order by lower(name), id')
  expect(names(await all(admin, { sort: 'name' }))).toEqual(rows.map(({ id }) => id))
  for (const sort of ['cpu', '-cpu'] as const) {
    const figures = (await all(admin, { sort })).map(({ usage }) => usage?.cpuPercent ?? null)
    const known = figures.filter((one) => one !== null)
    expect(figures.slice(known.length).every((one) => one === null)).toBe(true)
    expect(known).toEqual(known.toSorted((a, b) => (sort === 'cpu' ? a - b : b - a)))
  }
})

test('while a number changes between pages, every server whose number stays is listed exactly once', async () => {
  const restless = `select key from server_usage where key % 10 = 3`
  const seen = names(
    await all(admin, { sort: '-cpu' }, 10, () =>
      query(`update server_usage set cpu = random() * 10 where key in (${restless})`),
    ),
  )
  const { rows } = await query<{ id: string }>(
    `select id from servers where metric_key not in (${restless})`,
  )
  const times = Map.groupBy(seen, (id) => id)
  expect(rows.filter(({ id }) => times.get(id)?.length !== 1)).toEqual([])
})

test('a filter by state finds exactly the servers that are shown in it', async () => {
  const shown = Map.groupBy(await all(admin, {}), ({ status }) => status)
  for (const state of SERVER_STATUSES) {
    const found = names(await all(admin, { filter: `state:${state}` }, 20))
    expect(found, state).toEqual(names(shown.get(state) ?? []))
  }
  // Otherwise the check would prove nothing.
  expect(shown.size).toBeGreaterThanOrEqual(14)
})

test('words must all match, alternatives are separated by commas, and stars match anything', async () => {
  const everything = await all(admin, {})
  const expectFound = async (filter: string, keep: (server: Server) => boolean) => {
    const wanted = names(everything.filter(keep))
    expect(wanted.length, filter).toBeGreaterThan(0)
    expect(names(await all(admin, { filter })), filter).toEqual(wanted)
  }
  const node = everything[0]?.nodeName ?? ''
  await expectFound(`NODE:${node.toUpperCase()}`, ({ nodeName }) => nodeName === node)
  await expectFound(`node:${everything[0]?.nodeId}`, ({ nodeName }) => nodeName === node)
  await expectFound('lobby', ({ name }) => /lobby/i.test(name))
  await expectFound('"lobby 1"', ({ name }) => /lobby 1/i.test(name))
  await expectFound(
    `state:running,crashed node:${node}`,
    ({ nodeName, status }) => nodeName === node && ['running', 'crashed'].includes(status),
  )
  await expectFound('owner:customer1*@example.org', ({ ownerEmail }) =>
    /^customer1.*@example\.org$/.test(ownerEmail),
  )
  await expectFound('kind:container template:bench', () => true)
  await expectFound('location:place-1,place-2', ({ location }) => /^place-[12]$/.test(location))
})

test('a filter without matches finds nothing, and wildcards of patterns and SQL are literal', async () => {
  for (const filter of [
    'state:exploded',
    'node:%',
    'lobby_',
    `'; select 1`,
    'whose:everybody',
    'kind:"',
  ])
    expect(await all(admin, { filter }), filter).toEqual(
      filter === 'kind:"' ? expect.any(Array) : [],
    )
})

test('a customer filters and orders only servers that they may see', async () => {
  const { rows } = await query<{ id: string; owned: number }>(
    `select owner_id as id, count(*)::int as owned from servers group by 1 order by 2 desc limit 2`,
  )
  const [ann, bob] = rows
  const customer = await lodge.session(ann?.id ?? '')
  const mine = await all(customer, { sort: 'name' })
  expect(mine).toHaveLength(ann?.owned ?? 0)
  expect(mine.every(({ ownerId }) => ownerId === ann?.id)).toBe(true)
  expect(await all(customer, { filter: `owner:${bob?.id}` })).toEqual([])
  const { rows: shared } = await query<{ id: string }>(
    `insert into server_collaborators (server_id, user_id, permissions)
     select id, $1, '{}' from servers where owner_id = $2 limit 1 returning server_id as id`,
    [ann?.id, bob?.id],
  )
  expect(names(await all(customer, { filter: 'whose:shared' }))).toEqual(shared.map(({ id }) => id))
  expect(await all(customer, { filter: 'whose:mine' })).toHaveLength(ann?.owned ?? 0)
  expect(await all(customer, { sort: '-cpu' })).toHaveLength((ann?.owned ?? 0) + 1)
})

test('a cursor is valid for one order only, and a made-up one is refused', async () => {
  const { nextCursor } = await admin.must('GET /api/servers', { query: { sort: 'name', limit: 5 } })
  const forged = (key: string) =>
    Buffer.from(JSON.stringify([key, '00000000-0000-4000-8000-000000000000'])).toString('base64url')
  for (const [sort, after] of [
    ['-name', nextCursor],
    ['cpu', nextCursor],
    ['cpu', forged('cpu:one')],
    ['cpu', forged('cpu:1e999')],
    ['cpu', forged('cpu:')],
  ] as const) {
    const query = { sort, after: after ?? '' }
    const { status, body } = await admin.call('GET /api/servers', { query })
    expect([status, body], `${sort} ${after}`).toMatchObject([400, { code: 'invalid_cursor' }])
  }
})

test('the CSV has every server of the filter in its order, and contains no formula', async () => {
  const [first] = await all(admin, { sort: 'name', filter: 'state:running' })
  await query(`update servers set name = '=1+1, "x"' where id = $1`, [first?.id])
  const { statusCode, headers, payload } = await admin.send({
    url: '/api/servers/export?sort=name&filter=state:running',
  })
  expect([statusCode, headers['content-disposition']]).toEqual([
    200,
    'attachment; filename="servers.csv"',
  ])
  const [head, ...lines] = payload.trimEnd().split('\r\n')
  expect(head).toMatch(/^id,name,kind,status,owner,/)
  const expected = names(await all(admin, { sort: 'name', filter: 'state:running' }))
  expect(lines.map((line) => line.slice(0, 36))).toEqual(expected)
  expect(payload).toContain(`,"'=1+1, ""x""",container,running,`)
})
