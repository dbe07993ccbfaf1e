import { randomUUID } from 'node:crypto'
import { median } from '../measure/rounds.ts'
import type { Finding, Row } from '../row.ts'
import type { Database } from '../stage/database.ts'
import { type FleetRows, insertFleet } from '../stage/fleet-rows.ts'
import { Line, requestBytes } from '../stage/http-load.ts'
import { ourSide } from '../stage/sides.ts'

const LIMIT = 50
const LINES = 24
/** Sizes of a server of the benchmark's template. */
const SIZE = { maxMemoryMb: 64, maxCpuPercent: 10, maxDiskMb: 64 } as const
const KINDS = ['maxServers', ...Object.keys(SIZE), 'runningServers', 'maxExtraPorts'] as const
type Kind = (typeof KINDS)[number]

/** More concurrent creations than a customer may have, on two control planes: exactly the limit succeeds. */
export const limitsRace: Row = {
  number: 6,
  name: 'limits.race',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const rows = await insertFleet(database.pool, { nodes: 50 })
    const env = { LODGE_DATABASE_CONNECTIONS: '10' }
    const first = await ourSide(bench, database, { env })
    const second = await ourSide(bench, database, { env })
    const ports = [first.port, second.port]
    const runs = bench.long ? 20 : 3
    const requested = bench.long ? 1000 : 150
    let over = 0
    let under = 0
    const milliseconds: number[] = []
    for (const kind of KINDS) {
      for (let run = 0; run < runs; run++) {
        const started = performance.now()
        const got = await race(database, rows, ports, kind, requested)
        milliseconds.push((performance.now() - started) / requested)
        over += Math.max(0, got - LIMIT)
        under += Math.max(0, LIMIT - got)
      }
      bench.say(`${kind}: ${runs} runs`)
    }
    const detail = { runs: runs * KINDS.length, 'asked for in each': requested, limit: LIMIT }
    const findings: Finding[] = [
      {
        what: 'taken beyond a limit, all kinds of limit on two control planes',
        value: over,
        unit: '',
        target: { atMost: 0 },
        peer: 'reading and then inserting: 8 to 13 too many',
        detail,
      },
      { what: 'refused although there was room', value: under, unit: '', target: { atMost: 0 } },
      {
        what: 'one of these requests, all of one customer',
        value: median(milliseconds),
        unit: 'ms',
      },
    ]
    return findings
  },
}

/** @returns how many a new customer got whose limit of this kind is `LIMIT` */
async function race(
  database: Database,
  rows: FleetRows,
  ports: readonly number[],
  kind: Kind,
  asked: number,
): Promise<number> {
  const most = LIMIT * (kind in SIZE ? SIZE[kind as keyof typeof SIZE] : 1)
  const quota = kind === 'maxExtraPorts' ? { mayExtraPorts: true, [kind]: most } : { [kind]: most }
  const ownerId = randomUUID()
  await database.pool.query(
    `insert into users (id, email, role, preferences, quota)
     values ($1, $2, 'customer', '{"mode":null}', $3)`,
    [ownerId, `${ownerId}@example.org`, JSON.stringify(quota)],
  )
  const headers = { cookie: rows.adminCookie }
  const create = (name: string) =>
    requestBytes('POST', '/api/servers', headers, { name, ownerId, templateId: rows.templateId })
  let next = (n: number) => create(`raced ${n}`)
  if (kind === 'maxExtraPorts') {
    const servers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => serverOf(ports[n % 2] ?? 0, create(`ports ${n}`))),
    )
    next = (n) =>
      requestBytes('POST', `/api/servers/${servers[n % 10]}/ports`, headers, {
        container: 1000 + n,
        protocol: 'tcp',
      })
  }
  await ask(ports, next, asked)
  const { rows: counted } = await database.pool.query<{ count: number }>(COUNTS[kind] ?? '', [
    ownerId,
  ])
  return counted[0]?.count ?? 0
}

const ALL = 'select count(*)::int as count from servers where owner_id = $1'
const COUNTS: Readonly<Record<Kind, string>> = {
  ...Object.fromEntries(KINDS.map((kind) => [kind, ALL])),
  runningServers: `${ALL} and desired_power = 'on'`,
  maxExtraPorts: `select count(*)::int as count from server_ports p join servers s on s.id = p.server_id
    where s.owner_id = $1 and p."offset" > 0`,
}

async function serverOf(port: number, request: Buffer): Promise<string> {
  const line = new Line(port)
  const { status, body } = await line.ask(request)
  line.close()
  if (status !== 202) throw new Error(`answered ${status}: ${body}`)
  return String(JSON.parse(body.toString()).serverId)
}

/** Sends so many requests at once over all connections; only a limit may refuse. */
async function ask(
  ports: readonly number[],
  next: (n: number) => Buffer,
  count: number,
): Promise<void> {
  let sent = 0
  await Promise.all(
    Array.from({ length: LINES }, async (_, at) => {
      const line = new Line(ports[at % ports.length] ?? 0)
      while (sent < count) {
        const { status, body } = await line.ask(next(sent++))
        if (status > 299 && !(status === 409 && body.includes('limit_exceeded')))
          throw new Error(`answered ${status}: ${body}`)
      }
      line.close()
    }),
  )
}
