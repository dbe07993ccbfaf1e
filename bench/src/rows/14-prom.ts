import { CpuMeter } from '../measure/cpu.ts'
import { median, quantile } from '../measure/rounds.ts'
import { growthExponent } from '../measure/slope.ts'
import type { Finding, Row } from '../row.ts'
import { METRICS_TOKEN } from '../stage/control-plane.ts'
import { insertFleet, insertServers } from '../stage/fleet-rows.ts'
import { Line, requestBytes } from '../stage/http-load.ts'
import { ourSide } from '../stage/sides.ts'

const SIZES = [100, 1000, 10_000]

/** GET /metrics with a series for every server: its cost, and how long it delays other calls. */
export const prom: Row = {
  number: 14,
  name: 'prom.scrape',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const { templateId } = await insertFleet(database.pool, { nodes: 10 })
    const side = await ourSide(bench, database)
    const sizes = bench.long ? [...SIZES, 100_000] : SIZES
    const points: { size: number; cost: number }[] = []
    let idleMs: number[] = []
    let busyMs: number[] = []
    let from = 0
    for (const to of sizes) {
      await insertServers(database.pool, { templateId, from, to })
      from = to
      const page = () =>
        fetch(`${side.plane.origin}/metrics?servers=true`, {
          headers: { authorization: `Bearer ${METRICS_TOKEN}` },
        })
      const app = new CpuMeter(async () => [side.appPid])
      const text = await (await page()).text()
      const expected = text.match(/^lodge_server_up\{/gm)?.length
      if (expected !== to) throw new Error(`${expected} of ${to} servers are on the page`)
      idleMs = await pings(
        side.port,
        async () => new Promise((resolve) => setTimeout(resolve, 300)),
      )
      const rounds: number[] = []
      for (let round = 0; round < 5; round++) {
        await app.start()
        busyMs = await pings(side.port, async () => (await page()).arrayBuffer())
        rounds.push(await app.stop())
      }
      points.push({ size: to, cost: median(rounds) })
    }
    const largest = points.at(-1)
    const findings: Finding[] = [
      {
        what: `other calls while ${largest?.size} servers are scraped: p99 beyond idle`,
        value: quantile(busyMs, 0.99) - quantile(idleMs, 0.5),
        unit: 'ms',
        target: { atMost: 20 },
        peer: 'prom-client holds everything up for 153 ms at 50k series',
      },
      {
        what: 'CPU of the control plane for each server on the page',
        value: (largest?.cost ?? 0) / (largest?.size ?? 1),
        unit: 'us',
      },
      {
        what: 'growth with servers',
        value: growthExponent(points),
        unit: 'slope',
        target: { atMost: 1.05 },
      },
    ]
    return findings
  },
}

/** Latencies of a small call, repeated until the work is done. */
async function pings(port: number, work: () => Promise<unknown>): Promise<number[]> {
  const line = new Line(port)
  const small = requestBytes('GET', '/health', {})
  const times: number[] = []
  let over = false
  const working = work().finally(() => {
    over = true
  })
  while (!over) {
    const started = performance.now()
    await line.ask(small)
    times.push(performance.now() - started)
    await new Promise((resolve) => setImmediate(resolve))
  }
  line.close()
  await working
  return times
}
