import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import type { Caller } from '../../support/caller.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

let lodge: Lodge
let beside: Lodge
let admin: Caller
let node: JoinedNode
let templateId: string
beforeAll(async () => {
  lodge = await startLodge()
  beside = await lodge.beside()
  admin = await lodge.admin()
  node = await lodge.node()
  templateId = (await lodge.template()).id
  await lodge.keepNodesOnline()
})
afterAll(async () => {
  await beside[Symbol.asyncDispose]()
  await lodge[Symbol.asyncDispose]()
})

const DAY_MS = 86_400_000
const PEOPLE = 20
const SMALL_MB = 64
const BIG_MB = 1088

const makePlan = (memoryMb: number, amount: number, more: object = {}) =>
  admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'server', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount, currency: 'EUR' }],
      preset: {
        ...{ templateIds: [templateId], memoryMb, cpuPercent: 1, diskMb: 64, locations: 'any' },
      },
      ...more,
    },
  })

interface Buyer {
  readonly here: Caller
  readonly there: Caller
  readonly subscriptionId: string
}

async function buyer(
  planId: string,
  beforePaid?: (subscriptionId: string) => Promise<unknown>,
): Promise<Buyer> {
  const { id, email } = await lodge.customer()
  const here = await lodge.session(id, email)
  const { id: subscriptionId, invoice } = await here.must('POST /api/store/checkout', {
    body: { planId, cycle: 'monthly', server: { name: 'shop', templateId } },
  })
  await beforePaid?.(subscriptionId)
  await pay(invoice?.id ?? '', invoice?.total ?? 0)
  const there = beside.anonymous({ cookie: here.cookie ?? '' }).named(id, email)
  return { here, there, subscriptionId }
}
const pay = (id: string, amount: number) =>
  admin.must('POST /api/billing/invoices/{id}/mark-paid', { params: { id }, body: { amount } })
const heldMb = async () => {
  const { rows } = await lodge.database.pool.query<{ mb: number }>(
    'select allocated_memory_mb as mb from nodes where id = $1',
    [node.id],
  )
  return rows[0]?.mb ?? 0
}
const change = ({ here, there, subscriptionId }: Buyer, planId: string, at = 0) =>
  (at % 2 ? there : here).call('POST /api/billing/subscriptions/{id}/change', {
    params: { id: subscriptionId },
    body: { planId, cycle: 'monthly' },
  })
async function provisionAll() {
  while ((await provisionDue(lodge.controlPlane.services)) > 0);
}
/** Leaves the node with this much free memory, in MB. */
const leave = (mb: number) =>
  lodge.database.pool.query(
    'update nodes set headroom_mb = memory_mb - allocated_memory_mb - $1 where id = $2',
    [mb, node.id],
  )

test('of twenty concurrent upgrades on two control planes as many succeed as fit on the node, and unpaid ones release their memory', async () => {
  const small = await makePlan(SMALL_MB, 100)
  const big = await makePlan(BIG_MB, 200)
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => buyer(small.id)))
  await provisionAll()
  const before = await heldMb()
  await leave(5 * (BIG_MB - SMALL_MB) + 100)
  const answers = await Promise.all(people.map((one, at) => change(one, big.id, at)))
  const won = people.filter((_, at) => answers[at]?.status === 200)
  expect(won).toHaveLength(5)
  for (const { status, body } of answers)
    if (status !== 200)
      expect(body).toMatchObject({ code: 'change_blocked', blocked: ['no_capacity'] })
  expect(await heldMb()).toBe(before + 5 * (BIG_MB - SMALL_MB))
  const loser = people.find((one) => !won.includes(one))
  const preview = await loser?.here.must('GET /api/billing/preview-change', {
    query: { subscriptionId: loser.subscriptionId, planId: big.id, cycle: 'monthly' },
  })
  expect(preview?.blocked).toEqual(['no_capacity'])

  // One buyer pays and is upgraded; one cancels; the others let their invoices expire.
  const [payer, canceller] = won as [Buyer, Buyer]
  const { invoices } = await payer.here.must('GET /api/billing')
  const open = invoices.find(({ status }) => status === 'open')
  await pay(open?.id ?? '', open?.total ?? 0)
  await provisionAll()
  const { items } = await payer.here.must('GET /api/servers')
  expect(items).toMatchObject([{ memoryMb: BIG_MB }])
  expect(await heldMb()).toBe(before + 5 * (BIG_MB - SMALL_MB))
  await canceller.here.must('POST /api/billing/subscriptions/{id}/cancel', {
    params: { id: canceller.subscriptionId },
  })
  expect(await heldMb()).toBe(before + 4 * (BIG_MB - SMALL_MB))
  await lodge.database.pool.query(
    'update subscriptions set next_at = now() where next_at is not null',
  )
  await advanceDue(lodge.controlPlane.services, new Date(Date.now() + 8 * DAY_MS))
  expect(await heldMb()).toBe(before + (BIG_MB - SMALL_MB))
})

