import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Power } from '@lodge/proto/server.ts'
import { LEASE_TIMES, scaledTimes } from '@lodge/shared/leases/times.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import type { StandInAgent } from '../../support/stand-in-agent.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'

/** A safe mode of a few seconds. */
const TIMES = { ...scaledTimes(LEASE_TIMES, 0.05), suspectMs: LEASE_TIMES.suspectMs }

let lodge: Lodge
let admin: Caller
let templateId: string
let node: JoinedNode
let agent: StandInAgent
beforeAll(async () => {
  lodge = await startLodge()
  quicken(lodge)
  admin = await lodge.admin()
  templateId = (await lodge.template()).id
  node = await lodge.joinedNode({ name: 'set-back-node' })
  agent = await lodge.standIn(node)
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

function quicken({ controlPlane }: Lodge): void {
  Object.assign(controlPlane.services.fleet, { leaseTimes: TIMES })
}

async function makeServer(name: string): Promise<string> {
  const { serverId, jobId } = await admin.must('POST /api/servers', {
    body: { name, ownerId: admin.id, templateId, nodeId: node.id, start: true },
  })
  await jobEnd(admin, jobId, 'done')
  return serverId
}
const act = async (id: string, action: 'start' | 'stop' | 'restart') => {
  const { jobId } = await admin.must('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action },
  })
  await jobEnd(admin, jobId, 'done')
}
const show = (id: string) => admin.must('GET /api/servers/{id}', { params: { id } })
const mark = async (): Promise<number> =>
  Number((await lodge.database.pool.query('select mark from database_lineage')).rows[0].mark)
const status = () => admin.must('GET /api/set-back')
const decide = (serverId: string, keep: 'node' | 'panel') =>
  admin.call('POST /api/set-back/decisions', { body: { nodeId: node.id, serverId, keep } })
const concerns = async () =>
  (await admin.must('GET /api/overview')).attention.filter(
    ({ kind }) => kind === 'state_rollback_detected',
  )

const metrics = async () => {
  const token = await readFile(path.join(lodge.dataFolder, 'metrics-token'), 'utf8')
  const headers = { authorization: `Bearer ${token.trim()}` }
  return (await fetch(`${lodge.url}/metrics`, { headers })).text()
}

/** Runs work on the server of the database while nobody is connected to the database. */
async function alone(work: (server: pg.Client, database: string) => Promise<void>): Promise<void> {
  const url = new URL(lodge.database.url)
  const database = url.pathname.slice(1)
  url.pathname = 'postgres'
  const server = new pg.Client(url.href)
  await server.connect()
  try {
    await server.query(`alter database ${database} allow_connections false`)
    await server.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [database],
    )
    await until(async () => {
      const { rows } = await server.query('select from pg_stat_activity where datname = $1', [
        database,
      ])
      return rows.length === 0
    })
    await work(server, database)
  } finally {
    await server.query(`alter database ${database} allow_connections true`)
    await server.end()
  }
}

/** @returns a function that sets the database back to its current state */
async function snapshot(): Promise<() => Promise<void>> {
  const copy = `lodge_copy_${randomUUID().replaceAll('-', '')}`
  await alone((server, database) =>
    server.query(`create database ${copy} template ${database} strategy file_copy`).then(() => {}),
  )
  return () =>
    alone(async (server, database) => {
      await server.query(`drop database ${database}`)
      await server.query(`alter database ${copy} rename to ${database}`)
    })
}

