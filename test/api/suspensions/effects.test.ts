import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sftpUserName } from '@lodge/shared/sftp.ts'
import type { SuspensionOptions } from '@lodge/shared/suspensions.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashPassword } from '../../../control-plane/src/domains/customers/index.ts'
import type { Caller } from '../../support/caller.ts'
import { mailTo } from '../../support/mailbox.ts'
import { PASSWORD, startLodge } from '../../support/stack.ts'
import { type FileWorld, fileWorld } from '../files/world.ts'
import { Machine } from '../sftp/client.ts'
import { openEvents } from '../support/event-stream.ts'
import { share } from '../support/share.ts'

let world: FileWorld
let machine: Machine
let admin: Caller
let owner: Caller
let serverId: string
beforeAll(async () => {
  world = await fileWorld(({ environment }) =>
    startLodge({ environment: { ...environment, LODGE_SFTP: 'true' } }),
  )
  admin = world.admin
  serverId = world.serverId
  machine = await Machine.open(() => world.lodge.controlPlane.services.sftp.port ?? 0)
  await writeFile(path.join(world.folder, 'mine.txt'), 'mine')
  await world.lodge.database.pool.query('update users set password_hash = $2 where id = $1', [
    world.owner.id,
    await hashPassword(PASSWORD),
  ])
})
beforeEach(async () => {
  await world.lodge.database.pool.query('truncate rate_limits')
  owner = await world.lodge.session(world.owner.id, world.owner.email)
})
afterEach(async () => {
  // A failed test must not make the next one fail.
  const { active } = await admin.must('GET /api/customers/{id}/suspension', { params: params() })
  if (active) await lift()
})
afterAll(async () => {
  await machine?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

const params = () => ({ id: world.owner.id })
const suspend = (options: Partial<SuspensionOptions> = {}) =>
  admin.must('POST /api/customers/{id}/suspend', {
    params: params(),
    body: { reasonCode: 'abuse', publicReason: 'Your servers attacked others', options },
  })
const lift = (restoreRunning: 'true' | 'false' = 'true') =>
  admin.must('DELETE /api/customers/{id}/suspension', {
    params: params(),
    query: { restoreRunning },
  })
const server = () => admin.must('GET /api/servers/{id}', { params: { id: serverId } })
const becomes = (status: string) => expect.poll(async () => (await server()).status).toBe(status)
const statusOf = async (call: Promise<{ status: number }>) => (await call).status

async function signIn(): Promise<{ status: number; code: string | undefined; as: Caller }> {
  const as = world.lodge.anonymous()
  const { id, email } = world.owner
  const { status, body } = await as.call('POST /api/auth/login', {
    body: { email, password: PASSWORD },
  })
  return { status, code: Object(body).code, as: as.named(id, email) }
}

/** The owner's responses from each of these, in an open session. */
async function reached(by: Caller) {
  const one = { params: { id: serverId } }
  const content = { method: 'GET', url: `/api/servers/${serverId}/files/content?path=/mine.txt` }
  return {
    me: await statusOf(by.call('GET /api/auth/me')),
    suspension: await statusOf(by.call('GET /api/suspension')),
    sessions: await statusOf(by.call('GET /api/auth/sessions')),
    servers: await statusOf(by.call('GET /api/servers')),
    file: (await by.send(content as never)).statusCode,
    backups: await statusOf(by.call('GET /api/servers/{id}/backups', one)),
    start: await statusOf(
      by.call('POST /api/servers/{id}/actions', { ...one, body: { action: 'start' } }),
    ),
    console: await statusOf(by.call('POST /api/servers/{id}/console-ticket', { ...one, body: {} })),
    settings: await statusOf(by.call('PUT /api/auth/preferences', { body: { mode: 'dark' } })),
  }
}

const NOTHING = {
  ...{ me: 200, suspension: 200, sessions: 200, servers: 403, file: 403, backups: 403 },
  ...{ start: 403, console: 403, settings: 403 },
}
const EXPORT = { ...NOTHING, servers: 200, file: 200, backups: 200 }
const ENDED = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, 401]))
const NOTICE = { ...NOTHING, sessions: 403 }

test.each<
  [
    string,
    Partial<SuspensionOptions>,
    { open: object; again: object | null; server: 'suspended' | 'running' },
  ]
>([
  ['the defaults', {}, { open: NOTHING, again: NOTHING, server: 'suspended' }],
  ['servers running', { stopServers: false }, { open: NOTHING, again: NOTHING, server: 'running' }],
  ['data export', { allowDataExport: true }, { open: EXPORT, again: EXPORT, server: 'suspended' }],
  ['no sign-in', { blockSignIn: true }, { open: ENDED, again: NOTICE, server: 'suspended' }],
  [
    'no sign-in, though export is allowed',
    { blockSignIn: true, allowDataExport: true },
    { open: ENDED, again: NOTICE, server: 'suspended' },
  ],
  [
    'no sign-in and no appeal',
    { blockSignIn: true, allowAppeal: false },
    { open: ENDED, again: null, server: 'suspended' },
  ],
])('a suspension with %s restricts the account to exactly that', async (_, options, wanted) => {
  await becomes('running')
  await suspend(options)
  expect(await reached(owner)).toEqual(wanted.open)
  const entered = await signIn()
  if (wanted.again === null)
    expect(entered).toMatchObject({ status: 403, code: 'account_suspended' })
  else {
    expect(entered.status).toBe(200)
    expect(await reached(entered.as)).toEqual(wanted.again)
  }
  await becomes(wanted.server)
  await lift()
  await becomes('running')
  if (wanted.open !== ENDED) expect(await statusOf(owner.call('GET /api/servers'))).toBe(200)
})

