import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seededRandom } from '../../leases/random.ts'
import { until } from '../../support/until.ts'
import { areGuarded, busiest, guardedFleet, runsTwice, startQuickly } from './guarded-fleet.ts'

const PARTITIONS = Number(process.env.LODGE_PARTITIONS ?? 100)

const WAYS = [['out'], ['in'], ['out', 'in'], ['out', 'in']] as const
/**
 * `out`: a node that is not heard is taken over; `in`: one that hears nothing stops its servers, but
 * is heard.
 */
const UNHEARD = ['out', 'in'] as const
/** One in so many cuts lasts until the node was taken over, whatever its random length. */
const TAKEN_OVER_EVERY = 3

test(`no server under a lease runs twice at a time while links are cut ${PARTITIONS} times`, {
  tags: 'long',
  timeout: 3_600_000,
}, async () => {
  await using stack = new AsyncDisposableStack()
  const lodge = stack.use(await startQuickly())
  const admin = await lodge.admin()
  const { port } = lodge.controlPlane.services.fleet
  const fleet = stack.use(await guardedFleet(lodge, () => port))
  const { nodes, servers, takeovers } = fleet
  const status = () => admin.must('GET /api/failover/status')

  const random = seededRandom(20)
  for (let cut = 0; cut < PARTITIONS; cut++) {
    const before = await takeovers()
    const isLong = cut % TAKEN_OVER_EVERY === 0
    const node = isLong
      ? busiest((await status()).nodes, fleet)
      : nodes[Math.floor(random() * nodes.length)]
    node?.line.cut(isLong ? UNHEARD : (WAYS[Math.floor(random() * WAYS.length)] ?? []))
    // Shorter than a lease, or about as long, or until its servers are about to start elsewhere.
    if (isLong) await until(async () => (await takeovers()) > before)
    await pause(isLong ? random() * 3_000 : 500 + random() * 12_000)
    node?.line.mend()
    await until(async () => {
      await fleet.tidy()
      return areGuarded((await status()).nodes, servers)
    }, 90_000).catch(async (cause: unknown) => {
      const { stoppedBecause, nodes, runs, copies } = await status()
      const stand = { stoppedBecause, nodes, runs: runs.slice(0, 3), copies: copies.slice(0, 3) }
      throw new Error(`after cut ${cut}: ${JSON.stringify(stand)}`, { cause })
    })
  }
  for (const id of servers)
    await until(async () => {
      const { status } = await admin.must('GET /api/servers/{id}', { params: { id } })
      return status === 'running'
    }).catch(async (cause: unknown) => {
      const params = { id }
      const { status: state, nodeId, holds } = await admin.must('GET /api/servers/{id}', { params })
      const { items } = await admin.must('GET /api/servers/{id}/events', { params })
      const stand = { state, nodeId, holds, events: items.slice(0, 6), ...(await status()) }
      throw new Error(`it does not run: ${JSON.stringify(stand)}`, { cause })
    })

  expect(runsTwice(fleet)).toEqual([])
  const count = await takeovers()
  const runs = servers.flatMap((id) => fleet.runsOf(id)).length
  process.stdout.write(`${PARTITIONS} partitions: ${count} takeovers, ${runs} runs, none twice\n`)
  const atLeast = Math.ceil(PARTITIONS / TAKEN_OVER_EVERY)
  expect(count).toBeGreaterThanOrEqual(atLeast)
  expect(runs).toBeGreaterThanOrEqual(servers.length + atLeast)
})
