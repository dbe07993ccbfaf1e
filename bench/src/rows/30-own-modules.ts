import path from 'node:path'
import { seedsOf, startAgents } from '../fleet/agents-process.ts'
import { CpuMeter } from '../measure/cpu.ts'
import { type Burst, cpuPerOperation, interleave, quantile } from '../measure/rounds.ts'
import type { Bench, Finding, Row } from '../row.ts'
import type { Database } from '../stage/database.ts'
import { type FleetRows, insertFleet, insertServers } from '../stage/fleet-rows.ts'
import { httpBurst, requestBytes } from '../stage/http-load.ts'
import { repository } from '../stage/program.ts'
import { driverSide, ourSide } from '../stage/sides.ts'
import { connectedFleet, oneRound } from './10-agents.ts'

/**
 * What each module that does what a library could do is worth: the same control plane with the
 * plain way in its place (bench/src/plain), in alternation. Decision record 0007 has the results. LODGE_BENCH_ONLY names some of them, separated by
 * spaces.
 */
const plains: Readonly<Record<string, readonly Workload[]>> = {
  /** The same on both sides: what the others' distance from 1 is worth. */
  control: ['list', 'mixed', 'place'],
  'lodge-client': ['list', 'mixed', 'place'],
  'named-statements': ['list', 'mixed', 'place'],
  prepared: ['list', 'mixed', 'place'],
  'named-statements,prepared': ['list', 'mixed', 'place'],
  'deferred-insert': ['place'],
  timestamps: ['list', 'mixed'],
  'lookups-one-by-one': ['list', 'mixed'],
  'messages-by-dataloader': ['beats', 'returns'],
  'messages-one-by-one': ['beats', 'returns'],
}
type Workload = 'list' | 'mixed' | 'place' | 'beats' | 'returns'

const SERVERS = 10_000
const AGENTS = 300
const SECONDS = 0.15

export const ownModules: Row = {
  number: 30,
  name: 'own modules',
  onDemand: true,
  seconds: 3600,
  async run(bench) {
    const only = process.env.LODGE_BENCH_ONLY?.split(' ')
    const chosen = Object.entries(plains).filter(([name]) => !only || only.includes(name))
    const figures = !only || only.includes('drivers') ? await drivers(bench) : []
    for (const [name, workloads] of chosen) {
      const requests = workloads.filter((one) => one !== 'beats' && one !== 'returns')
      if (requests.length > 0) {
        // Both new: one that has placed servers before has more rows and warmer code.
        const ours = await requestsSide(bench, undefined)
        const plain = await requestsSide(bench, name)
        for (const workload of requests)
          figures.push(
            await compared(bench, `${name}, ${workload}`, ours[workload], plain[workload]),
          )
        for (const { side } of [ours, plain]) await side.plane.stop()
      }
      if (workloads.includes('returns')) figures.push(...(await agents(bench, name)))
    }
    return figures
  },
}

/** Its plain ways; none for the control plane as it is. */
const given = (plain: string | undefined) =>
  plain === undefined || plain === 'control'
    ? {}
    : {
        nodeArgs: ['--import', path.join(repository, 'bench/src/plain/use.ts')],
        env: { LODGE_BENCH_PLAIN: plain },
      }

async function requestsSide(bench: Bench, plain: string | undefined) {
  const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
  const rows = await insertFleet(database.pool, { nodes: 1_000 })
  await insertServers(database.pool, { templateId: rows.templateId, from: 0, to: SERVERS })
  const side = await ourSide(bench, database, given(plain))
  const next = await requestsOf(database, rows)
  const load = (one: () => Buffer, connections: number) => () =>
    httpBurst(side, one, { connections, seconds: SECONDS })
  return {
    side,
    list: load(next.list, 16),
    mixed: load(next.mixed, 16),
    place: load(next.place, 24),
  }
}

/** As rows 7, 8 and 5 ask. */
async function requestsOf({ pool }: Database, rows: FleetRows) {
  const headers = { cookie: rows.adminCookie }
  const { rows: servers } = await pool.query<{ id: string }>(
    'select id from servers order by random() limit 500',
  )
  const { rows: owners } = await pool.query<{ id: string }>(
    `select id from users where role = 'customer'`,
  )
  const list = requestBytes('GET', '/api/servers?limit=50', headers)
  let count = 0
  const one = (at: number) => `/api/servers/${servers[(at * 7) % servers.length]?.id}`
  return {
    list: () => list,
    mixed() {
      const turn = count++ % 10
      if (turn === 9)
        return requestBytes('PATCH', one(count), headers, { name: `renamed ${count}` })
      return turn === 4 || turn === 8 ? list : requestBytes('GET', one(count), headers)
    },
    place() {
      const ownerId = owners[count++ % owners.length]?.id
      const body = { name: `placed ${count}`, ownerId, templateId: rows.templateId }
      return requestBytes('POST', '/api/servers', headers, body)
    },
  }
}

