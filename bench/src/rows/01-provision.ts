import { setTimeout as rest } from 'node:timers/promises'
import { interleave, median, medianRatio, quantile, timed } from '../measure/rounds.ts'
import type { Finding, Row } from '../row.ts'
import { startDockerNode } from '../stage/docker-node.fixture.ts'
import { insertFleet } from '../stage/fleet-rows.ts'
import { openLiveView } from '../stage/live-view.ts'
import { ourSide } from '../stage/sides.ts'

const REST_MS = 3_000

/** POST /api/servers until an open panel shows `running`; then power, compared with the bare engine. */
export const provision: Row = {
  number: 1,
  name: 'provision.container and power',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const rows = await insertFleet(database.pool, { nodes: 1 })
    const side = await ourSide(bench, database)
    const { ask } = await startDockerNode(bench, database, side)
    bench.say('engine and agent are up')
    const { origin } = side.plane
    const view = bench.ending.add(await openLiveView(origin, rows.adminCookie), (one) =>
      one.close(),
    )
    const headers = { cookie: rows.adminCookie, origin, 'content-type': 'application/json' }
    const post = async (where: string, body: object) => {
      const answer = await fetch(`${origin}${where}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${where} answered ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as { serverId: string }
    }
    const made: string[] = []
    const provisioned = () =>
      timed(async () => {
        const { serverId } = await post('/api/servers', {
          name: `bench ${made.length}`,
          ownerId: rows.customer.id,
          templateId: rows.templateId,
        })
        made.push(serverId)
        await view.shows(serverId, 'running')
      })
    await provisioned()
    const [first] = JSON.parse(await ask('GET', '/containers/json')) as { Id: string }[]
    const { Config, HostConfig } = JSON.parse(await ask('GET', `/containers/${first?.Id}/json`))
    let hostPort = 61_000
    let raw = ''
    const bare = async () => {
      // The bridge has room for only a few.
      if (raw !== '') await ask('DELETE', `/containers/${raw}?force=true`)
      return timed(async () => {
        const ports = Object.keys(HostConfig.PortBindings ?? {})
        const bindings = ports.map((port) => [port, [{ HostPort: String(hostPort++) }]])
        const body = {
          ...Config,
          Labels: {},
          Hostname: '',
          HostConfig: { ...HostConfig, PortBindings: Object.fromEntries(bindings) },
        }
        raw = JSON.parse(await ask('POST', '/containers/create', body)).Id
        await ask('POST', `/containers/${raw}/start`)
      })
    }
    // An idle agent prepares networks and disks for future servers; neither side is measured
    // meanwhile.
    const afterRest = (work: () => Promise<number>) => async () => {
      await rest(REST_MS)
      return work()
    }
    const times = await interleave(bench.long ? 15 : 7, {
      bare: afterRest(bare),
      ours: afterRest(provisioned),
    })
    const hurried = await interleave(bench.long ? 15 : 7, { bare, ours: provisioned })
    const same = (milliseconds: number) => milliseconds
    const findings: Finding[] = [
      {
        what: 'creation accepted until a panel shows it running / bare Docker create and start',
        value: medianRatio(times.ours, times.bare, same),
        unit: 'x',
        target: { atMost: 1.1 },
        peer: 'LXD 1.1x, Swarm 3.7x, MCSManager 9.65x',
        detail: { ms: median(times.ours), 'bare ms': median(times.bare) },
      },
      {
        what: 'the same, p95 / p50 of bare',
        value: quantile(times.ours, 0.95) / median(times.bare),
        unit: 'x',
        target: { atMost: 1.25 },
      },
      {
        what: 'the same without a rest, so that nothing is made in advance',
        value: medianRatio(hurried.ours, hurried.bare, same),
        unit: 'x',
        detail: { ms: median(hurried.ours), 'bare ms': median(hurried.bare) },
      },
    ]
    const server = made.at(-1) ?? ''
    const act = (action: string, status: 'stopped' | 'running') => () =>
      timed(async () => {
        await post(`/api/servers/${server}/actions`, { action })
        await view.shows(server, status)
      })
    const power = { kill: [] as number[], start: [] as number[] }
    const limit = { kill: [] as number[], start: [] as number[] }
    for (let round = 0; round < (bench.long ? 15 : 5); round++) {
      limit.kill.push(
        await timed(async () => {
          const gone = ask('POST', `/containers/${raw}/wait`)
          await ask('POST', `/containers/${raw}/kill`)
          await gone
        }),
      )
      power.kill.push(await act('kill', 'stopped')())
      limit.start.push(await timed(() => ask('POST', `/containers/${raw}/start`)))
      power.start.push(await act('start', 'running')())
    }
    for (const [name, most, peer] of [
      ['start', 1.1, 'MCSManager 2.4 s, LXD 174 ms'],
      ['kill', 1.15, 'MCSManager 3.8 s, LXD 706 ms'],
    ] as const) {
      findings.push({
        what: `${name} until a panel shows it / bare Docker ${name}`,
        value: medianRatio(power[name], limit[name], same),
        unit: 'x',
        target: { atMost: most },
        peer,
        detail: { ms: median(power[name]), 'bare ms': median(limit[name]) },
      })
    }
    return findings
  },
}
