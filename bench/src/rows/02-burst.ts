import { median } from '../measure/rounds.ts'
import type { Finding, Row } from '../row.ts'
import { startDockerNode } from '../stage/docker-node.fixture.ts'
import { insertFleet } from '../stage/fleet-rows.ts'
import { openLiveView } from '../stage/live-view.ts'
import { ourSide } from '../stage/sides.ts'

const COUNT = 24
const AT_ONCE = 8

/** Many creations on one node until all run, compared with the bare engine at its best concurrency. */
export const burst: Row = {
  number: 2,
  name: 'provision.burst',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const rows = await insertFleet(database.pool, { nodes: 1 })
    const side = await ourSide(bench, database)
    const { ask } = await startDockerNode(bench, database, side)
    const { origin } = side.plane
    const view = bench.ending.add(await openLiveView(origin, rows.adminCookie), (one) =>
      one.close(),
    )
    const headers = { cookie: rows.adminCookie, origin, 'content-type': 'application/json' }
    const create = async (name: string) => {
      const body = { name, ownerId: rows.customer.id, templateId: rows.templateId }
      const answer = await fetch(`${origin}/api/servers`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`answered ${answer.status}: ${await answer.text()}`)
      const { serverId } = (await answer.json()) as { serverId: string }
      await view.shows(serverId, 'running')
    }
    await create('first')
    bench.say('engine and agent are up')
    const [first] = JSON.parse(await ask('GET', '/containers/json')) as { Id: string }[]
    const { Config, HostConfig } = JSON.parse(await ask('GET', `/containers/${first?.Id}/json`))
    let hostPort = 61_000
    const bare = async () => {
      const ports = Object.keys(HostConfig.PortBindings ?? {})
      const bindings = ports.map((port) => [port, [{ HostPort: String(hostPort++) }]])
      const { Id } = JSON.parse(
        await ask('POST', '/containers/create', {
          ...Config,
          Labels: {},
          Hostname: '',
          HostConfig: { ...HostConfig, PortBindings: Object.fromEntries(bindings) },
        }),
      )
      await ask('POST', `/containers/${Id}/start`)
      made.push(Id)
    }
    const made: string[] = []
    const raw = new Map<number, number>()
    // A bridge has a limited number of ports, like the servers' own; each round frees them again.
    for (const workers of [1, 2, 4, 8]) {
      raw.set(workers, await perSecond(8, workers, bare))
      for (const id of made.splice(0)) await ask('DELETE', `/containers/${id}?force=true`)
    }
    const latencies: number[] = []
    const idle = await latency(side.plane.origin, rows.adminCookie, 40)
    let over = false
    const watching = (async () => {
      while (!over) latencies.push(...(await latency(origin, rows.adminCookie, 5)))
    })()
    const ours = await perSecond(COUNT, AT_ONCE, () => create('one of a burst'))
    over = true
    await watching
    const best = Math.max(...raw.values())
    const findings: Finding[] = [
      {
        what: `${COUNT} creations at ${AT_ONCE} at once until all run: a second / bare Docker's best`,
        value: ours / best,
        unit: 'x',
        target: { atLeast: 0.9 },
        detail: {
          '/s': ours,
          ...Object.fromEntries([...raw].map(([hands, rate]) => [`bare /s at ${hands}`, rate])),
        },
      },
      {
        what: 'other calls meanwhile, median / idle',
        value: median(latencies) / median(idle),
        unit: 'x',
        target: { atMost: 3 },
        detail: { ms: median(latencies), 'idle ms': median(idle) },
      },
    ]
    return findings
  },
}

/** Completed operations per second, of `count` with `hands` workers. */
async function perSecond(count: number, hands: number, work: () => Promise<unknown>) {
  const started = performance.now()
  let left = count
  await Promise.all(
    Array.from({ length: hands }, async () => {
      while (left-- > 0) await work()
    }),
  )
  return count / ((performance.now() - started) / 1000)
}

async function latency(origin: string, cookie: string, times: number): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < times; n++) {
    const started = performance.now()
    const answer = await fetch(`${origin}/api/servers?limit=1`, { headers: { cookie } })
    await answer.text()
    taken.push(performance.now() - started)
  }
  return taken
}
