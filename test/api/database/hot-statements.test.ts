import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  showServerUsage,
  storeServerSamples,
} from '../../../control-plane/src/domains/metrics/store.ts'
import { hear } from '../../../control-plane/src/domains/nodes/session-store.ts'
import { takeDue } from '../../../control-plane/src/domains/schedules/runs/due-store.ts'
import { listIdle } from '../../../control-plane/src/domains/support/rules/idle-store.ts'
import { openJobsThrough } from '../../../control-plane/src/jobs/board/store.ts'
import { claim, renew } from '../../../control-plane/src/jobs/dispatch/dispatch-store.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { insertLargeFleet, ROWS_AT_LEAST } from './large-fleet.ts'

// How PostgreSQL finds the rows of the most frequent queries on a database with thousands of servers:
// the index of each table, and what is sorted. Review a changed plan, then store it with
// `npm test -- test/api/database/hot-statements -u`.

/** Only these statements have a query plan. */
const PLANNED = /^\s*(with|select|insert|update|delete)\b/i
/** The tables that grow with a fleet and its use. */
const GROWING = [
  ...['users', 'sessions', 'totp_factors', 'passkeys', 'api_tokens', 'viewings', 'notifications'],
  ...['email_messages', 'templates', 'nodes', 'servers', 'server_ports', 'server_usage'],
  ...['server_marks', 'server_events', 'server_holds', 'server_collaborators', 'machines', 'jobs'],
  ...['support_tickets', 'support_messages', 'support_participants', 'support_watches'],
  ...['support_rule_idles', 'support_words', 'support_reads'],
  ...['subscriptions', 'invoices', 'invoice_payments'],
  ...['job_dispatch', 'tasks', 'audit_log', 'customer_notes', 'schedules', 'schedule_runs'],
]
/** Far fewer than any growing table has. */
const MOST_READ = 1_000
/** Inserts a given row: it reads nothing, and cannot be executed twice. */
const ROW_GIVEN = /^insert into \S+ \([^)]*\)\s+values/i
/** An index of a partition: the name without its day. */
const PARTITION = /(?:using|Index Scan on) (\w+)_\d{8}(\w*)/
/** The request whose plans include that of the session. */
const ALONE = 'who is signed in'
/** A line of a plan that says how the rows of a table are found or sorted, not which. */
const STEP = /^ *(?:-> +)?(\w.*?)\s*$/
/** In which order tables are joined is left out: PostgreSQL decides between equal costs by chance. */
const RECORDED = /Scan|Sort| on \w/

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

let lodge: Lodge
let admin: Caller
let customer: Caller
let serverId: string
let customerId: string
let scheduleId: string
let node: { id: string; sessionId: string }
/** The statements that every request with a session sends; they have a plan of their own. */
let sessionTexts: ReadonlySet<string>
beforeAll(async () => {
  listStatements()
  lodge = await startLodge()
  const { pool } = lodge.database
  const rows = await insertLargeFleet(pool)
  admin = lodge.anonymous({ cookie: bare(rows.adminCookie) })
  customer = lodge.anonymous({ cookie: bare(rows.customer.cookie) })
  customerId = rows.customer.id
  serverId = (await customer.must('GET /api/servers')).items[0]?.id ?? ''
  const { rows: schedules } = await pool.query('select id from schedules where server_id = $1', [
    serverId,
  ])
  scheduleId = schedules[0]?.id
  const { rows: nodes } = await pool.query(
    'select id, session_id as "sessionId" from nodes order by name limit 1',
  )
  node = nodes[0]
  const sent = await statementsOf(() => customer.must('GET /api/auth/me'))
  sessionTexts = new Set(
    sent.map(({ text }) => text).filter((text) => text.includes('"token_hash"')),
  )
  expect(sessionTexts.size).toBe(1)
})
afterAll(() => lodge[Symbol.asyncDispose]())

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
  // Drizzle sends a statement when it is awaited.
  await sending.run(sent, async () => void (await ask()))
  return sent
}