/** LodgeClient beside pg alone and postgres.js, without the rest of the control plane. */
async function drivers(bench: Bench): Promise<Finding[]> {
  const figures: Finding[] = []
  const side = async (driver: string) => {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const rows = await insertFleet(database.pool, { nodes: 1 })
    const http = await driverSide(bench, database, driver)
    const { rows: owners } = await database.pool.query<{ id: string }>(
      `select id from users where role = 'customer'`,
    )
    let count = 0
    const next = () => {
      const ownerId = owners[count++ % owners.length]?.id
      return requestBytes('POST', '/', {}, { ownerId, templateId: rows.templateId })
    }
    return () => httpBurst(http, next, { connections: 16, seconds: SECONDS })
  }
  const ours = await side('lodge')
  for (const driver of ['pg', 'postgres.js'])
    figures.push(await compared(bench, `a transaction, ${driver}`, ours, await side(driver)))
  return figures
}

async function compared(
  bench: Bench,
  what: string,
  ours: () => Promise<Burst>,
  plain: () => Promise<Burst>,
): Promise<Finding> {
  await interleave(3, { ours, plain })
  const bursts = await interleave(bench.long ? 101 : 21, { ours, plain })
  const finding = figureOf(
    what,
    bursts.ours.map(cpuPerOperation),
    bursts.plain.map(cpuPerOperation),
  )
  bench.say(`${what}: ${JSON.stringify(finding.value)} ${JSON.stringify(finding.detail)}`)
  return finding
}

/** CPU of the plain way divided by ours, process and database together. */
function figureOf(what: string, ours: readonly number[], plain: readonly number[]): Finding {
  const ratios = ours.map((own, round) => (plain[round] ?? Number.NaN) / own)
  return {
    what: `${what}: plain way's CPU / ours`,
    value: quantile(ratios, 0.5),
    unit: 'x',
    detail: {
      'lower quarter': quantile(ratios, 0.25),
      'upper quarter': quantile(ratios, 0.75),
      'us ours': quantile(ours, 0.5),
      'us plain': quantile(plain, 0.5),
    },
  }
}

/** As rows 10 and 11 do: agents that send samples, and agents that all connect at once. */
async function agents(bench: Bench, plain: string): Promise<Finding[]> {
  const fleets = {
    ours: await connectedFleet(bench, AGENTS),
    plain: await connectedFleet(bench, AGENTS, given(plain)),
  }
  type Fleet = (typeof fleets)['ours']
  const beat = ({ ours, side }: Fleet) => oneRound(ours.agents, side.appPid, side.backends, 2500)
  const sides = { ours: () => beat(fleets.ours), plain: () => beat(fleets.plain) }
  await interleave(1, sides)
  const beats = await interleave(bench.long ? 11 : 5, sides)
  const ofBeat = (one: Awaited<ReturnType<typeof oneRound>>) =>
    (one.appMicros + one.databaseMicros) / one.beats

  for (const { ours } of Object.values(fleets)) await ours.agents.stop()
  const returns = await interleave(bench.long ? 9 : 5, {
    ours: () => allReturn(bench, fleets.ours),
    plain: () => allReturn(bench, fleets.plain),
  })
  for (const { side } of Object.values(fleets)) await side.plane.stop()
  const findings = [
    figureOf(`${plain}, beats`, beats.ours.map(ofBeat), beats.plain.map(ofBeat)),
    figureOf(`${plain}, returns`, returns.ours, returns.plain),
  ]
  for (const finding of findings) bench.say(JSON.stringify(finding))
  return findings
}

/** @returns microseconds of CPU per agent, process and database together */
async function allReturn(
  bench: Bench,
  { database, side }: Awaited<ReturnType<typeof connectedFleet>>,
): Promise<number> {
  const app = new CpuMeter(async () => [side.appPid])
  const backends = new CpuMeter(side.backends)
  const seeds = await seedsOf(database)
  await backends.start()
  await app.start()
  const started = await startAgents(bench, seeds, {
    port: side.plane.fleetPort,
    authorityFolder: path.join(side.plane.dataFolder, 'authority'),
    beatMs: 60_000,
  })
  await started.until(({ up }) => up === AGENTS)
  const used = (await app.stop()) + (await backends.stop())
  await started.stop()
  return used / AGENTS
}
