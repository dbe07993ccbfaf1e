import { cpuPerOperation, interleave, median, medianRatio, quantile } from '../measure/rounds.ts'
import { growthExponent } from '../measure/slope.ts'
import type { Bench, Finding, Row } from '../row.ts'
import type { Database } from '../stage/database.ts'
import { type FleetRows, insertFleet, insertServers } from '../stage/fleet-rows.ts'
import { type HttpSide, httpBurst, requestBytes } from '../stage/http-load.ts'
import { limitSide, ourSide } from '../stage/sides.ts'

const RATIO_AT = 10_000
const PAGE = 50
/** The smallest fleet has ten servers: with this page size every fleet returns equally many. */
const GROWTH_PAGE = 10

interface Fleet {
  readonly size: number
  readonly database: Database
  readonly rows: FleetRows
}

/** GET /api/servers for an administrator and for a customer, compared with bare fastify and pg. */
export const restList: Row = {
  number: 7,
  name: 'rest.list',
  async run(bench) {
    const sizes = [10, 1000, RATIO_AT, 100_000, ...(bench.long ? [1_000_000] : [])]
    const fleets = await Promise.all(sizes.map((size) => makeFleet(bench, size)))
    const at = fleets.find((fleet) => fleet.size === RATIO_AT) as Fleet
    const sides = new Map<number, HttpSide>()
    for (const { size, database } of fleets) sides.set(size, await ourSide(bench, database))
    const ours = sides.get(RATIO_AT) as HttpSide
    const raw = await limitSide(bench, at.database, 'raw-list')

    const ask = (cookie: string, limit: number) => {
      const bytes = requestBytes('GET', `/api/servers?limit=${limit}`, { cookie })
      return () => bytes
    }
    const load = (side: HttpSide, cookie: string, limit: number) => () =>
      httpBurst(side, ask(cookie, limit), { connections: 16, seconds: bench.long ? 1 : 0.7 })

    const { adminCookie, customer } = at.rows
    const figures: Finding[] = []
    for (const [who, cookie] of [
      ['an administrator', adminCookie],
      ['a customer', customer.cookie],
    ] as const) {
      const pair = { raw: load(raw, cookie, PAGE), ours: load(ours, cookie, PAGE) }
      await interleave(3, pair)
      const bursts = await interleave(bench.long ? 9 : 5, pair)
      figures.push(...compared(who, bursts))
    }

    for (const [who, cookieOf] of [
      ['an administrator', (fleet: Fleet) => fleet.rows.adminCookie],
      ['a customer', (fleet: Fleet) => fleet.rows.customer.cookie],
    ] as const) {
      const bySize = Object.fromEntries(
        fleets.map((fleet) => [
          String(fleet.size),
          load(sides.get(fleet.size) as HttpSide, cookieOf(fleet), GROWTH_PAGE),
        ]),
      )
      await interleave(3, bySize)
      const bursts = await interleave(bench.long ? 9 : 5, bySize)
      const points = fleets.map(({ size }) => ({
        size,
        cost: median((bursts[String(size)] ?? []).map(cpuPerOperation)),
      }))
      figures.push({
        what: `growth with servers, ${who}`,
        value: growthExponent(points),
        unit: 'slope',
        target: { atMost: 0.03 },
        peer: 'LXD lists all: slope 1',
        detail: Object.fromEntries(points.map(({ size, cost }) => [`us at ${size}`, cost])),
      })
    }
    return figures
  },
}

function compared(
  who: string,
  bursts: Record<'raw' | 'ours', Awaited<ReturnType<typeof httpBurst>>[]>,
): Finding[] {
  const app = median(bursts.ours.map((burst) => burst.appMicros / burst.operations))
  const database = median(bursts.ours.map((burst) => burst.databaseMicros / burst.operations))
  const latencies = bursts.ours.flatMap((burst) => burst.latenciesMs)
  const limits = bursts.raw.flatMap((burst) => burst.latenciesMs)
  return [
    {
      what: `page of ${PAGE} for ${who}: limit's CPU / ours`,
      value: 1 / medianRatio(bursts.ours, bursts.raw, cpuPerOperation),
      unit: 'x',
      target: { atLeast: 0.85 },
      peer: 'MCSManager page of 50: 371-621/s at 16 lines',
      detail: {
        'us app': app,
        'us database': database,
        'raw us': median(bursts.raw.map(cpuPerOperation)),
      },
    },
    {
      what: `p99 / p50 of the same`,
      value: quantile(latencies, 0.99) / quantile(latencies, 0.5),
      unit: 'x',
      target: { atMost: 3 },
      detail: {
        'p50 ms': quantile(latencies, 0.5),
        'p99 ms': quantile(latencies, 0.99),
        "limit's": quantile(limits, 0.99) / quantile(limits, 0.5),
      },
    },
  ]
}

async function makeFleet(bench: Bench, size: number): Promise<Fleet> {
  const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
  const nodes = Math.max(1, Math.ceil(size / 100))
  const rows = await insertFleet(database.pool, { nodes })
  await insertServers(database.pool, { templateId: rows.templateId, from: 0, to: size })
  bench.say(`${size} servers on ${nodes} nodes`)
  return { size, database, rows }
}