/** A node of a plan that was executed. */
interface PlanNode {
  readonly 'Node Type'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** Rows that the scans of a plan read, whether or not they were needed. */
function rowsRead(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0)
  if (node.Plans !== undefined && node['Rows Removed by Filter'] === undefined) return below
  // A CTE scan reads rows that another scan has read already.
  if (node['Node Type'] === 'CTE Scan') return below
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  return below + each * (node['Actual Loops'] ?? 1)
}

/** PostgreSQL's query plan for a statement, and the number of rows it reads; changes nothing. */
async function planOf({ text, values }: Statement): Promise<{ steps: string; read: number }> {
  const client = await lodge.database.pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, [
      ...values,
    ])
    const steps = withoutConditions(rows.map((row) => row['QUERY PLAN'])).join('\n')
    if (ROW_GIVEN.test(text)) return { steps, read: 0 }
    const { rows: executed } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, timing off, format json) ${text}`,
      [...values],
    )
    return { steps, read: rowsRead(executed[0]?.['QUERY PLAN'][0].Plan ?? {}) }
  } finally {
    await client.query('rollback')
    client.release()
  }
}

function withoutConditions(lines: readonly string[]): string[] {
  const steps = lines
    .filter((line, at) => at === 0 || line.trimStart().startsWith('->'))
    .map((line) => line.replace(STEP, '$1'))
    .filter((step) => RECORDED.test(step))
    .sort()
  // Whether message words are looked up together with those of few tickets depends on the time of
  // day.
  if (steps.some((step) => step.endsWith(' support_messages_found')))
    return steps.filter((step) => !step.endsWith(' support_messages_ticket'))
  if (!steps.some((step) => PARTITION.test(step))) return steps
  // How many partitions are read, and how many of them are empty, depends on the time of day.
  return [...new Set(steps.flatMap((step) => PARTITION.exec(step)?.slice(1, 3).join('') ?? []))]
}

const services = () => lodge.controlPlane.services
const usage = (key: number) => ({
  placed: { key, shownMs: 0 },
  nodeId: node.id,
  atMs: Date.now(),
  sample: {
    ...{ serverId, at: undefined, cpuPercent: 1, memoryBytes: 1 },
    ...{ networkRxBytesPerSecond: 1, networkTxBytesPerSecond: 1 },
  },
})

const invoicesWith = (filter: string) =>
  admin.must('GET /api/billing/invoices', { query: { filter, limit: 5 } })
const subscribersWith = (filter: string) =>
  admin.must('GET /api/billing/subscriptions', { query: { filter, limit: 5 } })

const requests: Readonly<Record<string, () => Promise<unknown>>> = {
  'who is signed in': () => customer.must('GET /api/auth/me'),
  'the list of servers, for an administrator': () => admin.must('GET /api/servers'),
  'the list of servers, by name': () => admin.must('GET /api/servers', { query: { sort: 'name' } }),
  'the list of servers, for a customer': () => customer.must('GET /api/servers'),
  'the servers of a node': () => admin.must('GET /api/servers', { query: { nodeId: node.id } }),
  'the servers of a customer': () =>
    admin.must('GET /api/servers', { query: { ownerId: customerId } }),
  'the servers that a customer shares': () =>
    customer.must('GET /api/servers', { query: { relation: 'shared' } }),
  'the servers with a tag': () => admin.must('GET /api/servers', { query: { filter: 'tag:eu' } }),
  'the favourites of a customer': () =>
    customer.must('GET /api/servers', { query: { filter: 'favourite:yes' } }),
  'tags and folders of a customer': () => customer.must('GET /api/me/servers/labels'),
  'a server': () => customer.must('GET /api/servers/{id}', { params: { id: serverId } }),
  'the history of a server': () =>
    customer.must('GET /api/servers/{id}/events', { params: { id: serverId } }),
  'the activity of a server': () =>
    admin.must('GET /api/servers/{id}/activity', { params: { id: serverId } }),
  'the figures of a server, of the last hour': () =>
    customer.must('GET /api/servers/{id}/metrics', {
      params: { id: serverId },
      query: { range: 'hour' },
    }),
  'the figures of a server, of the last day': () =>
    customer.must('GET /api/servers/{id}/metrics', {
      params: { id: serverId },
      query: { range: 'day' },
    }),
  'the figures of a node': () =>
    admin.must('GET /api/nodes/{id}/metrics', {
      params: { id: node.id },
      query: { range: 'hour' },
    }),
  'the list of nodes': () => admin.must('GET /api/nodes'),
  'the list of customers': () => admin.must('GET /api/customers'),
  'the list of templates': () => admin.must('GET /api/templates'),
  'the audit record': () => admin.must('GET /api/audit'),
  'the audit record of a person': () =>
    admin.must('GET /api/audit', { query: { actorId: customerId } }),
  'the audit record by a person and about them': () =>
    admin.must('GET /api/audit', { query: { personId: customerId } }),
  'the sign-ins of a customer': () =>
    admin.must('GET /api/customers/{id}/sign-ins', { params: { id: customerId } }),
  'the notes about a customer': () =>
    admin.must('GET /api/customers/{id}/notes', { params: { id: customerId } }),
  'the audit record of a server': () => admin.must('GET /api/audit', { query: { serverId } }),
  'the list of jobs, for an administrator': () => admin.must('GET /api/jobs'),
  'the list of jobs, for a customer': () => customer.must('GET /api/jobs'),
  'the open jobs of a customer': () => customer.must('GET /api/jobs', { query: { open: 'true' } }),
  'the failed jobs, for an administrator': () =>
    admin.must('GET /api/jobs', { query: { state: 'failed' } }),
  'the failed jobs of a customer': () =>
    customer.must('GET /api/jobs', { query: { state: 'failed' } }),
  'the jobs of a server': () => customer.must('GET /api/jobs', { query: { serverId } }),
  'the schedules of a server': () =>
    customer.must('GET /api/servers/{id}/schedules', { params: { id: serverId } }),
  'the runs of a schedule': () =>
    customer.must('GET /api/servers/{id}/schedules/{scheduleId}/runs', {
      params: { id: serverId, scheduleId },
    }),
  'the list of notifications': () => customer.must('GET /api/notifications'),
  'the unread notifications': () =>
    customer.must('GET /api/notifications', { query: { unread: 'true' } }),
  'the number of notifications': () => customer.must('GET /api/notifications/summary'),
  'the open tickets': () => admin.must('GET /api/support/tickets', { query: { view: 'open' } }),
  'the tickets that have nobody': () =>
    admin.must('GET /api/support/tickets', { query: { view: 'unassigned' } }),
  'the tickets with held mail': () =>
    admin.must('GET /api/support/tickets', { query: { view: 'held' } }),
  'the tickets that are spam': () =>
    admin.must('GET /api/support/tickets', { query: { view: 'spam' } }),
  'the tickets of a customer': () => customer.must('GET /api/support/tickets'),
  'tickets with words': () =>
    admin.must('GET /api/support/tickets', { query: { view: 'all', q: 'chunk 4711' } }),
  'tickets with a misspelt word': () =>
    admin.must('GET /api/support/tickets', { query: { view: 'all', q: 'chunck', limit: 10 } }),
  'open tickets with words': () =>
    admin.must('GET /api/support/tickets', { query: { view: 'open', q: 'chunk 4711' } }),
  'tickets of a customer with words': () =>
    customer.must('GET /api/support/tickets', { query: { q: 'chunk' } }),
  'the outgoing mail': () => admin.must('GET /api/email/outbox'),
  'the list of invoices': () => admin.must('GET /api/billing/invoices', { query: { limit: 5 } }),
  'the invoices of a customer': () =>
    admin.must('GET /api/billing/invoices', { query: { filter: 'person4711@' } }),
  'an invoice by its number': () => invoicesWith('number:INV-2026-004711'),
  'the invoices of a customer by their address': () => invoicesWith('customer:person4711@*'),
  'invoices of a plan that does not exist': () => invoicesWith('plan:Gone*'),
  'invoices in a currency without invoices': () => invoicesWith('currency:JPY'),
  'overdue invoices': () =>
    admin.must('GET /api/billing/invoices', { query: { filter: 'status:overdue', limit: 5 } }),
  'the list of subscribers': () =>
    admin.must('GET /api/billing/subscriptions', { query: { limit: 5 } }),
  'the subscriptions of a customer': () =>
    admin.must('GET /api/billing/subscriptions', { query: { filter: 'person4711@' } }),
  'subscribers of a plan that does not exist': () => subscribersWith('plan:Gone*'),
  'subscribers in a currency without prices': () => subscribersWith('currency:JPY'),
  'overdue subscribers of a plan': () =>
    admin.must('GET /api/billing/subscriptions', {
      query: { filter: 'status:past_due plan:"plan 1"', limit: 5 },
    }),
  'a change of a server': () =>
    admin.must('PATCH /api/servers/{id}', {
      params: { id: serverId },
      body: { name: 'renamed' },
    }),
}

/** The statements that nodes and workers send all the time, without a request. */
const background: Readonly<Record<string, () => Promise<unknown>>> = {
  'a heartbeat': () =>
    hear(services().db, [
      {
        id: node.id,
        sessionId: node.sessionId,
        preflight: null,
        drivers: null,
        virtualization: null,
        hardware: null,
        transfers: null,
        detected: undefined,
        leaseWanted: true,
      },
    ]),
  'samples of servers': () => storeServerSamples(services().db, [usage(1), usage(2)]),
  'the newest figures of servers': () => showServerUsage(services().db, [usage(1), usage(2)]),
  'open jobs at an observation': () => openJobsThrough(services().db, serverId, 1),
  'idle tickets for rules': () => listIdle(services().db, 200),
  'due schedules': () => takeDue(services().db, 250),
  'claiming jobs': () =>
    claim(lodge.database.application.pool, { worker: node.id, most: 10, leaseMs: 1000, over: [] }),
  'renewing the leases of jobs': () =>
    renew(lodge.database.application.pool, node.id, [serverId, node.id], 1000),
}

test('every table that grows is too large for a sequential scan', async () => {
  const { rows } = await lodge.database.pool.query<{ name: string; rows: number }>(
    `select relname as name, reltuples::int as rows from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 0`,
  )
  const sizes = new Map(rows.map(({ name, rows }) => [name, rows]))
  for (const table of GROWING) expect([table, sizes.get(table) ?? 0]).toSatisfy(isLarge)
})
const isLarge = ([, rows]: [string, number]) => rows >= ROWS_AT_LEAST

test.each(Object.entries({ ...requests, ...background }))(
  '%s has its recorded plan and reads few rows',
  async (what, ask) => {
    const statements = (await statementsOf(ask)).filter(
      ({ text }) => PLANNED.test(text) && (what === ALONE || !sessionTexts.has(text)),
    )
    expect(statements.length).toBeGreaterThan(0)
    const plans = new Set<string>()
    for (const statement of statements) {
      const { steps, read } = await planOf(statement)
      expect(read, `rows that this reads:\n${statement.text}\n${steps}`).toBeLessThan(MOST_READ)
      plans.add(steps)
    }
    const text = `${[...plans].sort().join('\n\n')}\n`
    await expect(text).toMatchFileSnapshot(`./plans/${what.replaceAll(/\W+/g, '-')}.txt`)
  },
)
