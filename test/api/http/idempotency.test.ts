import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Arguments, type Caller, requestOf } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { type FileServer, serveFiles } from '../../support/vm-world.ts'

const Body = z.looseObject({ code: z.string().optional(), serverId: z.string().optional() })

let files: FileServer
let folder: string
let lodge: Lodge
let other: Lodge
let admin: Caller
let ownerId: string
let templateId: string
let nodeId: string
beforeAll(async () => {
  files = await serveFiles()
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-keys-'))
  const caFile = path.join(folder, 'ca.pem')
  await writeFile(caFile, files.authority)
  lodge = await startLodge({
    environment: { LODGE_EGRESS_HOSTS: files.host, LODGE_EGRESS_CA: caFile },
  })
  other = await lodge.beside()
  admin = await lodge.admin()
  ownerId = (await lodge.customer()).id
  templateId = (await lodge.template()).id
  nodeId = (await lodge.node()).id
})
afterAll(async () => {
  await other?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
  await files?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

type Creation = NonNullable<Arguments<'POST /api/servers'>[0]>['body']
const creation = (more: Partial<Creation> = {}): { body: Creation } => {
  const size = { memoryMb: 128, cpuPercent: 10, diskMb: 128 }
  return { body: { name: 'Once', ownerId, templateId, nodeId, start: false, ...size, ...more } }
}
async function keyed(caller: Caller, key: string, request: Parameters<typeof requestOf>) {
  const injected = requestOf(...request)
  const response = await caller.send({
    ...injected,
    headers: { ...injected.headers, 'idempotency-key': key },
  })
  return { status: response.statusCode, body: Body.parse(response.json()) }
}
const create = (caller: Caller, key: string, more?: Partial<Creation>) =>
  keyed(caller, key, ['POST /api/servers', creation(more)])
async function servers(name: string): Promise<number> {
  const { rows } = await lodge.database.pool.query<{ count: number }>(
    'select count(*)::int as count from servers where name = $1',
    [name],
  )
  return rows[0]?.count ?? 0
}

describe('a request with an Idempotency-Key', () => {
  test('is executed once, even if sent twenty times concurrently to two control planes', async () => {
    const key = randomUUID()
    const there = other.anonymous({ cookie: admin.cookie ?? '' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        create(at % 2 ? admin : there, key, { name: 'Twenty' }),
      ),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 202, body: { serverId: expect.any(String) } })
    expect(await servers('Twenty')).toBe(1)
    expect(await create(admin, key, { name: 'Twenty' })).toEqual(answers[0])
  })

  test('is refused when another request used the key', async () => {
    const key = randomUUID()
    await create(admin, key, { name: 'First' })
    expect(await create(admin, key, { name: 'Second' })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_mismatch' },
    })
    expect(await servers('Second')).toBe(0)
  })

  test('may be sent again after an error, which changed nothing', async () => {
    const key = randomUUID()
    const quota = (maxServers: number | null) =>
      admin.must('PATCH /api/customers/{id}', {
        params: { id: ownerId },
        body: { quota: { maxServers } },
      })
    await quota(0)
    expect(await create(admin, key, { name: 'Again' })).toMatchObject({
      status: 409,
      body: { code: 'limit_exceeded' },
    })
    await quota(null)
    expect((await create(admin, key, { name: 'Again' })).status).toBe(202)
    expect(await servers('Again')).toBe(1)
  })

  test('is separate for each caller: the same key of two people is two keys', async () => {
    const key = randomUUID()
    const second = await lodge.limitedAdmin(['servers.create', 'servers.view', 'customers.view'])
    const [one, two] = [
      await create(admin, key, { name: 'Two people' }),
      await create(second, key, { name: 'Two people' }),
    ]
    expect([one.status, two.status]).toEqual([202, 202])
    expect(one.body.serverId).not.toBe(two.body.serverId)
  })

  test('has a key of visible characters', async () => {
    for (const key of ['with space', 'x'.repeat(256), 'é'])
      expect((await create(admin, key, { name: 'Odd' })).status).toBe(400)
    expect(await servers('Odd')).toBe(0)
  })
})

describe('a request with a key that waits for something outside', () => {
  const fetched = async (key: string, name: string) => {
    const body = { address: files.url(name) }
    const injected = requestOf('POST /api/templates/fetch', { body })
    const {
      statusCode: status,
      headers,
      ...response
    } = await admin.send({
      ...{ ...injected, headers: { ...injected.headers, 'idempotency-key': key } },
    })
    return { status, retryAfter: headers['retry-after'], body: Body.parse(response.json()) }
  }
  const pending = { status: 409, retryAfter: '5', body: { code: 'idempotency_pending' } }

  test('keeps no connection of the database, and is executed once', async () => {
    const { pool } = lodge.database
    const held: (() => void)[] = []
    let asked = 0
    files.files.set('/held', (response) => {
      asked++
      held.push(() => response.end('the document'))
    })
    const key = randomUUID()
    const first = fetched(key, '/held')
    const answer = await until(() => held[0])
    const { rows } = await pool.query(
      `select query from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    )
    expect(rows).toEqual([])
    expect(await fetched(key, '/held')).toMatchObject(pending)
    expect((await fetched(key, '/other')).body.code).toBe('idempotency_mismatch')
    answer()
    expect(await first).toMatchObject({ status: 200, body: { document: 'the document' } })
    expect(await fetched(key, '/held')).toEqual(await first)
    expect(asked).toBe(1)

    // Its process was killed before it answered.
    const leave = (minutes: number) =>
      pool.query(
        `update idempotency_keys set status = null, reply = null,
           created_at = now() - make_interval(mins => $2) where key = $1`,
        [key, minutes],
      )
    files.files.set('/held', Buffer.from('another document'))
    await leave(9)
    expect(await fetched(key, '/held')).toMatchObject(pending)
    await leave(11)
    expect(await fetched(key, '/held')).toMatchObject({ body: { document: 'another document' } })
  })

  test('may be sent again after an error', async () => {
    const key = randomUUID()
    files.files.delete('/later')
    expect((await fetched(key, '/later')).status).toBe(400)
    files.files.set('/later', Buffer.from('there now'))
    expect(await fetched(key, '/later')).toMatchObject({
      ...{ status: 200, body: { document: 'there now' } },
    })
  })
})

test('does not store a secret that is shown only once', async () => {
  const key = randomUUID()
  const token = () =>
    keyed(admin, key, ['POST /api/tokens', { body: { name: 'billing', scopes: ['read'] } }])
  const [one, two] = [await token(), await token()]
  expect([one.status, two.status]).toEqual([201, 201])
  expect(one.body).not.toEqual(two.body)
  const { rows } = await lodge.database.pool.query(
    'select 1 from idempotency_keys where key = $1',
    [key],
  )
  expect(rows).toEqual([])
})

test('the description names the header on the endpoints that accept it, and on no others', async () => {
  const Operation = z.object({
    parameters: z.array(z.object({ name: z.string(), in: z.string() })).optional(),
  })
  const response = await admin.send({ method: 'GET', url: '/api/openapi.json' })
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })
    .parse(response.json())
  const named = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { parameters }]) => parameters?.some(({ name }) => name === 'Idempotency-Key'))
      .map(([method]) => `${method} ${path}`),
  )
  expect(named).toContain('post /api/servers')
  expect(named).toContain('post /api/customers')
  expect(named).not.toContain('post /api/tokens')
  expect(named).not.toContain('post /api/auth/login')
  expect(named.every((one) => one.startsWith('post '))).toBe(true)
})
