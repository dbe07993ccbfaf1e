import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { type FakeDriver, fakeDriver } from '@lodge/driver-fake/fake.ts'
import { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { machineText } from '../testing/machine.fixture.ts'
import { type CopyServer, copyServer } from './copy-server.ts'

const ASKED_WITHIN_MS = 300
const CLOSING = 'host: lodge\r\nconnection: close\r\n'

let driver: FakeDriver
let copies: CopyServer
let listener: net.Server
/** The machine that the next connection was opened for. */
let serverId: string
beforeEach(async () => {
  driver = fakeDriver()
  for (const id of ['mine', 'theirs'])
    driver.runtime.machines.set(id, {
      spec: MachineSpec.parse(JSON.parse(machineText())),
      parts: new Map([['system', `the disk of ${id}`]]),
      snapshots: new Map(),
      copying: 0,
    })
  const { transfer } = driver
  if (!transfer) throw new Error('the driver transfers nothing')
  copies = copyServer(transfer, createLog('silent'), { askedWithinMs: ASKED_WITHIN_MS })
  serverId = 'mine'
  listener = net.createServer((socket) => copies.serve(serverId, socket)).listen(0, '127.0.0.1')
  await once(listener, 'listening')
})
afterEach(async () => {
  copies.close()
  listener.close()
  await once(listener, 'close')
})

/** Everything that is answered to these bytes, until the node hangs up. */
async function answerTo(said: string): Promise<string> {
  const socket = net.connect((listener.address() as AddressInfo).port, '127.0.0.1')
  let heard = ''
  socket.on('data', (bytes) => {
    heard += String(bytes)
  })
  socket.on('error', () => undefined)
  socket.write(said)
  await once(socket, 'close')
  return heard
}
const ask = (target: string, more = '') =>
  answerTo(`GET ${target} HTTP/1.1\r\n${CLOSING}${more}\r\n`)

describe('the copy of a machine, on a connection of another node', () => {
  test('is that of the machine which the connection was opened for', async () => {
    expect(await ask('/files/system')).toMatch(/^HTTP\/1\.1 200 .*the disk of mine/s)
    expect(await ask('/files/system', 'range: bytes=12-\r\n')).toMatch(/^HTTP\/1\.1 206 /)
    serverId = 'theirs'
    expect(await ask('/files/system')).toContain('the disk of theirs')
    serverId = 'nobody'
    expect(await ask('/files/system')).toMatch(/^HTTP\/1\.1 404 /)
  })

  test.each([
    '/files/../theirs/system',
    '/files/..%2ftheirs%2fsystem',
    '/files/%2e%2e/theirs/system',
    '/files//etc/passwd',
    '/files/../../../../etc/passwd',
    '/files/system/',
    '/files/system%00',
    '/files/.system',
    '/files/',
    '/',
    '//files/system',
    'http://theirs/files/system',
    `/files/${'a'.repeat(65)}`,
  ])('N3: cannot be left by the path %s', async (target) => {
    const answer = await ask(target)
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
    expect(answer).not.toContain('the disk of')
  })

  test('N3: is only read, and from a place that is a number', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS'])
      expect(
        await answerTo(`${method} /files/system HTTP/1.1\r\n${CLOSING}\r\n`),
        method,
      ).not.toContain('the disk of')
    for (const range of ['bytes=-5', 'bytes=0-3', 'bytes=1e9-', `bytes=${'9'.repeat(20)}-`, 'x'])
      expect(await ask('/files/system', `range: ${range}\r\n`), range).toMatch(/^HTTP\/1\.1 416 /)
    expect(driver.runtime.machines.get('mine')?.parts.get('system')).toBe('the disk of mine')
  })

  test('N3: ends with a head that is too large, is no HTTP, or never ends', async () => {
    expect(await ask('/files/system', `x-much: ${'x'.repeat(9_000)}\r\n`)).not.toContain('disk of')
    expect(await answerTo('GET /files/system HTTP/9.9\r\n\r\n')).not.toContain('disk of')
    expect(await answerTo('GET /files/system HTTP/1.1\r\nhost: lo')).toBe('')
    expect(await answerTo('')).toBe('')
  })
})
