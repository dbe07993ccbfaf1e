import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { LEASE_TIMES, scaledTimes, takeoverDelayMs } from '@lodge/shared/leases/times.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fenceAsked } from '../../../control-plane/src/domains/failover/fencing/fence.ts'
import {
  claimFencings,
  endTry,
} from '../../../control-plane/src/domains/failover/fencing/fencing-store.ts'
import { LostNodes, recoverFenced } from '../../../control-plane/src/domains/failover/recover.ts'
import type { Caller } from '../../support/caller.ts'
import { LeaseAgent } from '../../support/lease-agent.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'

/** The protocol with scaled times. Nodes that beat every five seconds are still heard. */
const TIMES = { ...scaledTimes(LEASE_TIMES, 0.05), suspectMs: LEASE_TIMES.suspectMs }
const TTL_MS = 2_000
const DELAY_MS = takeoverDelayMs(TIMES, TTL_MS)
/** One or two for each test, some of which may be retried. */
const SERVERS = 17

/** A fence program of an operator: it does what the file `does` says. */
const PROGRAM = `#!/bin/sh
cd "$(dirname "$0")"
echo "$1 $2" >> calls
case "$(cat does)" in
  fails) echo 'The BMC does not answer' >&2; exit 7;;
  hangs) sleep 300;;
  waits) while [ "$(cat does)" = waits ]; do sleep 0.05; done;;
  doomed-hangs) [ "$2" != doomed ] || sleep 300;;
  lies) [ "$1" = off ] || echo on; exit 0;;
esac
[ "$1" = status ] || echo off > power
cat power
`

