import { once } from 'node:events'
import net from 'node:net'
import { CpuMeter } from '../measure/cpu.ts'
import { median, quantile } from '../measure/rounds.ts'
import type { Bench, Finding, Row } from '../row.ts'
import { insertFleet, insertServers, insertSession } from '../stage/fleet-rows.ts'
import { ourSide } from '../stage/sides.ts'

const INSTANCES = 2
const STREAMS = 2000
/** The limit of open streams per browser. */
const STREAMS_EACH = 20
const CHANGES = 20

/** A change of one server, from its commit until it is written to every open panel of two instances. */
export const events: Row = {
  number: 23,
  name: 'events',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const { templateId } = await insertFleet(database.pool, { nodes: 1 })
    await insertServers(database.pool, { templateId, from: 0, to: 10 })
    const { rows } = await database.pool.query<{ id: string }>('select id from servers limit 1')
    const id = rows[0]?.id ?? ''
    const sides = [await ourSide(bench, database), await ourSide(bench, database)]
    const panels = await openPanels(
      bench,
      sides.map(({ port }) => port),
      () => insertSession(database.pool, 'admin@example.org'),
    )
    const change = () =>
      database.pool.query(
        `with changed as (update servers set revision = revision + 1 where id = $1)
         select pg_notify('lodge_live', $2)`,
        [id, JSON.stringify({ kind: 'server', id })],
      )
    await panels.hear(change)
    const app = new CpuMeter(async () => sides.map(({ appPid }) => appPid))
    await app.start()
    const latencies: number[] = []
    const worst: number[] = []
    for (let round = 0; round < CHANGES; round++) {
      const times = await panels.hear(change)
      latencies.push(...times)
      worst.push(Math.max(...times))
    }
    const micros = await app.stop()
    const findings: Finding[] = [
      {
        what: `a change until ${STREAMS} panels on ${INSTANCES} instances have it: p99`,
        value: quantile(latencies, 0.99),
        unit: 'ms',
        target: { atMost: 250 },
        detail: { 'p50 ms': median(latencies), 'last ms': median(worst) },
      },
      {
        what: 'CPU of the control planes for each event and panel',
        value: micros / latencies.length,
        unit: 'us',
        target: { atMost: 15 },
        peer: 'bare WebSockets 7.4 us',
      },
    ]
    return findings
  },
}

/** Event streams like those of browsers, at the lowest cost possible here. */
async function openPanels(
  bench: Bench,
  ports: readonly number[],
  session: () => Promise<{ cookie: string }>,
) {
  const sockets: net.Socket[] = []
  let onReceived: () => void = () => undefined
  bench.ending.add(sockets, async (all) => {
    for (const socket of all) socket.destroy()
  })
  let cookie = ''
  for (let at = 0; at < STREAMS; at++) {
    if (at % STREAMS_EACH === 0) ({ cookie } = await session())
    const socket = net.connect({ host: '127.0.0.1', port: ports[at % ports.length] ?? 0 })
    socket.on('error', () => undefined)
    socket.write(`GET /api/events HTTP/1.1\r\nhost: bench\r\ncookie: ${cookie}\r\n\r\n`)
    const [first] = await once(socket, 'data')
    if (!String(first).startsWith('HTTP/1.1 200')) throw new Error(`a panel was told ${first}`)
    socket.on('data', (chunk: Buffer) => {
      if (chunk.includes('event: server')) onReceived()
    })
    sockets.push(socket)
  }
  return {
    /** @returns how long each panel waited, in milliseconds */
    hear(change: () => Promise<unknown>): Promise<number[]> {
      return new Promise((resolve, reject) => {
        const started = performance.now()
        const times: number[] = []
        onReceived = () => {
          times.push(performance.now() - started)
          if (times.length === STREAMS) resolve(times)
        }
        change().catch(reject)
      })
    },
  }
}
