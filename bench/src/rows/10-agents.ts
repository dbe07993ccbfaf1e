import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { encodeAnnouncement } from '../../../control-plane/src/fleet/announcements.ts'
import { type Agents, seedsOf, startAgents } from '../fleet/agents-process.ts'
import { CpuMeter, cpuMicrosOf, residentMb } from '../measure/cpu.ts'
import { interleave, median, medianRatio } from '../measure/rounds.ts'
import type { Bench, Finding, Row } from '../row.ts'
import type { Database } from '../stage/database.ts'
import { insertFleet, insertServers } from '../stage/fleet-rows.ts'
import { startProgram } from '../stage/program.ts'
import { type ControlPlaneSide, ourSide } from '../stage/sides.ts'

const SERVERS_EACH = 20
const BEAT_MS = 5000

interface Round {
  readonly beats: number
  readonly appMicros: number
  readonly databaseMicros: number
}

/** Agents of the whole protocol with 20 samples per beat, compared with grpc-js that stores nothing. */
export const agents: Row = {
  number: 10,
  name: 'agents',
  async run(bench) {
    const count = bench.long ? 5000 : 1000
    const { database, side, ours } = await connectedFleet(bench, count)
    const bare = await bareFleet(bench, database, side.plane.dataFolder)
    const emptyMb = ours.emptyMb
    const grownMb = residentMb(side.appPid) - emptyMb
    const measured =
      (agents: Agents, pid: number, backends: () => Promise<readonly number[]>) => async () =>
        oneRound(agents, pid, backends, bench.long ? 5000 : 2500)
    const sides = {
      bare: measured(bare.agents, bare.pid, async () => []),
      ours: measured(ours.agents, side.appPid, side.backends),
    }
    await interleave(1, sides)
    const rounds = await interleave(5, sides)
    const cost = (round: Round) => round.appMicros / round.beats
    const database_ = (round: Round) => round.databaseMicros / round.beats
    const figures: Finding[] = [
      {
        what: `${count} agents, 20 samples a beat: CPU a beat / bare grpc-js`,
        value: medianRatio(rounds.ours, rounds.bare, cost),
        unit: 'x',
        target: { atMost: 1.6 },
        detail: {
          'us app': median(rounds.ours.map(cost)),
          'us database': median(rounds.ours.map(database_)),
          'bare us': median(rounds.bare.map(cost)),
        },
      },
      {
        what: 'of a core for 10,000 agents that beat every 10 s',
        value: (median(rounds.ours.map(cost)) * 1000) / 1e6,
        unit: 'core',
        target: { atMost: 0.4 },
        detail: { 'database core': (median(rounds.ours.map(database_)) * 1000) / 1e6 },
      },
      {
        what: 'memory of the control plane for each agent',
        value: (grownMb * 1024) / count,
        unit: 'KB',
        target: { atMost: 150 },
        peer: 'bare grpc-js 108-128 KB',
        detail: { 'MB in all': residentMb(side.appPid) },
      },
    ]
    return [...figures, await fanOut(bench, database, ours.agents, bare, count)]
  },
}

/** A control plane with `count` agents that have all received every desired state. */
export async function connectedFleet(
  bench: Bench,
  count: number,
  given: Parameters<typeof ourSide>[2] = {},
) {
  const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
  const rows = await insertFleet(database.pool, { nodes: count })
  const to = count * SERVERS_EACH
  await insertServers(database.pool, { templateId: rows.templateId, from: 0, to })
  bench.say(`${count} nodes with ${to} servers`)
  const side: ControlPlaneSide = await ourSide(bench, database, given)
  const emptyMb = residentMb(side.appPid)
  const authorityFolder = path.join(side.plane.dataFolder, 'authority')
  const started = performance.now()
  const cpuBefore = cpuMicrosOf(side.appPid)
  const agents = await startAgents(bench, await seedsOf(database), {
    port: side.plane.fleetPort,
    authorityFolder,
    beatMs: BEAT_MS,
  })
  await agents.until(({ up }) => up === count)
  const connectSeconds = (performance.now() - started) / 1000
  const connectMicros = cpuMicrosOf(side.appPid) - cpuBefore
  bench.say(`all connected after ${connectSeconds.toFixed(1)} s`)
  return { database, side, rows, ours: { agents, emptyMb, connectSeconds, connectMicros } }
}

/** @param port any by default */
export async function startBare(bench: Bench, authorityFolder: string, port = 0) {
  const program = await startProgram(
    ['bench/src/limits/bare-fleet.ts'],
    { LODGE_DATA: authorityFolder, LODGE_FLEET_PORT: String(port) },
    (line) => typeof line.port === 'number',
  )
  return bench.ending.add(program, (one) => one.end())
}

/** The limit with an agent for each node. */
export async function bareFleet(bench: Bench, database: Database, dataFolder: string) {
  const authorityFolder = path.join(dataFolder, 'authority')
  const program = await startBare(bench, authorityFolder)
  const port = Number(program.ready.port)
  const seeds = await seedsOf(database)
  const agents = await startAgents(bench, seeds, {
    port,
    authorityFolder,
    beatMs: BEAT_MS,
  })
  await agents.until(({ up }) => up === seeds.length)
  return {
    agents,
    program,
    port,
    pid: program.pid,
    broadcast: () => program.child.stdin?.write('broadcast\n'),
  }
}

export async function oneRound(
  agents: Agents,
  pid: number,
  backends: () => Promise<readonly number[]>,
  milliseconds: number,
): Promise<Round> {
  agents.beats()
  const app = new CpuMeter(async () => [pid])
  const database = new CpuMeter(backends)
  await database.start()
  await app.start()
  const before = agents.count()
  await pause(milliseconds)
  agents.still()
  const sent = agents.count()
  // The messages must be processed, too.
  await pause(1000)
  const after = agents.count()
  const beats = after.reportAcks - before.reportAcks
  if (beats <= 0 || sent.lost > before.lost) throw new Error('agents were lost while they beat')
  return { beats, appMicros: await app.stop(), databaseMicros: await database.stop() }
}

/** One changed desired state for every agent: from the commit until the last has received it. */
async function fanOut(
  bench: Bench,
  database: Database,
  ours: Agents,
  bare: { agents: Agents; broadcast: () => unknown },
  count: number,
): Promise<Finding> {
  const { rows } = await database.pool.query<{ id: string; node_id: string }>(
    'select distinct on (node_id) id, node_id from servers order by node_id, id',
  )
  const words = rows.map(({ id, node_id }) =>
    encodeAnnouncement({ kind: 'desired', nodeId: node_id, serverId: id }),
  )
  const heardAll = async (agents: Agents, tell: () => unknown) => {
    const before = agents.count().desiredStates
    const started = performance.now()
    await tell()
    await agents.until(({ desiredStates }) => desiredStates >= before + count)
    return performance.now() - started
  }
  const times = await interleave(bench.long ? 7 : 5, {
    bare: () => heardAll(bare.agents, bare.broadcast),
    ours: () =>
      heardAll(ours, () =>
        database.pool.query(
          `with changed as (update servers set generation = generation + 1 where id = any($1::uuid[]))
           select pg_notify('lodge_fleet', word) from unnest($2::text[]) word`,
          [rows.map((row) => row.id), words],
        ),
      ),
  })
  return {
    what: `one changed desired for each of ${count} agents, until the last has it / bare broadcast`,
    value: medianRatio(times.ours, times.bare, (milliseconds) => milliseconds),
    unit: 'x',
    target: { atMost: 1.5 },
    detail: { ms: median(times.ours), 'bare ms': median(times.bare) },
  }
}
