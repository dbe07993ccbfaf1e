import { setTimeout as pause } from 'node:timers/promises'
import { CpuMeter } from '../measure/cpu.ts'
import {
  cpuPerOperation,
  interleave,
  median,
  medianRatio,
  perSecond,
  quantile,
} from '../measure/rounds.ts'
import type { Bench, Finding, Row } from '../row.ts'
import type { Database } from '../stage/database.ts'
import { insertFleet } from '../stage/fleet-rows.ts'
import { type HttpSide, httpBurst, requestBytes } from '../stage/http-load.ts'
import { insertShop, insertSubscriptions, type ShopRows } from '../stage/shop-rows.ts'
import { limitSide, ourSide } from '../stage/sides.ts'

const CONNECTIONS = 16
const NODES = 100
const CUSTOMERS = 2000
/** Looked at in the measured time. */
const LOOKS = 500
const LOOK_EVERY_MS = 100
const DAY_SECONDS = 86_400

/**
 * Buying a server plan, with stock, a place on a node and a gapless invoice in one transaction; and
 * the daily look at every subscription, which invoices, reminds and suspends.
 */
export const billing: Row = {
  number: 33,
  name: 'billing',
  seconds: 1_800,
  run: async (bench) => [...(await checkouts(bench)), ...(await dunning(bench))],
}

async function checkouts(bench: Bench): Promise<Finding[]> {
  const sides = await Promise.all([shop(bench), shop(bench)])
  const [own, bare] = sides.map(({ database }) => database) as [Database, Database]
  const buying = (side: HttpSide, { rows, templateId }: (typeof sides)[number]) => {
    const next = purchases(rows, templateId)
    const given = { connections: CONNECTIONS, seconds: bench.long ? 2 : 0.7 }
    return () => httpBurst(side, next, given)
  }
  const run = {
    ours: buying(await ourSide(bench, own), sides[0]),
    bare: buying(await limitSide(bench, bare, 'raw-checkout'), sides[1]),
  }
  await interleave(2, run)
  const { ours, bare: limit } = await interleave(bench.long ? 9 : 5, run)
  return [
    {
      what: "checkout with a place, stock and invoice: bare transaction's CPU / ours",
      value: 1 / medianRatio(ours, limit, cpuPerOperation),
      unit: 'x',
      detail: {
        us: median(ours.map(cpuPerOperation)),
        'raw us': median(limit.map(cpuPerOperation)),
      },
    },
    {
      what: 'checkouts, this machine',
      value: median(ours.map(perSecond)),
      unit: '/s',
      detail: {
        'raw /s': median(limit.map(perSecond)),
        'p95 ms': quantile(
          ours.flatMap(({ latenciesMs }) => latenciesMs),
          0.95,
        ),
      },
    },
    { ...(await oversold(own)), unit: '', target: { atMost: 0 } },
  ]
}

async function shop(bench: Bench) {
  const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
  const { templateId } = await insertFleet(database.pool, { nodes: NODES })
  const rows = await insertShop(database.pool, { templateId, customers: CUSTOMERS })
  return { database, templateId, rows }
}

function purchases({ planIds, cookies }: ShopRows, templateId: string): () => Buffer {
  let count = 0
  return () => {
    const at = count++
    const body = {
      planId: planIds[at % planIds.length],
      cycle: 'monthly',
      server: { name: `bought ${at}`, templateId },
    }
    const cookie = cookies[at % cookies.length] ?? ''
    return requestBytes('POST', '/api/store/checkout', { cookie }, body)
  }
}

/** Nodes whose taken memory is not that of their orders, and invoice numbers that are missing. */
async function oversold({ pool }: Database) {
  const { rows } = await pool.query<{ wrong: number; missing: number }>(`
    select (select count(*)::int from nodes n where allocated_memory_mb <> coalesce(
        (select sum((preset->>'memoryMb')::int) from server_orders where node_id = n.id), 0)) as wrong,
      (select next - 1 from invoice_series) - (select count(*)::int from invoices) as missing`)
  const { wrong, missing } = rows[0] ?? { wrong: Number.NaN, missing: Number.NaN }
  return {
    what: 'nodes oversold, and invoice numbers missing afterwards',
    value: wrong + missing,
  }
}

/** The CPU of one look at a subscription, among few and many others. */
async function dunning(bench: Bench): Promise<Finding[]> {
  const sizes = bench.long ? [1_000, 10_000, 100_000] : [1_000, 100_000]
  const costs = new Map<number, number>()
  for (const size of sizes) costs.set(size, await lookMicros(bench, size))
  const [least = 0, most = 0] = [costs.get(sizes[0] ?? 0), costs.get(sizes.at(-1) ?? 0)]
  return [
    {
      what: 'daily look at 100,000 subscriptions: of a core, all day',
      value: (most * 100_000) / (DAY_SECONDS * 1e6) / 0.01,
      unit: '%',
      detail: Object.fromEntries([...costs].map(([size, micros]) => [`us at ${size}`, micros])),
    },
    {
      what: 'one look among 100,000 / among 1,000',
      value: most / least,
      unit: 'x',
      target: { atMost: 1.5 },
    },
  ]
}

async function lookMicros(bench: Bench, size: number): Promise<number> {
  const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
  await insertFleet(database.pool, { nodes: 1 })
  await insertSubscriptions(database.pool, size)
  const side = await ourSide(bench, database)
  const meters = [new CpuMeter(async () => [side.appPid]), new CpuMeter(side.backends)]
  const used = async (work: () => Promise<unknown>) => {
    for (const meter of meters) await meter.start()
    const began = performance.now()
    await work()
    const ms = performance.now() - began
    let micros = 0
    for (const meter of meters) micros += await meter.stop()
    return { micros, ms }
  }
  const looks = async () => {
    await database.pool.query(
      `update subscriptions set next_at = now() where id in
         (select id from subscriptions where next_at > now() order by hashtextextended(id::text, 0) limit $1)`,
      [LOOKS],
    )
    return used(() => untilNoneIsDue(database))
  }
  // The first ones compile the code and fill the caches.
  await looks()
  const work = await looks()
  // What it does anyway meanwhile.
  const idle = await used(() => pause(work.ms))
  await side.plane.stop()
  return Math.max(0, work.micros - idle.micros) / LOOKS
}

async function untilNoneIsDue({ pool }: Database): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('select from subscriptions where next_at <= now() limit 1')
    if (rows.length === 0) return
    await pause(LOOK_EVERY_MS)
  }
}