test('of twenty concurrent upgrades to a plan with five in stock five succeed', async () => {
  await leave(100_000)
  const small = await makePlan(SMALL_MB, 100)
  const few = await makePlan(SMALL_MB, 300, { stock: 5 })
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => buyer(small.id)))
  const answers = await Promise.all(people.map((one, at) => change(one, few.id, at)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect((await admin.must('GET /api/plans/{id}', { params: { id: few.id } })).available).toBe(0)
})

/** Opens or closes the node for new servers; servers with a reservation there keep it. */
const takeServers = (taken: boolean) =>
  admin.must('PATCH /api/nodes/{id}', { params: { id: node.id }, body: { cordoned: !taken } })
const endNow = ({ subscriptionId }: Buyer) =>
  admin.must('POST /api/billing/subscriptions/{id}/cancel-now', { params: { id: subscriptionId } })
const stateOf = async ({ here }: Buyer) =>
  (await here.must('GET /api/billing')).subscriptions[0]?.server?.state

test('a server that is not created yet grows with its plan, and its reservation ends with its subscription', async () => {
  await leave(100_000)
  const before = await heldMb()
  const small = await makePlan(SMALL_MB, 100)
  const big = await makePlan(BIG_MB, 100)
  // Both control planes create a paid server as soon as they see it; only a closed node prevents
  // that.
  const one = await buyer(small.id, () => takeServers(false))
  expect(await heldMb()).toBe(before + SMALL_MB)
  expect((await change(one, big.id)).status).toBe(200)
  expect(await heldMb()).toBe(before + BIG_MB)
  const { subscriptions } = await one.here.must('GET /api/billing')
  expect(subscriptions[0]).toMatchObject({ planName: expect.any(String), pendingChange: null })
  expect(await stateOf(one)).toBe('waiting')
  await endNow(one)
  expect(await heldMb()).toBe(before)
  await takeServers(true)
})

test('a created server keeps its memory reserved after its subscription ends, until it is deleted', async () => {
  await leave(100_000)
  const before = await heldMb()
  const one = await buyer((await makePlan(BIG_MB, 100)).id)
  await provisionAll()
  expect(await stateOf(one)).toBe('made')
  await endNow(one)
  expect(await heldMb()).toBe(before + BIG_MB)
})

test('what a server that is kept grows by is reserved on the node that it moved to', async () => {
  await leave(100_000)
  const before = await heldMb()
  const one = await buyer((await makePlan(SMALL_MB, 100)).id)
  await provisionAll()
  await endNow(one)
  const serverId = (await one.here.must('GET /api/servers')).items[0]?.id ?? ''
  const price = { cycle: 'monthly', freeDays: 0 } as const
  const { id } = await admin.must('POST /api/billing/subscriptions', {
    body: { userId: one.here.id, planId: (await makePlan(BIG_MB, 100)).id, price, serverId },
  })
  expect(await heldMb()).toBe(before + BIG_MB)
  const other = await lodge.node()
  const { pool } = lodge.database
  await pool.query('update servers set node_id = $1 where id = $2', [other.id, serverId])
  await pool.query('update subscriptions set next_at = now() where id = $1', [id])
  await advanceDue(lodge.controlPlane.services, new Date(Date.now() + 1000))
  const { rows } = await pool.query(
    'select growth_node_id as "nodeId" from server_orders where subscription_id = $1',
    [id],
  )
  expect(rows).toEqual([{ nodeId: other.id }])
  expect(await heldMb()).toBe(before + SMALL_MB)
})

