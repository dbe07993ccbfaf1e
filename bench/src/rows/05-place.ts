import { cpuPerOperation, interleave, median, medianRatio, perSecond } from '../measure/rounds.ts'
import { growthExponent } from '../measure/slope.ts'
import type { Bench, Finding, Row } from '../row.ts'
import type { Database } from '../stage/database.ts'
import { type FleetRows, insertFleet } from '../stage/fleet-rows.ts'
import { type HttpSide, httpBurst, Line, requestBytes } from '../stage/http-load.ts'
import { limitSide, ourSide } from '../stage/sides.ts'

const SIZES = [100, 1000, 5000, 20_000]
const RATIO_AT = 1000
const CONNECTIONS = 24
const MEMORY_MB = 64

/**
 * POST /api/servers up to the accepted job: limits, reservation, port, desired state, job, in one
 * transaction.
 */
export const place: Row = {
  number: 5,
  name: 'place',
  async run(bench) {
    // First and alone: every control plane needs connections to the one database server.
    const exactness = await oversold(bench)
    const sides = new Map<number, () => ReturnType<typeof httpBurst>>()
    for (const size of SIZES) {
      const { database, rows } = await fleet(bench, size)
      const side = await ourSide(bench, database)
      sides.set(size, placements(bench, side, rows, await customers(database)))
      if (size !== RATIO_AT) continue
      const raw = await limitSide(bench, database, 'raw-place')
      sides.set(0, placements(bench, raw, rows, await customers(database)))
    }
    const run = Object.fromEntries([...sides].map(([size, burst]) => [String(size), burst]))
    await interleave(2, run)
    const bursts = await interleave(bench.long ? 9 : 5, run)
    const of = (size: number) => bursts[String(size)] ?? []
    const points = SIZES.map((size) => ({ size, cost: median(of(size).map(cpuPerOperation)) }))
    return [
      {
        what: `at ${RATIO_AT} nodes: limit's CPU / ours`,
        value: 1 / medianRatio(of(RATIO_AT), of(0), cpuPerOperation),
        unit: 'x',
        target: { atLeast: 0.7 },
        detail: {
          'us app': median(of(RATIO_AT).map((burst) => burst.appMicros / burst.operations)),
          'us database': median(
            of(RATIO_AT).map((burst) => burst.databaseMicros / burst.operations),
          ),
          'raw us': median(of(0).map(cpuPerOperation)),
        },
      },
      {
        what: 'placements, this machine',
        value: median(of(RATIO_AT).map(perSecond)),
        unit: '/s',
        target: { atLeast: 3000 },
        peer: 'Nomad 1,500-3,750/s on 3-5 servers (published); Kubernetes about 100/s',
        detail: { 'raw /s': median(of(0).map(perSecond)) },
      },
      {
        what: 'growth with nodes',
        value: growthExponent(points),
        unit: 'slope',
        target: { atMost: 0.1 },
        detail: Object.fromEntries(points.map(({ size, cost }) => [`us at ${size}`, cost])),
      },
      exactness,
    ]
  },
}

async function fleet(bench: Bench, nodes: number, memoryMb?: number) {
  const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
  return {
    database,
    rows: await insertFleet(database.pool, { nodes, ...(memoryMb && { memoryMb }) }),
  }
}

async function customers({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(`select id from users where role = 'customer'`)
  return rows.map((row) => row.id)
}

function requests(rows: FleetRows, owners: readonly string[]): () => Buffer {
  let count = 0
  return () => {
    const ownerId = owners[count++ % owners.length]
    const body = { name: `placed ${count}`, ownerId, templateId: rows.templateId }
    return requestBytes('POST', '/api/servers', { cookie: rows.adminCookie }, body)
  }
}

function placements(bench: Bench, side: HttpSide, rows: FleetRows, owners: readonly string[]) {
  const next = requests(rows, owners)
  const given = { connections: CONNECTIONS, seconds: bench.long ? 1 : 0.7 }
  return () => httpBurst(side, next, given)
}

/** More concurrent requests than there is capacity: how much a node was oversold. */
async function oversold(bench: Bench): Promise<Finding> {
  const [nodes, each] = [20, 10]
  const { database, rows } = await fleet(bench, nodes, each * MEMORY_MB)
  const side = await ourSide(bench, database)
  const next = requests(rows, await customers(database))
  const lines = Array.from({ length: CONNECTIONS }, () => new Line(side.port))
  const statuses = await Promise.all(
    lines.map(async (line) => {
      const seen: number[] = []
      for (let n = 0; n < (2 * nodes * each) / CONNECTIONS; n++) {
        seen.push((await line.ask(next())).status)
      }
      line.close()
      return seen
    }),
  )
  await side.plane.stop()
  const accepted = statuses.flat().filter((status) => status === 202).length
  const { rows: sums } = await database.pool.query<{ over: number; wrong: number }>(`
    select coalesce(sum(greatest(0, taken - memory_mb)), 0)::int as over,
      count(*) filter (where taken <> allocated_memory_mb)::int as wrong
    from (select n.memory_mb, n.allocated_memory_mb, coalesce(sum(s.memory_mb), 0) as taken
      from nodes n left join servers s on s.node_id = n.id group by n.id) of`)
  const over = sums[0] ?? { over: Number.NaN, wrong: Number.NaN }
  const refused = statuses.flat().filter((status) => status === 409).length
  if (accepted !== nodes * each || accepted + refused !== statuses.flat().length) {
    throw new Error(`${accepted} of ${nodes * each} places were given, ${refused} refused`)
  }
  return {
    what: 'MiB oversold when twice too many are asked for at once',
    value: over.over + over.wrong,
    unit: '',
    target: { atMost: 0 },
    detail: { 'room for': nodes * each, accepted, refused: statuses.flat().length - accepted },
  }
}
