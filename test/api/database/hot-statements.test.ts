import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertFleet, insertServers } from '../../../bench/src/stage/fleet-rows.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

// PostgreSQL's plans of the most frequent queries on a database with thousands of servers. Review a
// changed plan, then store it with `npm test -- test/api/database/hot-statements -u`.

const SERVERS = 5_000
/** Only these statements have a plan. */
const PLANNED = /^\s*(with|select|insert|update|delete)\b/i
/** A line of a plan that says how rows are found, not which. */
const STEP = /^( *(?:-> +)?)(\w.*?)\s*$/

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

let lodge: Lodge
let admin: Caller
let customer: Caller
let serverId: string
beforeAll(async () => {
  listStatements()
  lodge = await startLodge()
  const { pool } = lodge.database
  const rows = await insertFleet(pool, { nodes: 1_000 })
  await insertServers(pool, { templateId: rows.templateId, from: 0, to: SERVERS })
  await fillAround(lodge)
  admin = lodge.anonymous({ cookie: bare(rows.adminCookie) })
  customer = lodge.anonymous({ cookie: bare(rows.customer.cookie) })
  serverId = (await customer.must('GET /api/servers')).items[0]?.id ?? ''
})
afterAll(() => lodge[Symbol.asyncDispose]())

/** Fills the other tables: people, their sessions, events and templates. */
async function fillAround({ database: { pool } }: Lodge): Promise<void> {
  await pool.query(
    `insert into users (id, email, role, preferences)
     select gen_random_uuid(), 'person' || n || '@example.org', 'customer', '{"mode":null}'
     from generate_series(1, 5000) n`,
  )
  await pool.query(
    `insert into sessions (id, user_id, token_hash, user_agent, address, expires_at)
     select gen_random_uuid(), id, sha256(id::text::bytea), '', '', now() + interval '1 day' from users
     where email like 'person%'`,
  )
  await pool.query(
    `insert into server_events (id, server_id, at, kind, reason)
     select gen_random_uuid(), id, now() - make_interval(mins => n), 'started', ''
     from servers, generate_series(1, 4) n`,
  )
  await pool.query(
    `insert into viewings (id, viewer_id, viewer_email, customer_id, expires_at, ended_at)
     select gen_random_uuid(), id, email, id, now(), now() from users`,
  )
  // So many that reading all of them costs more than finding the needed one.
  await pool.query(
    `insert into templates (id, name, description, origin, version, document, customer_visible)
     select gen_random_uuid(), 'Template ' || n, '', 'custom', 1, '{}', false
     from generate_series(1, 2000) n`,
  )
  await pool.query('analyze')
}

const bare = (cookie: string): string => cookie.slice(cookie.indexOf('=') + 1)

/** Collects the statements of a request; those of periodic tasks have no list. */
const sending = new AsyncLocalStorage<Statement[]>()

/** Collects statements from now on, also of connections that are opened later. */
function listStatements(): void {
  const { query } = pg.Client.prototype
  const listing = function (this: pg.Client, config: unknown, ...rest: unknown[]) {
    const given = typeof config === 'string' ? { text: config } : (config as Partial<Statement>)
    const values = given.values ?? rest[0]
    if (given.text !== undefined)
      sending.getStore()?.push({ text: given.text, values: Array.isArray(values) ? values : [] })
    return Reflect.apply(query, this, [config, ...rest])
  }
  pg.Client.prototype.query = listing as typeof query
}

async function statementsOf(ask: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  await sending.run(sent, ask)
  return sent
}

/** How PostgreSQL finds the rows of a statement: the steps without costs and conditions. */
async function planOf({ text, values }: Statement): Promise<string[]> {
  const { rows } = await lodge.database.pool.query<{ 'QUERY PLAN': string }>(
    `explain (costs off) ${text}`,
    [...values],
  )
  return rows
    .map((row) => row['QUERY PLAN'])
    .filter((line, at) => at === 0 || line.trimStart().startsWith('->'))
    .map((line) => line.replace(STEP, '$1$2'))
}

const queries: Readonly<Record<string, () => Promise<unknown>>> = {
  'the list of servers, for an administrator': () => admin.must('GET /api/servers'),
  'the list of servers, for a customer': () => customer.must('GET /api/servers'),
  'a server': () => customer.must('GET /api/servers/{id}', { params: { id: serverId } }),
  'the history of a server': () =>
    customer.must('GET /api/servers/{id}/events', { params: { id: serverId } }),
  'the list of nodes': () => admin.must('GET /api/nodes'),
  'who is signed in': () => customer.must('GET /api/auth/me'),
}

test.each(Object.keys(queries))('%s has its recorded plan', async (what) => {
  const ask = queries[what]
  if (!ask) return
  const statements = (await statementsOf(ask)).filter(({ text }) => PLANNED.test(text))
  expect(statements.length).toBeGreaterThan(0)
  const plans: string[] = []
  for (const statement of statements) plans.push((await planOf(statement)).join('\n'))
  const text = `${[...new Set(plans)].sort().join('\n\n')}\n`
  await expect(text).toMatchFileSnapshot(`./plans/${what.replaceAll(/\W+/g, '-')}.txt`)
})