/** Has an order wait for an attempt in an hour. */
const waits = (change: string) => (subscriptionId: string) =>
  lodge.database.pool.query(
    `update server_orders set state = 'waiting', next_at = now() + interval '1 hour', ${change}
     where subscription_id = $1`,
    [subscriptionId],
  )
const MINUTE_MS = 60_000
const orderOf = async ({ subscriptionId }: Buyer) => {
  const { rows } = await lodge.database.pool.query(
    `select state, attempts, next_at > now() as later from server_orders where subscription_id = $1`,
    [subscriptionId],
  )
  return rows[0]
}

test('an attempt of two control planes to make a server counts once, and revives no order that ended meanwhile', async () => {
  const { pool } = lodge.database
  const { id: planId } = await makePlan(SMALL_MB, 100)
  const one = await buyer(planId, waits('template_id = gen_random_uuid()'))
  const isWaited = async (what: string) => {
    const { rows } = await pool.query(
      `select from pg_locks join pg_stat_activity as own using (pid)
       where own.datname = current_database() and not granted and ${what}`,
    )
    return rows.length > 0
  }
  const at = new Date(Date.now() + 61 * MINUTE_MS)
  const [client, ending] = [await pool.connect(), await pool.connect()]
  /** Both try at once; they fail only once the end, if there is one, waits for its turn after them. */
  async function bothTry(end?: () => Promise<unknown>) {
    await client.query('begin')
    await client.query('lock table templates in access exclusive mode')
    const tries = [lodge, beside].map((each) => provisionDue(each.controlPlane.services, at))
    await until(() => isWaited(`relation = 'templates'::regclass`))
    // The other one waits for the row of the customer.
    await until(() => isWaited(`locktype = 'transactionid'`))
    let isOver = false
    const ended = end?.().finally(() => {
      isOver = true
    })
    const isNext = () => isWaited(`relation = 'server_orders'::regclass and mode = 'ExclusiveLock'`)
    if (end) await until(async () => isOver || (await isNext()))
    await client.query('commit')
    await Promise.all([...tries, ended])
  }
  await bothTry()
  expect(await orderOf(one)).toEqual({ state: 'waiting', attempts: 1, later: true })
  await pool.query(
    `update server_orders set attempts = 3, next_at = $2 where subscription_id = $1`,
    [...[one.subscriptionId, at]],
  )
  await bothTry(async () => {
    await ending.query('begin')
    await ending.query('lock table server_orders in exclusive mode')
    await ending.query(
      `update server_orders set state = 'released', next_at = null where subscription_id = $1`,
      [one.subscriptionId],
    )
    await ending.query('commit')
  })
  for (const each of [client, ending]) each.release()
  expect(await orderOf(one)).toEqual({ state: 'released', attempts: 3, later: null })
})

test('a server that fits in no place of a plan’s first location is made in the next one', async () => {
  const there = await lodge.node({ location: 'There' })
  await lodge.keepNodesOnline()
  const size = { memoryMb: SMALL_MB, cpuPercent: 1, diskMb: 64 }
  const { id: planId } = await makePlan(SMALL_MB, 100, {
    preset: { templateIds: [templateId], ...size, locations: ['Here', 'There'] },
  })
  const one = await buyer(planId, waits('attempts = 2'))
  await lodge.database.pool.query('update nodes set headroom_mb = memory_mb where id <> $1', [
    there.id,
  ])
  for (const minutes of [61, 80])
    await provisionDue(lodge.controlPlane.services, new Date(Date.now() + minutes * MINUTE_MS))
  expect(await orderOf(one)).toMatchObject({ state: 'made' })
  const { rows } = await lodge.database.pool.query(
    'select node_id as id from servers where subscription_id = $1',
    [one.subscriptionId],
  )
  expect(rows).toEqual([{ id: there.id }])
})