test('a restored older database stops, starts and deletes nothing before an operator has decided', async () => {
  const kept = await makeServer('kept')
  const applied = await makeServer('applied')
  const deleted = await makeServer('deleted')
  const same = await makeServer('same')
  const setBack = await snapshot()
  const markBefore = await until(() => mark().catch(() => undefined))
  await until(() => show(same).catch(() => undefined))
  await agent.connect()
  for (const id of [kept, applied, deleted, same])
    await until(async () => (await show(id)).status === 'running')

  await act(kept, 'restart')
  await act(kept, 'stop')
  await act(kept, 'start')
  await act(applied, 'stop')
  const later = await makeServer('later')
  const { jobId } = await admin.must('DELETE /api/servers/{id}', { params: { id: deleted } })
  await jobEnd(admin, jobId, 'done')
  await until(() => !agent.servers.has(deleted))
  const before = new Map([...agent.servers].map(([id, { desired }]) => [id, desired.generation]))

  const other = await lodge.beside()
  quicken(other)
  try {
    // Marks are set every few seconds; both nodes have seen one that the copy lacks.
    await until(async () => (await mark()) >= markBefore + 3)
    await setBack()
    const noticed = await until(async () => {
      const now = await status().catch(() => undefined)
      return now?.latest ? now : undefined
    })
    expect(noticed.latest?.why).toBe('older_data')
    expect(noticed.waitingFor).toMatchObject([{ id: node.id }])

    // It is sent nothing before its inventory was compared, and then only servers without
    // differences.
    const connecting = agent.connect()
    connecting.catch(() => undefined)
    await until(async () => (await status()).findings.length === 4)
    const { findings, waitingFor } = await status()
    expect(waitingFor).toEqual([])
    expect(new Map(findings.map(({ serverId, kind }) => [serverId, kind]))).toEqual(
      new Map([
        [kept, 'newer'],
        [applied, 'newer'],
        [deleted, 'missing'],
        [later, 'unknown'],
      ]),
    )
    await agent.line?.next('desiredServer', ({ serverId }) => serverId === same)
    for (const [id, generation] of before)
      expect(agent.servers.get(id)?.desired.generation).toBe(generation)
    expect(agent.servers.has(deleted)).toBe(false)
    expect(agent.line?.count('desiredEnd')).toBe(0)

    // Both control planes have detected it, and one has raised the epochs, once.
    const leapt = await mark()
    expect(leapt).toBeGreaterThan(1_000_000)
    await until(async () => (await mark()) >= leapt + 3)
    const { rows } = await lodge.database.pool.query(
      'select set_backs, (select epoch from nodes where id = $1) as epoch from database_lineage',
      [node.id],
    )
    expect(rows[0]).toMatchObject({ set_backs: 1 })
    expect(rows[0].epoch).toBeGreaterThan(1_000)
    expect(rows[0].epoch).toBeLessThan(2_000)

    const [concern] = await concerns()
    expect(concern).toMatchObject({ severity: 'critical', nodeId: node.id })
    expect(concern?.title).toContain('set-back-node knows more than the database')
    expect(concern?.detail).toContain('kept')
    const told = await admin.must('GET /api/notifications')
    expect(told.items.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['database.set_back', 'state.rollback_detected']),
    )

    // A server that waits for a decision cannot be changed.
    const refused = await admin.call('POST /api/servers/{id}/actions', {
      params: { id: kept },
      body: { action: 'stop' },
    })
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'hold_active' }])
    const unknown = await decide(later, 'node')
    expect([unknown.status, unknown.body]).toMatchObject([409, { code: 'conflict' }])

    // The node's state: the server keeps running, without another start.
    const runBefore = agent.servers.get(kept)?.seen.run
    expect((await decide(kept, 'node')).status).toBe(200)
    const stays = await agent.heard(kept, (before.get(kept) ?? 0) + 1)
    expect(stays).toMatchObject({ power: Power.ON, run: runBefore })
    // The panel's state: the server was running then, so it starts.
    expect((await decide(applied, 'panel')).status).toBe(200)
    expect(await agent.heard(applied, (before.get(applied) ?? 0) + 1)).toMatchObject({
      power: Power.ON,
    })
    // The node's state of a deleted server: none.
    expect((await decide(deleted, 'node')).status).toBe(200)
    expect(await agent.heard(deleted)).toMatchObject({ power: Power.OFF, install: 0 })
    expect(agent.line?.count('desiredEnd')).toBe(0)
    expect((await decide(later, 'panel')).body).toMatchObject({ findings: [] })
    // After the last decision the list is complete again, so servers that are not on it are stopped.
    await connecting
    agent.servers.delete(later)
    expect(await concerns()).toEqual([])
    await act(kept, 'stop')
    expect(await show(kept)).toMatchObject({ status: 'stopped', holds: [] })
    await until(async () => !(await status()).isSafeMode)
    await act(same, 'restart')
  } finally {
    await other[Symbol.asyncDispose]()
  }
})

test('a node that has seen newer states than the database is compared before it is sent anything', async () => {
  const server = await makeServer('compared')
  const { rows } = await lodge.database.pool.query(
    'select epoch, set_backs from nodes, database_lineage where nodes.id = $1',
    [node.id],
  )
  agent.hello = { nodeEpoch: rows[0].epoch, acknowledgedReport: 7_000 }
  // It is not welcomed with the outdated state, and reconnects like a real one.
  await expect(agent.connect()).rejects.toThrow('sent away: 14')
  await agent.connect()
  expect(agent.servers.get(server)?.desired).toMatchObject({ power: Power.ON })
  const welcome = await agent.line?.next('welcome')
  expect(welcome).toMatchObject({ reportThrough: 7_000 })
  expect(welcome?.nodeEpoch).toBeGreaterThan(rows[0].epoch)
  // Nothing differs, so nobody has to decide, and no other node is compared.
  expect(await status()).toMatchObject({ findings: [], waitingFor: [] })
  const after = await lodge.database.pool.query('select set_backs from database_lineage')
  expect(after.rows).toMatchObject([{ set_backs: rows[0].set_backs }])
  agent.hello = {}
})

test('a server whose inventory has a generation that was never issued cannot be changed', async () => {
  const server = await makeServer('ahead')
  const other = await makeServer('not ahead')
  await lodge.database.pool.query('update servers set generation = generation - 1 where id = $1', [
    server,
  ])
  await agent.connect()
  await until(async () => (await status()).findings.length === 1)
  expect((await status()).findings).toMatchObject([
    {
      serverId: server,
      serverName: 'ahead',
      kind: 'newer',
      state: 'running',
      knownOn: 'set-back-node',
    },
  ])
  expect((await show(server)).holds).toEqual([{ kind: 'set-back', cause: node.id }])
  expect(await show(other)).toMatchObject({ status: 'running', holds: [] })
  const { items } = await admin.must('GET /api/audit', { query: { action: 'rollback detected' } })
  expect(items[0]).toMatchObject({ targetId: node.id })
  expect(await metrics()).toContain(`lodge_state_rollback_servers{node="${node.id}"} 1`)
  expect((await decide(server, 'node')).body).toMatchObject({ findings: [] })
  await until(async () => (await show(server)).status === 'running')
  expect((await show(server)).holds).toEqual([])
})
