import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AgentFixture } from '../testing/agent.fixture.ts'
import { send } from './testing/file-fixture.ts'

let fixture: AgentFixture
let data: string
beforeEach(async () => {
  fixture = await AgentFixture.open({ output: ['ready'] })
  await fixture.running()
  data = join(fixture.folder, 'servers', fixture.serverId)
})
afterEach(() => fixture.close())

/** The control plane's end of a connection to the files of the server. */
async function dialled(): Promise<Duplex> {
  const ticket = randomUUID()
  const found = new Promise<Duplex>((resolve) => fixture.fleet.relays.set(ticket, resolve))
  const relay = { sessionId: randomUUID(), ticket, mayWrite: true, address: '', person: '' }
  const value = { ...relay, serverId: fixture.serverId, kind: 'files' }
  fixture.fleet.send({ $case: 'relayOpen', value })
  return await found
}

async function task(work: object, taskId = randomUUID()) {
  const document = JSON.stringify({ rules: [], may: ['read', 'write', 'delete'], ...work })
  const task = { taskId, serverId: fixture.serverId, timeout: { seconds: 60, nanos: 0 } }
  fixture.fleet.send({
    $case: 'task',
    value: { ...task, work: { $case: 'fileWork', value: { document } } },
  })
  return await fixture.fleet.until(`the result of ${taskId}`, () => {
    const results = fixture.fleet.said.flatMap((said) =>
      said.$case === 'taskResult' && said.value.taskId === taskId ? [said.value.outcome] : [],
    )
    const outcome = results.at(-1)
    if (outcome?.$case === 'failure') return outcome.value
    const output = outcome?.$case === 'done' ? outcome.value.output : undefined
    return output?.$case === 'fileWork' ? JSON.parse(output.value.document) : undefined
  })
}

test('the control plane works with files over its relay, also while the server is stopped', async () => {
  expect(fixture.fleet.hellos[0]?.capabilities).toContain('container.files')
  const socket = await dialled()
  const content = Buffer.alloc(3_000_000, 'lodge')
  const made = await send(socket, 'PUT', '/v1/content?path=/world/level.dat', { body: content })
  expect(made.json).toMatchObject({ path: '/world/level.dat', sizeBytes: content.byteLength })
  expect((await readFile(join(data, 'world/level.dat'))).equals(content)).toBe(true)
  const stopped = fixture.fleet.setDesired({ serverId: fixture.serverId, power: 1 })
  await fixture.fleet.state(stopped.serverId, 'stopped', stopped.generation)
  const other = await dialled()
  const read = await send(other, 'GET', '/v1/content?path=/world/level.dat')
  expect(read.bytes.equals(content)).toBe(true)
  for (const end of [socket, other]) end.destroy()
})

test('long work on files is a task, with a result or the code of its refusal', async () => {
  await mkdir(join(data, 'world'))
  await writeFile(join(data, 'world/level.dat'), 'content')
  const pack = { do: 'archive', paths: ['/world'], to: '/world.tar.zst', format: 'tar.zst' }
  const id = randomUUID()
  expect(await task({ ...pack, replace: false }, id)).toMatchObject({ entries: 2, skippedCount: 0 })
  expect(await task({ ...pack, replace: false }, id)).toMatchObject({ entries: 2 })
  expect(await task({ ...pack, replace: false })).toMatchObject({ code: 'file_exists' })
  expect(await task({ do: 'delete', paths: ['/missing'] })).toMatchObject({
    code: 'file_not_found',
  })
  expect(await task({ do: 'dance' })).toMatchObject({ code: 'invalid_file_request' })
  expect(await readdir(data)).toContain('world.tar.zst')
})

test('a download from an address never reaches into the network of the node', async () => {
  const hungUp = Promise.withResolvers<void>()
  const inner = http.createServer(({ url }, response) => {
    if (url === '/x') return response.end('internal')
    response.once('close', hungUp.resolve)
    response.writeHead(200, { 'content-length': 1_000_000 }).write('begins')
  })
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
  const { port } = inner.address() as AddressInfo
  for (const url of [
    `https://127.0.0.1:${port}/x`,
    `https://localhost:${port}/x`,
    'https://169.254.169.254/',
  ]) {
    const refused = await task({ do: 'pull', url, to: '/got', replace: false, maxBytes: 1_000 })
    // Whoever reads it cannot change settings of the node.
    expect(refused, url).toMatchObject({
      code: 'pull_failed',
      detail: `Nothing is downloaded from ${new URL(url).host}, because its address is not one of the public internet. Ask your host to allow it.`,
    })
  }
  fixture.allowedHosts.push(`127.0.0.1:${port}`)
  const url = `http://127.0.0.1:${port}/x`
  const small = await task({ do: 'pull', url, to: '/got', replace: false, maxBytes: 5 })
  expect(small).toMatchObject({ code: 'file_too_large' })
  expect(await readdir(data)).not.toContain('got')
  const large = { do: 'pull', url: `http://127.0.0.1:${port}/large`, to: '/got', replace: false }
  expect(await task({ ...large, maxBytes: 1_000 })).toMatchObject({ code: 'file_too_large' })
  await hungUp.promise
  const got = await task({ do: 'pull', url, to: '/got', replace: false, maxBytes: 1_000 })
  expect(got).toMatchObject({ entries: 1, bytes: 8 })
  expect(await readFile(join(data, 'got'), 'utf8')).toBe('internal')
  inner.close()
})