let lodge: Lodge
let admin: Caller
let folder: string
let node: JoinedNode
/** Stores the backups, and takes over the servers. */
let store: RealAgent
let agent: LeaseAgent
/** With a backup each; every test uses the next one. */
const servers: string[] = []
let server: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-stonith-'))
  await writeFile(path.join(folder, 'fence'), PROGRAM)
  await chmod(path.join(folder, 'fence'), 0o755)
  lodge = await startLodge()
  Object.assign(lodge.controlPlane.services.fleet, { leaseTimes: TIMES })
  admin = await lodge.admin()
  const owner = await lodge.customer()
  const templateId = (await lodge.template()).id
  store = await startRealAgent(lodge, await lodge.joinedNode({ name: 'store' }))
  const { s3: _, ...settings } = await admin.must('GET /api/settings/backups')
  await admin.must('PUT /api/settings/backups', {
    body: { ...settings, place: 'other-node', storageNodeIds: [store.nodeId], s3: null },
  })
  node = await lodge.joinedNode({ name: 'doomed' })
  const before = await startRealAgent(lodge, node)
  const { repositories } = store.driver.runtime
  Object.assign(before.driver.runtime, { repositories })
  for (const id of [store.nodeId, node.id]) await connected(lodge, id)
  const make = async (at: number) => {
    const made = await admin.must('POST /api/servers', {
      body: { name: `s${at}`, ownerId: owner.id, templateId, nodeId: node.id, start: true },
    })
    await jobEnd(admin, made.jobId, 'done')
    const params = { id: made.serverId }
    const { jobId } = await admin.must('POST /api/servers/{id}/backups', { params, body: {} })
    await jobEnd(admin, jobId, 'done')
    return made.serverId
  }
  servers.push(...(await Promise.all(Array.from({ length: SERVERS }, (_, at) => make(at)))))
  await before[Symbol.asyncDispose]()
  agent = new LeaseAgent(lodge, node)
})
beforeEach(async () => {
  setFence({ command: path.join(folder, 'fence'), limitMs: 5_000 })
  await does('works')
  const { pool } = lodge.database
  // Only those of an earlier test: others are being observed at the same time.
  await pool.query('update servers set failover_mode = null where failover_mode is not null')
  await pool.query('delete from fencings')
  await pool.query('delete from takeovers')
  await pool.query(
    `update nodes set fenced_at = null, failover_mode = 'pinned', lease_ttl_ms = $2,
      lease_longest_ttl_ms = $2 where id = $1`,
    [node.id, TTL_MS],
  )
  agent.line?.close()
  await agent.connect().next('desiredEnd')
  server = servers.shift() ?? ''
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await store?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const setFence = (fence: Partial<Lodge['controlPlane']['services']['fence']>) =>
  Object.assign(lodge.controlPlane.services, {
    fence: { ...lodge.controlPlane.services.fence, ...fence },
  })
async function does(what: 'works' | 'fails' | 'hangs' | 'waits' | 'doomed-hangs' | 'lies') {
  await writeFile(path.join(folder, 'does'), what)
  await writeFile(path.join(folder, 'power'), 'on')
  await writeFile(path.join(folder, 'calls'), '')
}
const calls = async () =>
  (await readFile(path.join(folder, 'calls'), 'utf8')).trim().split('\n').filter(Boolean)
const params = () => ({ id: node.id })
const failover = () => admin.must('GET /api/nodes/{id}/failover', { params: params() })
const choose = (mode: 'pinned' | 'stonith') =>
  admin.call('PUT /api/servers/{id}/failover', { params: { id: server }, body: { mode } })
const placeOf = (id: string) => admin.must('GET /api/servers/{id}', { params: { id } })
const takeovers = async () =>
  (await lodge.database.pool.query('select epoch from takeovers')).rows.length
const tryNow = () => lodge.database.pool.query('update fencings set try_at = now()')
/** Disconnects once all its messages have arrived, and waits for the end of its session. */
async function leave(): Promise<void> {
  agent.line?.close()
  await until(async () => {
    const { rows } = await lodge.database.pool.query(
      'select from nodes where id = $1 and session_id is null',
      [node.id],
    )
    return rows.length > 0
  })
}
const failure = (why: string) =>
  until(async () => (await failover()).fencing?.failed?.includes(why))

test('stonith cannot be chosen without a fence command', async () => {
  setFence({ command: undefined })
  const refused = { status: 409, body: { code: 'unsupported_on_node' } }
  expect(await choose('stonith')).toMatchObject(refused)
  const ofNode = { params: params(), body: { mode: 'stonith' } } as const
  expect(await admin.call('PUT /api/nodes/{id}/failover', ofNode)).toMatchObject(refused)
  expect((await failover()).whyNotStonith).toContain('LODGE_FENCE_COMMAND')
  const asked = await admin.must('POST /api/nodes/{id}/failover/power', { params: params() })
  expect(asked.power).toBe('unknown')
})

test('checking whether a node is on runs only the status action of the command', async () => {
  const ask = () => admin.must('POST /api/nodes/{id}/failover/power', { params: params() })
  expect(await ask()).toEqual({ power: 'on', why: null })
  await does('fails')
  const why = 'The fence command ended with 7 (status): The BMC does not answer'
  expect(await ask()).toEqual({ power: 'unknown', why })
  expect(await calls()).toEqual(['status doomed'])
})

test('a silent node is switched off once, and only then do its servers with that mode start elsewhere', async () => {
  const [pinned = ''] = servers
  expect((await choose('stonith')).body).toMatchObject({ mode: 'stonith', guarded: false })
  // Pinned from the agent's view: nothing stops when the node is cut off.
  await until(() => agent.desired.get(server)?.failover?.mode === 'pinned')
  expect(await failover()).toMatchObject({ stonith: 1, auto: 0, fencing: null })
  const heardFrom = performance.now()
  await until(() => performance.now() - heardFrom > DELAY_MS)
  expect(await calls()).toEqual([])

  agent.isCutOff = true
  await until(async () => (await placeOf(server)).status === 'running')
  expect(await placeOf(server)).toMatchObject({ nodeId: store.nodeId, holds: [] })
  expect(await placeOf(pinned)).toMatchObject({ nodeId: node.id })
  expect(await calls()).toEqual(['off doomed', 'status doomed'])
  expect(await takeovers()).toBe(1)
  const after = await failover()
  expect(after.fencing).toMatchObject({ tries: 1, tryAt: null, failed: null })
  expect(after.fencedAt).not.toBeNull()
  const told = await admin.must('GET /api/notifications')
  const news = told.items.find(({ type }) => type === 'failover.taken-over')
  expect(news?.body).toContain('seen that it is off')

  // It is switched on again, is told that its server is elsewhere, and the observation that it is off
  // has expired.
  const back = agent.connect()
  expect(await back.next('welcome')).toMatchObject({ fenced: true })
  await back.next('desiredEnd')
  expect((await failover()).fencing).toBeNull()
  await until(() => agent.copyWork.includes('supersede'))
})

test.each([
  ['fails', 'The fence command ended with 7 (off): The BMC does not answer'],
  ['hangs', 'The fence command did not end within 1 s (off)'],
  ['lies', 'is said to be on still'],
] as const)(
  'nothing is taken over while the command %s, operators are told, and it is tried again',
  async (what, why) => {
    await does(what)
    setFence({ limitMs: 1_000 })
    await choose('stonith')
    agent.isCutOff = true
    await failure(why)
    expect((await failover()).fencing).toMatchObject({ tries: 1, offAt: null })
    const told = await admin.must('GET /api/notifications')
    const news = told.items.find(({ type }) => type === 'failover.fence_failed')
    expect(news).toMatchObject({ title: 'doomed cannot be switched off' })
    expect(news?.body).toContain(why)
    expect(await takeovers()).toBe(0)
    expect(await placeOf(server)).toMatchObject({ nodeId: node.id })
    await does('works')
    await tryNow()
    await until(async () => (await placeOf(server)).nodeId === store.nodeId)
    expect((await failover()).fencing).toMatchObject({ tries: 2, failed: null })
  },
)

test('a node that reconnects before it is confirmed to be off keeps its servers', async () => {
  await does('fails')
  await choose('stonith')
  agent.isCutOff = true
  await failure('does not answer')
  agent.isCutOff = false
  await until(async () => (await failover()).fencing === null)
  await does('works')
  await tryNow()
  const heardFrom = performance.now()
  await until(() => performance.now() - heardFrom > DELAY_MS)
  expect(await calls()).toEqual([])
  expect(await takeovers()).toBe(0)
  expect(await placeOf(server)).toMatchObject({ nodeId: node.id })
})

test('a node that is switched on again before there was capacity elsewhere keeps its servers', async () => {
  const { pool } = lodge.database
  const { services } = lodge.controlPlane
  const cordon = (isCordoned: boolean) =>
    pool.query('update nodes set cordoned = $2 where id = $1', [store.nodeId, isCordoned])
  await cordon(true)
  try {
    await choose('stonith')
    agent.isCutOff = true
    await until(async () => (await takeovers()) === 1)
    // It has not proved anything yet, so it is still fenced.
    await agent.connect().next('welcome')
  } finally {
    await cordon(false)
  }
  expect((await failover()).fencedAt).not.toBeNull()
  expect(await recoverFenced(services, new LostNodes(), performance.now())).toBe(0)
  expect(await placeOf(server)).toMatchObject({ nodeId: node.id, holds: [] })
  // Had it been off all the time, the server would have been restored now.
  await leave()
  await pool.query('update fencings set renew_seq = (select renew_seq from nodes where id = $1)', [
    node.id,
  ])
  expect(await recoverFenced(services, new LostNodes(), performance.now())).toBe(1)
})

test('one confirmed to be off by an instance that has ended is checked again, not switched off', async () => {
  await does('works')
  await writeFile(path.join(folder, 'power'), 'off')
  await leave()
  await lodge.database.pool.query(
    `insert into fencings (node_id, renew_seq, tries, try_at, off_at)
      select id, renew_seq, 1, null, now() - interval '5 minutes' from nodes where id = $1`,
    [node.id],
  )
  await choose('stonith')
  await until(async () => (await placeOf(server)).nodeId === store.nodeId)
  expect(await calls()).toEqual(['status doomed'])
})

test('one that is heard during the check whether it is still off is not switched off', async () => {
  // This instance leaves the node to the test's own one.
  setFence({ command: undefined })
  await does('waits')
  await leave()
  const { pool } = lodge.database
  await pool.query(`update servers set failover_mode = 'stonith' where id = $1`, [server])
  await pool.query(
    `insert into fencings (node_id, renew_seq, tries, off_at)
      select id, renew_seq, 1, now() from nodes where id = $1`,
    [node.id],
  )
  const { services } = lodge.controlPlane
  const command = path.join(folder, 'fence')
  const ended = fenceAsked.run({ ...services, fence: { ...services.fence, command } })
  await until(async () => (await calls()).length > 0)
  await agent.connect().next('welcome')
  await writeFile(path.join(folder, 'does'), 'works')
  expect(await ended).toMatchObject({ off: 0 })
  // It was on when the response arrived, and would have been switched off without its sign of life.
  expect(await calls()).toEqual(['status doomed'])
  expect(await placeOf(server)).toMatchObject({ nodeId: node.id, holds: [] })
})

test('two instances never switch the same node off concurrently, and a late observation is discarded', async () => {
  setFence({ command: undefined })
  const { db } = lodge.controlPlane.services
  await leave()
  await lodge.database.pool.query(
    `insert into fencings (node_id, renew_seq) select id, renew_seq from nodes where id = $1`,
    [node.id],
  )
  await lodge.database.pool.query(`update servers set failover_mode = 'stonith' where id = $1`, [
    server,
  ])
  const given = { claimSeconds: 60, lateSeconds: 0 }
  const claims = await Promise.all([claimFencings(db, given), claimFencings(db, given)])
  const [claim, second] = claims.flat()
  expect(second).toBeUndefined()
  expect(claim).toMatchObject({ nodeId: node.id, tries: 1, wasOff: false })
  await tryNow()
  expect(await endTry(db, claim!, { isOff: true })).toBe(false)
  const [again] = await claimFencings(db, given)
  expect(await endTry(db, claim!, { isOff: true })).toBe(false)
  expect(await endTry(db, again!, { isOff: true })).toBe(true)
})

test('a machine that does not respond does not delay others that become silent meanwhile', async () => {
  await does('doomed-hangs')
  setFence({ limitMs: 60_000 })
  const { pool } = lodge.database
  const ask = (nodeId: string, serverId: string) =>
    pool.query(
      `with waiting as (update servers set node_id = $1, failover_mode = 'stonith' where id = $2)
        insert into fencings (node_id, renew_seq) select id, renew_seq from nodes where id = $1`,
      [nodeId, serverId],
    )
  await leave()
  await ask(node.id, server)
  await until(async () => (await calls()).includes('off doomed'))
  const other = await lodge.joinedNode()
  await ask(other.id, servers.shift() ?? '')
  const offAt = async (nodeId: string) =>
    (await pool.query('select off_at from fencings where node_id = $1', [nodeId])).rows[0]?.off_at
  await until(async () => (await offAt(other.id)) !== null)
  expect(await offAt(node.id)).toBeNull()
  expect((await failover()).fencing).toMatchObject({ tries: 1, failed: null })
})
