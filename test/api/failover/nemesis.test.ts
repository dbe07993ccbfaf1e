import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { seededRandom } from '../../leases/random.ts'
import { lengthOf } from '../../run/lengths.ts'
import { until } from '../../support/until.ts'
import { Clients } from './clients.ts'
import { FAULTS, type Fault } from './faults.ts'
import { areGuarded, busiest, type GuardedNode, runsTwice } from './guarded-fleet.ts'
import { type TwoControlPlanes, twoControlPlanes } from './two-control-planes.ts'

const ROUNDS = lengthOf('LODGE_NEMESIS_ROUNDS')
const FIRST_SEED = Number(process.env.LODGE_NEMESIS_SEED ?? 12)
const SEEDS = Array.from({ length: lengthOf('LODGE_NEMESIS_FLEETS') }, (_, at) => FIRST_SEED + at)
/** Only faults whose names contain this, to examine one of them. */
const ONLY = process.env.LODGE_NEMESIS_FAULT ?? ''
const SETTLED_MS = 150_000

/** Counters that never decrease, whatever happens. */
type Counters = ReadonlyMap<string, number>

async function countersOf({ pool }: TwoControlPlanes): Promise<Counters> {
  const { rows } = await pool.query<{ what: string; value: number }>(
    `select 'epoch of ' || id as what, epoch::float8 as value from nodes
      union all select 'generation of ' || id, placement_generation::float8 from servers
      union all select 'term', term::float8 from failover_office`,
  )
  return new Map(rows.map(({ what, value }) => [what, value]))
}

const decreased = (before: Counters, after: Counters): string[] =>
  [...before].flatMap(([what, value]) => ((after.get(what) ?? -1) < value ? [what] : []))

const PROMISE = `of two control planes and a fleet that is struck ${ROUNDS} times no server runs twice, and nothing promised is lost: seed %i`

const TIMEOUT = 300_000 + ROUNDS * 60_000
test.concurrent.for(SEEDS)(PROMISE, { timeout: TIMEOUT }, async (seed, { onTestFailed }) => {
  // The other fleets go on for long.
  onTestFailed(({ task }) => {
    for (const { stack, cause } of task.result?.errors ?? [])
      process.stdout.write(`seed ${seed} failed: ${stack}\n${inspect(cause)}\n`)
  })
  const random = seededRandom(seed)
  await using world = await twoControlPlanes(random)
  const { fleet } = world
  const clients = new Clients(world, random)
  const status = () => world.ask((admin) => admin.must('GET /api/failover/status'))
  const isSettled = async () => {
    const stand = await status()
    await fleet.tidy().catch(() => undefined)
    return stand && areGuarded(stand.nodes, fleet.servers) ? stand : undefined
  }
  const faults = FAULTS.filter(({ name }) => name.includes(ONLY))
  let counters = await countersOf(world)

  const isWithout = async ({ id }: GuardedNode): Promise<boolean> => {
    const answer = await world.pool
      .query('select from servers where node_id = $1', [id])
      .catch(() => undefined)
    return answer?.rowCount === 0
  }

  /** One or two faults, one of them perhaps while the other lasts. */
  async function strike(): Promise<string> {
    const drawn = Array.from(
      { length: random() < 0.4 ? 2 : 1 },
      () => faults[Math.floor(random() * faults.length)] as Fault,
    )
    for (const fault of drawn) {
      await pause(random() * 4_000)
      await fault.befall(world, random)
    }
    return drawn.map(({ name }) => name).join(', ')
  }

  /** Losses of nodes whose servers an earlier fault had just moved away. */
  let spared = 0
  for (let round = 0; round < ROUNDS; round++) {
    const { nodes } = await until(isSettled, SETTLED_MS)
    let isOver = false
    const working = clients.work(() => isOver)
    const before = await fleet.takeovers()
    // In every second round a node is lost at the same time, until its servers start elsewhere.
    const lost = round % 2 === 0 ? busiest(nodes, fleet) : undefined
    lost?.line.cut(['out', 'in'])
    const what = await strike()
    const where = `seed ${seed}, round ${round}: ${what}${lost ? ', a node is lost' : ''}`
    try {
      if (lost)
        await until(async () => {
          if ((await fleet.takeovers().catch(() => 0)) > before) return true
          if (!(await isWithout(lost))) return false
          spared += 1
          return true
        }, SETTLED_MS)
      lost?.line.mend()
      isOver = true
      await working
      await until(isSettled, SETTLED_MS)
      await until(async () => (await clients.open()) === 0, SETTLED_MS)
    } catch (cause) {
      throw new Error(`${where}: ${await standOf(world)}`, { cause })
    }
    const now = await countersOf(world)
    expect(runsTwice(fleet), where).toEqual([])
    expect(await clients.broken(), where).toEqual([])
    expect(decreased(counters, now), where).toEqual([])
    counters = now
    process.stdout.write(`${where}: ${await fleet.takeovers()} takeovers\n`)
  }
  const record = await world.ask((admin) => admin.must('GET /api/audit/verify'))
  expect(record).toMatchObject({ ok: true, faults: [] })
  const count = await fleet.takeovers()
  const runs = fleet.servers.flatMap((id) => fleet.runsOf(id)).length
  process.stdout.write(
    `seed ${seed}, ${ROUNDS} rounds: ${count} takeovers, ${runs} runs, none twice; ${clients.calls} calls, ${clients.jobs.size} jobs\n`,
  )
  expect(count).toBeGreaterThanOrEqual(Math.ceil(ROUNDS / 2) - spared)
})

/** The state to report when the fleet did not settle. */
async function standOf({ ask, pool }: TwoControlPlanes): Promise<string> {
  const stand = await ask((admin) => admin.must('GET /api/failover/status'))
  const rowsOf = async (sql: string) => (await pool.query(sql)).rows
  return JSON.stringify({
    stopped: stand?.stoppedBecause,
    nodes: stand?.nodes.map(({ name, state, lastSeenAt, guarded, fencedAt }) => ({
      ...{ name, state, lastSeenAt, guarded, fencedAt },
    })),
    sessions: await rowsOf(
      'select name, epoch, renew_seq, connected_at, inventory_taken, compared_set_back from nodes',
    ),
    takeovers: await rowsOf('select at, node_name, epoch from takeovers order by at desc limit 3'),
    office: await rowsOf('select * from failover_office'),
    lineage: await rowsOf('select * from database_lineage'),
    servers: await rowsOf(
      `select id, node_id, observed_state, desired_power, placement_generation, failover_revision,
        guarded_revision from servers`,
    ),
    jobs: await rowsOf('select id, kind, server_id, created_at from jobs where ended_at is null'),
  })
}