test('open SFTP sessions and event streams end within five seconds, and cannot be opened again', async () => {
  const publicKey = await readFile(machine.at('id.pub'), 'utf8')
  const key = { body: { name: 'Mine', publicKey } }
  await owner.must('POST /api/account/ssh-keys', key)
  const name = sftpUserName(owner.email, serverId)
  expect((await machine.sftp(name, ['ls'])).ok).toBe(true)
  const stream = openEvents(world.lodge, owner)
  await stream.next(({ event }) => event === 'reset')
  const beganMs = performance.now()
  await suspend({ revokeTokens: false, stopServers: false })
  await stream.over
  expect(performance.now() - beganMs).toBeLessThan(5_000)
  expect((await machine.sftp(name, ['ls'])).ok).toBe(false)
  await lift()
  expect((await machine.sftp(name, ['ls'])).ok).toBe(true)
  await suspend()
  await lift()
  const { items } = await owner.must('GET /api/account/ssh-keys')
  expect(items, 'credentials were revoked for good').toEqual([])
})

test('collaborators keep the share of a stopped server, but cannot use it until it is lifted', async () => {
  const bob = await world.lodge.customer()
  await share(world.lodge, serverId, owner, bob, ['files.read', 'power.start'])
  const one = { params: { id: serverId } }
  const read = () =>
    statusOf(bob.call('GET /api/servers/{id}/files', { ...one, query: { path: '/' } }))
  expect(await read()).toBe(200)
  await suspend()
  expect(await read()).toBe(403)
  expect(await bob.must('GET /api/servers/{id}', one)).toMatchObject({ status: 'suspended' })
  await lift()
  expect(await read()).toBe(200)
})

test('servers that others share with the account are inaccessible until it is lifted', async () => {
  const bob = await world.lodge.customer()
  await share(world.lodge, serverId, owner, bob, ['files.read'])
  const whom = { params: { id: bob.id } }
  await admin.must('POST /api/customers/{id}/suspend', {
    ...whom,
    body: { reasonCode: 'other', options: { allowDataExport: true } },
  })
  const one = { params: { id: serverId } }
  const read = () =>
    statusOf(bob.call('GET /api/servers/{id}/files', { ...one, query: { path: '/' } }))
  expect(await read()).toBe(404)
  expect((await bob.must('GET /api/servers')).items).toEqual([])
  await admin.must('DELETE /api/customers/{id}/suspension', whom)
  expect(await read()).toBe(200)
})

test('staff can access files and backups of a stopped server, and nothing starts it', async () => {
  await suspend()
  await becomes('suspended')
  const one = { params: { id: serverId } }
  const list = { ...one, query: { path: '/' } }
  expect((await admin.must('GET /api/servers/{id}/files', list)).items.length).toBeGreaterThan(0)
  const { standing } = await admin.must('GET /api/servers/{id}/backups', one)
  expect(standing.whyNot.create ?? '').not.toContain('suspended')
  const start = { ...one, body: { action: 'start' as const } }
  expect(await admin.call('POST /api/servers/{id}/actions', start)).toMatchObject({
    status: 409,
    body: { code: 'hold_active' },
  })
  const template = await world.lodge.template()
  const another = { name: 'New', ownerId: owner.id, templateId: template.id }
  expect(await statusOf(admin.call('POST /api/servers', { body: another }))).toBe(409)
  await lift()
})

test('lifting it leaves a suspension of another cause, and servers off if asked to', async () => {
  await becomes('running')
  const act = (action: 'suspend' | 'unsuspend') =>
    admin.must('POST /api/servers/{id}/actions', { params: { id: serverId }, body: { action } })
  await suspend()
  await act('suspend')
  await lift('false')
  expect((await server()).holds).toMatchObject([{ kind: 'suspension', cause: 'administrator' }])
  await act('unsuspend')
  await becomes('stopped')
  const start = { params: { id: serverId }, body: { action: 'start' as const } }
  await owner.must('POST /api/servers/{id}/actions', start)
  await becomes('running')
})

test('it is lifted at its end, and its servers are scheduled for deletion only while it lasts', async () => {
  const { pool } = world.lodge.database
  await suspend({ deleteServersAfterDays: 30 })
  const { text } = await mailTo(world.lodge, owner.email, 'account_suspended')
  expect(text).toContain('Your servers attacked others')
  await pool.query(`update suspensions set delete_servers_at = now() where lifted_at is null`)
  await expect.poll(async () => (await server()).deleteAt).not.toBeNull()
  await pool.query(`update suspensions set ends_at = now() where lifted_at is null`)
  await becomes('running')
  expect((await server()).deleteAt).toBeNull()
  expect(await statusOf(owner.call('GET /api/servers'))).toBe(200)
  await mailTo(world.lodge, owner.email, 'account_unsuspended')
  const { history } = await admin.must('GET /api/customers/{id}/suspension', { params: params() })
  expect(history[0]).toMatchObject({ liftedBy: null, liftReason: null })
})
