import { cpuPerOperation, interleave, median, medianRatio, quantile } from '../measure/rounds.ts'
import type { Finding, Row } from '../row.ts'
import { insertFleet, insertServers } from '../stage/fleet-rows.ts'
import { httpBurst, requestBytes } from '../stage/http-load.ts'
import { limitSide, ourSide } from '../stage/sides.ts'

/** Of ten requests seven show one server, two list fifty and one changes a server. */
export const restMixed: Row = {
  number: 8,
  name: 'rest.mixed',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const rows = await insertFleet(database.pool, { nodes: 100 })
    await insertServers(database.pool, { templateId: rows.templateId, from: 0, to: 10_000 })
    const { rows: servers } = await database.pool.query<{ id: string }>(
      'select id from servers order by random() limit 500',
    )
    const headers = { cookie: rows.adminCookie }
    const list = requestBytes('GET', '/api/servers?limit=50', headers)
    let count = 0
    const mixed = () => {
      const turn = count++ % 10
      const id = servers[(count * 7) % servers.length]?.id ?? ''
      if (turn === 9)
        return requestBytes('PATCH', `/api/servers/${id}`, headers, { name: `renamed ${count}` })
      return turn === 4 || turn === 8 ? list : requestBytes('GET', `/api/servers/${id}`, headers)
    }
    const ours = await ourSide(bench, database)
    const bare = await limitSide(bench, database, 'hello')
    const hello = requestBytes('GET', '/', {})
    const seconds = bench.long ? 1.5 : 0.8
    const sides = {
      hello: () => httpBurst(bare, () => hello, { connections: 16, seconds }),
      ours: () => httpBurst(ours, mixed, { connections: 16, seconds }),
      half: () => httpBurst(ours, mixed, { connections: 2, seconds }),
    }
    await interleave(2, sides)
    const bursts = await interleave(bench.long ? 9 : 5, sides)
    const findings: Finding[] = [
      {
        what: "fastify hello's CPU / ours, database included",
        value: 1 / medianRatio(bursts.ours, bursts.hello, cpuPerOperation),
        unit: 'x',
        peer: 'MCSManager 984/s for its list of ten',
        detail: {
          'us app': median(bursts.ours.map((burst) => burst.appMicros / burst.operations)),
          'us database': median(
            bursts.ours.map((burst) => burst.databaseMicros / burst.operations),
          ),
          'hello us': median(bursts.hello.map(cpuPerOperation)),
        },
      },
      {
        what: "requests a second / hello's",
        value: medianRatio(bursts.ours, bursts.hello, (burst) => burst.operations / burst.seconds),
        unit: 'x',
        target: { atLeast: 0.1 },
      },
      {
        what: 'p99 with two lines busy',
        value: quantile(
          bursts.half.flatMap((burst) => burst.latenciesMs),
          0.99,
        ),
        unit: 'ms',
        target: { atMost: 50 },
      },
    ]
    return findings
  },
}
