import { createHash, randomBytes } from 'node:crypto'
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
import { PASSWORD, startLodge } from '../../support/stack.ts'
import { type FileWorld, fileWorld } from '../files/world.ts'
import { share } from '../support/share.ts'
import { Machine } from './client.ts'

let world: FileWorld
let machine: Machine
let owner: Caller
let params: { id: string }
let userName: string
let keyId: string
beforeAll(async () => {
  world = await fileWorld(({ environment }) =>
    startLodge({ environment: { ...environment, LODGE_SFTP: 'true' } }),
  )
  machine = await Machine.open(() => world.lodge.controlPlane.services.sftp.port ?? 0)
  owner = world.owner
  params = { id: world.serverId }
  userName = sftpUserName(owner.email, world.serverId)
  const publicKey = await readFile(machine.at('id.pub'), 'utf8')
  const key = await owner.must('POST /api/account/ssh-keys', { body: { name: 'Mine', publicKey } })
  keyId = key.id
  await writeFile(machine.at('local'), 'from my machine')
})
beforeEach(() => world.lodge.database.pool.query('truncate rate_limits'))
afterAll(async () => {
  await machine?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

const makePassword = async (who: Caller = owner) =>
  (await who.must('POST /api/servers/{id}/sftp/password', { params })).password

test('sftp and scp access the files of a server by SSH key, and the audit record names the person', async () => {
  const { ok, output } = await machine.sftp(userName, [
    'put local hello',
    'ls -l',
    'get hello back',
  ])
  expect(output).toContain('hello')
  expect(ok).toBe(true)
  expect(await readFile(path.join(world.folder, 'hello'), 'utf8')).toBe('from my machine')
  expect(await readFile(machine.at('back'), 'utf8')).toBe('from my machine')
  const copied = await machine.run('scp', {}, ['local', `${userName}@127.0.0.1:copied`])
  expect(copied).toEqual({ ok: true, output: '' })
  expect((await stat(path.join(world.folder, 'copied'))).size).toBe(15)
  const { items } = await owner.must('GET /api/account/ssh-keys')
  expect(items[0]?.lastUsedAt).not.toBeNull()
  const { rows } = await world.lodge.database.pool.query(
    `select actor_email, address from audit_log where action = 'sftp.connected'`,
  )
  expect(rows).toEqual([{ actor_email: owner.email, address: '127.0.0.1' }])
})

test.each(['aes128-gcm@openssh.com', 'aes256-ctr'])(
  'a large file goes there and comes back whole by %s',
  async (cipher) => {
    const bytes = randomBytes(24 * 1024 * 1024)
    await writeFile(machine.at('large'), bytes)
    const rest = ['-c', cipher, '-b', '-', `${userName}@127.0.0.1`]
    const commands = 'put large large\nget large again\nrm large\n'
    expect((await machine.run('sftp', {}, rest, commands)).ok).toBe(true)
    expect((await readFile(machine.at('again'))).equals(bytes)).toBe(true)
  },
)

test("OpenSSH's own client uses the cipher that costs either side least, unless told otherwise", async () => {
  const cipherOf = async (...options: string[]) => {
    const rest = ['-v', ...options, `${userName}@127.0.0.1`, 'true']
    const { output } = await machine.run('ssh', {}, rest)
    return /server->client cipher: (\S+)/.exec(output)?.[1]
  }
  expect(await cipherOf()).toBe('aes128-gcm@openssh.com')
  expect(await cipherOf('-c', 'aes256-ctr')).toBe('aes256-ctr')
})

test('a separate password opens one server, and a new one replaces the former', async () => {
  const first = await makePassword()
  expect((await machine.sftp(userName, ['ls'], { password: first })).ok).toBe(true)
  const second = await makePassword()
  expect((await machine.sftp(userName, ['ls'], { password: first })).ok).toBe(false)
  expect((await machine.sftp(userName, ['ls'], { password: second })).ok).toBe(true)
  const { password } = await owner.must('GET /api/servers/{id}/sftp', { params })
  expect(password?.lastUsedAt).not.toBeNull()
  const other = sftpUserName(owner.email, await world.another())
  expect((await machine.sftp(other, ['ls'], { password: second })).ok).toBe(false)
  await owner.must('DELETE /api/servers/{id}/sftp/password', { params })
  expect((await machine.sftp(userName, ['ls'], { password: second })).ok).toBe(false)
})

test('the SSH server authenticates with the host keys that the panel shows', async () => {
  const { hostKeys, port } = await owner.must('GET /api/servers/{id}/sftp', { params })
  expect(port).toBe(world.lodge.controlPlane.services.sftp.port)
  await machine.sftp(userName, ['ls'])
  const [, type, blob = ''] = (await readFile(machine.at('known_hosts'), 'utf8')).split(' ')
  const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64')
  expect(hostKeys).toContainEqual({ type, fingerprint: `SHA256:${digest.replace(/=+$/, '')}` })
  expect(hostKeys.map((key) => key.type)).toEqual(['ssh-ed25519', 'ecdsa-sha2-nistp256'])
})

test('strangers, other accounts and wrong names cannot sign in', async () => {
  await machine.makeKey('stranger', ['-t', 'ed25519'])
  const wrong = [
    machine.sftp(userName, ['ls'], { key: 'stranger' }),
    machine.sftp(userName.replace(/^./, 'x'), ['ls']),
    machine.sftp(userName.replace(/.$/, 'z'), ['ls']),
    machine.sftp(sftpUserName(owner.email, crypto.randomUUID()), ['ls']),
    machine.sftp('root', ['ls']),
    machine.sftp(userName, ['ls'], { password: 'a long enough password' }),
    machine.sftp(userName, ['ls'], { password: 'x'.repeat(24) }),
  ]
  for (const { ok, output } of await Promise.all(wrong)) {
    expect(ok).toBe(false)
    expect(output).toContain('Permission denied')
  }
})

test('there is no shell, no command, no forwarding and no other subsystem', async () => {
  const to = `${userName}@127.0.0.1`
  const command = await machine.run('ssh', {}, [to, 'cat /etc/passwd'])
  expect(command).toEqual({ ok: false, output: expect.stringContaining('there is no shell') })
  expect((await machine.run('ssh', {}, [to])).ok).toBe(false)
  expect((await machine.run('ssh', {}, ['-W', '127.0.0.1:22', to])).ok).toBe(false)
  expect((await machine.run('ssh', {}, ['-s', to, 'netconf'])).ok).toBe(false)
  const forwarded = ['-o', 'ExitOnForwardFailure=yes', '-N', '-R', '0:127.0.0.1:1', to]
  expect((await machine.run('ssh', {}, forwarded)).ok).toBe(false)
})

test('a collaborator can access what the rules and permissions of the share allow', async () => {
  const bob = await world.lodge.customer()
  const bobs = sftpUserName(bob.email, world.serverId)
  await share(world.lodge, world.serverId, owner, bob, ['files.read'])
  expect((await bob.call('POST /api/servers/{id}/sftp/password', { params })).status).toBe(403)
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
  const child = await machine.start('sftp', {}, ['-l', '8000', `${userName}@127.0.0.1`])
  child.stdin?.write('put huge huge\n')
  await expect
    .poll(() =>
      stat(path.join(world.folder, 'huge')).then(
        ({ size }) => size,
        () => 0,
      ),
    )
    .toBeGreaterThan(0)
  return { ended: once(child, 'exit') }
}

test('B1, B2: every withdrawal of access ends a transfer within two seconds', async () => {
  await writeFile(machine.at('huge'), '')
  await truncate(machine.at('huge'), 200_000_000)
  const { pool } = world.lodge.database
  const suspend = (action: 'suspend' | 'unsuspend') =>
    world.admin.must('POST /api/servers/{id}/actions', { params, body: { action } })
  const publicKey = await readFile(machine.at('id.pub'), 'utf8')
  const add = async () => {
    const body = { name: 'Again', publicKey }
    keyId = (await owner.must('POST /api/account/ssh-keys', { body })).id
  }
  const ways: readonly [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['the server is suspended', () => suspend('suspend'), () => suspend('unsuspend')],
    [
      'the account is suspended',
      () => pool.query(`update users set state = 'suspended' where id = $1`, [owner.id]),
      () => pool.query(`update users set state = 'active' where id = $1`, [owner.id]),
    ],
    [
      'limits forbid SFTP',
      () => pool.query(`update users set quota = '{"maySftp": false}' where id = $1`, [owner.id]),
      () => pool.query(`update users set quota = '{}' where id = $1`, [owner.id]),
    ],
    [
      'other devices are signed out',
      () => owner.must('POST /api/auth/sessions/revoke-others'),
      async () => undefined,
    ],
    [
      'the key is removed',
      () => owner.must('DELETE /api/account/ssh-keys/{id}', { params: { id: keyId } }),
      add,
    ],
    [
      'the password of the account is changed',
      () =>
        owner.must('POST /api/auth/password', {
          body: { currentPassword: PASSWORD, newPassword: 'another long password' },
        }),
      add,
    ],
  ]
  await pool.query('update users set password_hash = $2 where id = $1', [
    owner.id,
    await hashPassword(PASSWORD),
  ])
  for (const [why, withdraw, give] of ways) {
    await pool.query('truncate rate_limits')
    const { ended } = await transfer()
    await withdraw()
    // It applies since before the response, which hashing a password delays.
    const answeredMs = performance.now()
    await ended
    expect(`${why}: ${performance.now() - answeredMs < 2_000}`).toBe(`${why}: true`)
    if (why !== 'other devices are signed out')
      expect(`${why}: ${(await machine.sftp(userName, ['ls'])).ok}`).toBe(`${why}: false`)
    await give()
    await machine.sftp(userName, ['rm huge'])
  }
})

test('a network with too many failures is blocked for a while', async () => {
  const { db, sftp } = world.lodge.controlPlane.services
  const fail = () => machine.sftp(userName, ['ls'], { password: 'x'.repeat(24) })
  expect((await fail()).output).toContain('Permission denied')
  while ((await secondsUntilTaken(db, sftpBudgets.sftpFailure, networkOf('127.0.0.1'))) === 0);
  expect((await fail()).output).toMatch(/Connection (closed|reset)/)
  // A connection that never authenticates is closed, and does not affect others.
  const silent = net.connect(sftp.port ?? 0, '127.0.0.1').resume()
  expect((await machine.sftp(userName, ['ls'])).ok).toBe(true)
  silent.destroy()
})

test('keys that are invalid, weak, private or duplicate are refused with a remedy', async () => {
  await machine.makeKey('weak', ['-t', 'rsa', '-b', '1024'])
  await machine.makeKey('strong', ['-t', 'rsa', '-b', '2048'])
  const add = async (publicKey: string) => {
    const answer = await owner.call('POST /api/account/ssh-keys', {
      body: { name: 'x', publicKey },
    })
    return [answer.status, JSON.stringify(answer.body)] as const
  }
  const read = (name: string) => readFile(machine.at(name), 'utf8')
  expect(await add('hello')).toEqual([400, expect.stringContaining('.pub')])
  expect(await add(await read('strong'))).toEqual([400, expect.stringContaining('private')])
  expect(await add(await read('weak.pub'))).toEqual([400, expect.stringContaining('1024 bits')])
  expect((await add(await read('strong.pub')))[0]).toBe(201)
  expect((await add(await read('strong.pub')))[0]).toBe(409)
  expect((await machine.sftp(userName, ['ls'], { key: 'strong' })).ok).toBe(true)
})
