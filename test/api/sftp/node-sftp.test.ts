import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { networkOf } from '@lodge/shared/addresses.ts'
import { sftpUserName } from '@lodge/shared/sftp.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashPassword } from '../../../control-plane/src/domains/customers/index.ts'
import { sftpBudgets } from '../../../control-plane/src/domains/sftp/budgets.ts'
import { secondsUntilTaken } from '../../../control-plane/src/http/throttle.ts'
import type { Caller } from '../../support/caller.ts'
import { freePort } from '../../support/processes.ts'
import { PASSWORD } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { type FileWorld, fileWorld } from '../files/world.ts'
import { share } from '../support/share.ts'
import { Machine } from './client.ts'

let world: FileWorld
let machine: Machine
let owner: Caller
let port: number
let params: { id: string }
let userName: string
let keyId: string
beforeAll(async () => {
  world = await fileWorld()
  port = await freePort()
  machine = await Machine.open(() => port)
  owner = world.owner
  params = { id: world.serverId }
  userName = sftpUserName(owner.email, world.serverId)
  await addKey()
  await writeFile(machine.at('local'), 'from my machine')
  await setPort(port)
  await isOpen()
})
beforeEach(() => world.lodge.database.pool.query('truncate rate_limits'))
afterAll(async () => {
  await machine?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

const node = () => ({ params: { id: world.node.id } })
const setPort = (sftpPort: number | null) =>
  world.admin.must('PATCH /api/nodes/{id}', { ...node(), body: { address: '127.0.0.1', sftpPort } })
const shown = async () => (await world.admin.must('GET /api/nodes/{id}', node())).sftp
const isOpen = () => until(async () => (await shown()).open)
async function addKey(): Promise<void> {
  const publicKey = await readFile(machine.at('id.pub'), 'utf8')
  const body = { name: 'Mine', publicKey }
  keyId = (await owner.must('POST /api/account/ssh-keys', { body })).id
}
const makePassword = async (who: Caller = owner) =>
  (await who.must('POST /api/servers/{id}/sftp/password', { params })).password
const reached = async () => (await machine.sftp(userName, ['ls'])).ok

test('people access their files on the node itself, and the audit record names them', async () => {
  const { host, port: told } = await owner.must('GET /api/servers/{id}/sftp', { params })
  expect([host, told]).toEqual(['127.0.0.1', port])
  const commands = ['put local hello', 'ls -l', 'get hello back']
  expect((await machine.sftp(userName, commands)).ok).toBe(true)
  expect(await readFile(path.join(world.folder, 'hello'), 'utf8')).toBe('from my machine')
  expect(await readFile(machine.at('back'), 'utf8')).toBe('from my machine')
  const password = await makePassword()
  expect((await machine.sftp(userName, ['rm hello'], { password })).ok).toBe(true)
  const { rows } = await world.lodge.database.pool.query(
    `select actor_email, address from audit_log where action = 'sftp.connected'`,
  )
  expect(rows).toEqual([{ actor_email: owner.email, address: '127.0.0.1' }])
  const { items } = await owner.must('GET /api/account/ssh-keys')
  expect(items[0]?.lastUsedAt).not.toBeNull()
})

test('the node authenticates with the host keys that the panel shows, also after its agent restarts', async () => {
  await reached()
  const { hostKeys } = await owner.must('GET /api/servers/{id}/sftp', { params })
  expect((await shown()).hostKeys).toEqual(hostKeys)
  const [, type, blob = ''] = (await readFile(machine.at('known_hosts'), 'utf8')).split(' ')
  const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64')
  expect(hostKeys).toContainEqual({ type, fingerprint: `SHA256:${digest.replace(/=+$/, '')}` })
  await world.agent.close()
  await world.agent.connect()
  await expect.poll(reached).toBe(true)
  const again = await owner.must('GET /api/servers/{id}/sftp', { params })
  expect(again.hostKeys).toEqual(hostKeys)
})

test('strangers cannot sign in, nor can the owner with the account password', async () => {
  await machine.makeKey('stranger', ['-t', 'ed25519'])
  await world.lodge.database.pool.query('update users set password_hash = $2 where id = $1', [
    owner.id,
    await hashPassword(PASSWORD),
  ])
  const wrong = [
    machine.sftp(userName, ['ls'], { key: 'stranger' }),
    machine.sftp(userName.replace(/^./, 'x'), ['ls']),
    machine.sftp(sftpUserName(owner.email, crypto.randomUUID()), ['ls']),
    machine.sftp(userName, ['ls'], { password: PASSWORD }),
    machine.sftp(userName, ['ls'], { password: 'x'.repeat(24) }),
  ]
  for (const { ok, output } of await Promise.all(wrong)) {
    expect(ok).toBe(false)
    expect(output).toContain('Permission denied')
  }
  const shell = await machine.run('ssh', {}, [`${userName}@127.0.0.1`, 'id'])
  expect(shell).toEqual({ ok: false, output: expect.stringContaining('there is no shell') })
})

test('a node learns nothing about people of servers on other nodes', async () => {
  const other = await world.lodge.joinedNode()
  await world.admin.must('PATCH /api/nodes/{id}', {
    params: { id: other.id },
    body: { sftpPort: port },
  })
  const password = await makePassword()
  const ask = (as: { id: string; credential: string }) =>
    world.lodge.anonymous().send({
      method: 'POST',
      url: '/api/agent/sftp/sign-ins',
      headers: { authorization: `Bearer ${as.credential}`, 'x-node-id': as.id },
      payload: { by: 'password', userName, password, address: '192.0.2.7' },
    })
  expect((await ask(world.node)).json().admitted).toMatchObject({ serverId: world.serverId })
  expect((await ask(other)).json()).toEqual({ admitted: null, over: false })
})

test('a node cannot act for anybody through another person’s or server’s data', async () => {
  const bob = await world.lodge.customer()
  await share(world.lodge, world.serverId, owner, bob, ['files.read', 'files.sftp'])
  const { pool } = world.lodge.database
  const password = async (who: Caller, id: string) => {
    await who.must('POST /api/servers/{id}/sftp/password', { params: { id } })
    const { rows } = await pool.query<{ id: string }>(
      'select id from sftp_passwords where server_id = $1 and user_id = $2',
      [id, who.id],
    )
    return { kind: 'password', id: rows[0]?.id ?? '' }
  }
  const own = await password(owner, world.serverId)
  const others: readonly [string, { kind: string; id: string }][] = [
    ['the password of bob', await password(bob, world.serverId)],
    ['the password of another server', await password(owner, await world.another())],
    ['a password as a key', { ...own, kind: 'key' }],
  ]
  const about = { userId: owner.id, serverId: world.serverId, address: '192.0.2.8' }
  const ask = (path: string, payload: object) =>
    world.lodge
      .anonymous()
      .send({
        method: 'POST',
        url: `/api/agent/sftp/${path}`,
        headers: { authorization: `Bearer ${world.node.credential}`, 'x-node-id': world.node.id },
        payload,
      })
      .then((answer) => answer.json())
  const welcomed = async (credential: object) =>
    (await ask('sign-ins', { by: 'proof', ...about, credential })).admitted !== null
  const standing = async (credential: object) =>
    (await ask('standings', { connections: [{ ...about, credential, mark: null }] })).items[0].now
  for (const [whose, credential] of others)
    expect([whose, await welcomed(credential), await standing(credential)]).toEqual([
      whose,
      false,
      'ended',
    ])
  const used = () =>
    pool.query(`select from audit_log where action = 'sftp.connected' and address = $1`, [
      about.address,
    ])
  expect((await used()).rowCount).toBe(0)
  expect([await welcomed(own), await standing(own)]).toEqual([true, 'admitted'])
  expect((await used()).rowCount).toBe(1)
})

test('a collaborator can access what the rules and permissions of the share allow', async () => {
  const bob = await world.lodge.customer()
  const bobs = sftpUserName(bob.email, world.serverId)
  await share(world.lodge, world.serverId, owner, bob, ['files.read', 'files.sftp'])
  await owner.must('PATCH /api/servers/{id}/collaborators/{userId}', {
    params: { ...params, userId: bob.id },
    body: {
      permissions: ['files.read', 'files.write', 'files.sftp'],
      files: [{ path: '/secret', access: 'none' }],
    },
  })
  await machine.sftp(userName, ['mkdir secret', 'put local secret/keys'])
  const password = await makePassword(bob)
  expect((await machine.sftp(bobs, ['put local his'], { password })).ok).toBe(true)
  for (const command of ['get secret/keys x', 'ls secret', 'rm his'])
    expect((await machine.sftp(bobs, [command], { password })).ok).toBe(false)
})

/** A transfer that continues until somebody ends it. */
async function transfer(): Promise<{ ended: Promise<unknown> }> {
  await machine.sftp(userName, ['rm huge'])
  const child = await machine.start('sftp', {}, ['-l', '8000', `${userName}@127.0.0.1`])
  child.stdin?.write('put huge huge\n')
  const size = () => stat(path.join(world.folder, 'huge')).then(({ size }) => size)
  await expect.poll(() => size().catch(() => 0)).toBeGreaterThan(0)
  return { ended: once(child, 'exit') }
}

test('B1, B2: every withdrawal of access ends a transfer within two seconds', async () => {
  await writeFile(machine.at('huge'), '')
  await truncate(machine.at('huge'), 200_000_000)
  const { pool } = world.lodge.database
  const account = { id: owner.id }
  const ways: readonly [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      'the account is suspended',
      () =>
        world.admin.must('POST /api/customers/{id}/suspend', {
          params: account,
          body: { reasonCode: 'other', options: { stopServers: false, revokeTokens: false } },
        }),
      () =>
        world.admin.must('DELETE /api/customers/{id}/suspension', { params: account, query: {} }),
    ],
    [
      'limits forbid SFTP',
      () => pool.query(`update users set quota = '{"maySftp": false}' where id = $1`, [owner.id]),
      () => pool.query(`update users set quota = '{}' where id = $1`, [owner.id]),
    ],
    [
      'the key is removed',
      () => owner.must('DELETE /api/account/ssh-keys/{id}', { params: { id: keyId } }),
      addKey,
    ],
    [
      'other devices are signed out',
      () => owner.must('POST /api/auth/sessions/revoke-others'),
      async () => undefined,
    ],
    [
      'the node serves no SFTP any more',
      () => setPort(null),
      async () => {
        await setPort(port)
        await isOpen()
      },
    ],
  ]
  for (const [why, withdraw, give] of ways) {
    await pool.query('truncate rate_limits')
    const { ended } = await transfer()
    await withdraw()
    // It applies since before the response, which hashing a password delays.
    const answeredMs = performance.now()
    await ended
    expect(`${why}: ${performance.now() - answeredMs < 2_000}`).toBe(`${why}: true`)
    // After signing out other sessions, the person may connect again.
    const isFinal = why !== 'other devices are signed out'
    expect(`${why}: ${await reached()}`).toBe(`${why}: ${!isFinal}`)
    await give()
  }
})

test('a network with too many failures is blocked on this node for a while', async () => {
  const { db } = world.lodge.controlPlane.services
  const fail = () => machine.sftp(userName, ['ls'], { password: 'x'.repeat(24) })
  expect((await fail()).output).toContain('Permission denied')
  const key = `${world.node.id} ${networkOf('127.0.0.1')}`
  while ((await secondsUntilTaken(db, sftpBudgets.sftpFailure, key)) === 0);
  expect((await fail()).output).toMatch(/Connection (closed|reset)/)
  expect(await reached()).toBe(true)
})

test('a port that is taken or belongs to servers is refused with a remedy', async () => {
  const among = await world.admin.call('PATCH /api/nodes/{id}', {
    ...node(),
    body: { sftpPort: 25_000 },
  })
  expect(among).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  const taken = net.createServer().listen(0)
  await once(taken, 'listening')
  await setPort(Object(taken.address()).port)
  await expect.poll(async () => (await shown()).why).toContain('Another program')
  expect((await owner.must('GET /api/servers/{id}/sftp', { params })).host).not.toBe('127.0.0.1')
  taken.close()
  await setPort(port)
  await isOpen()
})

test('while no control plane responds, nobody can connect and open sessions end', async () => {
  const { ended } = await transfer()
  await world.lodge.controlPlane.stop()
  // Stopping is not repeated.
  Object.assign(world.lodge.controlPlane, { stop: async () => undefined })
  await ended
  expect(await reached()).toBe(false)
})
