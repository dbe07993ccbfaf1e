import { once } from 'node:events'
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sftpUserName } from '@lodge/shared/sftp.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { serverPaths } from '../../../drivers/docker/src/data/layout.ts'
import { imageBytes } from '../../../drivers/docker/src/data/loop-disk.ts'
import { Machine as Desk } from '../../api/sftp/client.ts'
import { share } from '../../api/support/share.ts'
import { busyboxTemplate, type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { HttpCustomer } from '../support/people.ts'
import { allAre, makeServers } from '../support/servers.ts'

const PORT = 2222
const DISK_MB = 64
/** Creates a file, and appends to a given one its own user and the owner of the file. */
const SCRIPT = `echo "made inside" > /data/made
echo ready
while :; do
  if [ -f /data/given ]; then
    echo "$(id -u) $(stat -c %u /data/given) $(stat -c %u /data/made)" >> /data/given
    mv /data/given /data/taken
  fi
  sleep 0.1
done`

const missing = await machineMissing()

describe.skipIf(missing)('SFTP on a node with a real Docker engine', () => {
  let machine: Machine
  let desk: Desk
  let owner: HttpCustomer
  let params: { id: string }
  let userName: string
  let data: string
  beforeAll(async () => {
    machine = await startMachine()
    desk = await Desk.open(() => PORT, machine.network.address)
    owner = await HttpCustomer.of(machine, 'owner')
    const limits = { memoryMb: 32, cpuPercent: 50, diskMb: DISK_MB }
    const { ids } = await makeServers(machine, busyboxTemplate(SCRIPT, { limits }), 1, owner)
    params = { id: ids[0] ?? '' }
    userName = sftpUserName(owner.email, params.id)
    data = serverPaths(path.join(machine.folder, 'lodge/agent/servers'), params.id).data
    await machine.admin.must('PATCH /api/nodes/{id}', {
      params: { id: machine.nodeId },
      body: { address: machine.network.address, sftpPort: PORT },
    })
    const publicKey = await readFile(desk.at('id.pub'), 'utf8')
    await owner.must('POST /api/account/ssh-keys', { body: { name: 'Mine', publicKey } })
    await writeFile(desk.at('local'), 'from my desk\n')
    await writeFile(desk.at('huge'), '')
    await truncate(desk.at('huge'), 2 * DISK_MB * 1024 * 1024)
    await allAre(machine, ids, 'running', 120_000)
    await machine.until('the port of the node is open', reached)
  })
  beforeEach(() => machine.database.query('truncate rate_limits'))
  afterAll(async () => {
    await desk?.[Symbol.asyncDispose]()
    await machine?.[Symbol.asyncDispose]()
  })

  const reached = async () => (await desk.sftp(userName, ['ls'])).ok
  const works = (commands: readonly string[]) =>
    desk.sftp(userName, commands).then((said) => expect(said).toMatchObject({ ok: true }))

  /** The type and the host key with which the node authenticated. */
  const hostKey = async () =>
    (await readFile(desk.at('known_hosts'), 'utf8')).trim().split(' ').slice(1)
  const isTaken = () =>
    stat(path.join(data, 'taken')).then(
      () => true,
      () => false,
    )

  /** An upload that continues until somebody ends it. */
  async function upload(who = userName, proof = {}): Promise<{ ended: Promise<unknown> }> {
    await rm(path.join(data, 'huge'), { force: true })
    const { address } = machine.network
    const child = await desk.start('sftp', proof, ['-l', '4000', `${who}@${address}`])
    child.stdin?.on('error', () => undefined).write('put huge huge\n')
    const size = () => stat(path.join(data, 'huge')).then(({ size }) => size)
    await machine.until('bytes arrive', async () => (await size().catch(() => 0)) > 0)
    return { ended: once(child, 'exit') }
  }

  /** The milliseconds from the person's notification until the upload has ended. */
  async function msUntil(ended: Promise<unknown>, withdraw: () => Promise<unknown>) {
    await withdraw()
    const answeredMs = performance.now()
    await ended
    return performance.now() - answeredMs
  }

  test('the program owns uploaded files, and its own files can be downloaded', async () => {
    const { host, port } = await owner.must('GET /api/servers/{id}/sftp', { params })
    expect([host, port]).toEqual([machine.network.address, PORT])
    await works(['put local coming', 'rename coming given'])
    await machine.until('the program takes the file', isTaken)
    await works(['get made', 'get taken'])
    expect(await readFile(desk.at('made'), 'utf8')).toBe('made inside\n')
    const [put, inside] = (await readFile(desk.at('taken'), 'utf8')).split('\n')
    expect(put).toBe('from my desk')
    const [user, ...owners] = (inside ?? '').split(' ')
    expect(Number(user)).toBeGreaterThan(0)
    expect(owners).toEqual([user, user])
    const to = `${userName}@${machine.network.address}:copied`
    expect(await desk.run('scp', {}, ['local', to])).toEqual({ ok: true, output: '' })
    expect(await readFile(path.join(data, 'copied'), 'utf8')).toBe('from my desk\n')
  })

  test('a file larger than the disk of the server does not fit', async () => {
    const { ok, output } = await desk.sftp(userName, ['put huge'])
    expect([ok, output]).toEqual([false, expect.stringMatching(/write.*(failure|space)/i)])
    expect((await stat(path.join(data, 'huge'))).size).toBeLessThan(imageBytes(DISK_MB))
    await works(['rm huge', 'put local fits', 'rm fits'])
  })

  test('the rules of a share are enforced, and its end ends open sessions', async () => {
    const bob = await HttpCustomer.of(machine, 'bob')
    const his = sftpUserName(bob.email, params.id)
    await share({ database: { pool: machine.database } }, params.id, owner, bob, ['files.read'])
    const shared = { params: { ...params, userId: bob.id } }
    await owner.must('PATCH /api/servers/{id}/collaborators/{userId}', {
      ...shared,
      body: {
        permissions: ['files.read', 'files.write', 'files.sftp'],
        files: [{ path: '/secret', access: 'none' }],
      },
    })
    // An earlier attempt may have created it.
    await works(['-mkdir secret', 'put local secret/keys'])
    const { password } = await bob.must('POST /api/servers/{id}/sftp/password', { params })
    const tries = ['put local his', 'get secret/keys x', 'ls secret', 'put local secret/mine']
    const outcomes: boolean[] = []
    for (const command of tries) outcomes.push((await desk.sftp(his, [command], { password })).ok)
    expect(outcomes).toEqual([true, false, false, false])
    const { ended } = await upload(his, { password })
    const end = () => owner.must('DELETE /api/servers/{id}/collaborators/{userId}', shared)
    expect(await msUntil(ended, end)).toBeLessThan(2_000)
    expect((await desk.sftp(his, ['ls'], { password })).ok).toBe(false)
    expect(await reached()).toBe(true)
  })

  test('the suspension of the owner ends open sessions', async () => {
    const { ended } = await upload()
    const account = { id: owner.id }
    const suspend = () =>
      machine.admin.must('POST /api/customers/{id}/suspend', {
        params: account,
        body: { reasonCode: 'other', options: { stopServers: false, revokeTokens: false } },
      })
    expect(await msUntil(ended, suspend)).toBeLessThan(2_000)
    expect(await reached()).toBe(false)
    const lift = { params: account, query: {} }
    await machine.admin.must('DELETE /api/customers/{id}/suspension', lift)
    expect(await reached()).toBe(true)
  })

  test('a killed agent serves again after its restart, with the same host keys', async () => {
    const before = await hostKey()
    const { ended } = await upload()
    await machine.agent.kill()
    await ended
    expect(await reached()).toBe(false)
    await rm(desk.at('known_hosts'))
    machine.agent.start()
    await machine.until('the node serves SFTP again', reached)
    expect(await hostKey()).toEqual(before)
    await rm(path.join(data, 'taken'))
    await works(['put local coming', 'rename coming given'])
    await machine.until('the program has run on', isTaken)
  })

  test('while no control plane responds, open sessions end and nobody can connect', async () => {
    const { ended } = await upload()
    await machine.panel.kill()
    await ended
    expect(await reached()).toBe(false)
    machine.panel.start()
    await machine.until('SFTP works again once the control plane is back', reached)
  })
})
