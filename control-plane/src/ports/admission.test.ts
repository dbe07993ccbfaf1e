import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { type Admission, type AdmissionOptions, openPort } from '@lodge/shared/local/port.ts'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { connectionBudget } from './descriptors.ts'

let port: Admission | undefined
const callers: net.Socket[] = []
afterEach(async () => {
  for (const socket of callers.splice(0)) socket.destroy()
  await port?.stop()
})

/** An echo server. */
async function open(given: Partial<AdmissionOptions> = {}): Promise<Admission> {
  const options: AdmissionOptions = {
    connections: 100,
    perAddress: 100,
    silentMs: 60_000,
    keyOf: (address) => address,
    paused: false,
    ...given,
  }
  port = await openPort(
    { host: '127.0.0.1', port: 0 },
    options,
    (socket) => socket.pipe(socket),
    log,
  )
  return port
}
const log = pino({ level: 'silent' })

/** A connection from one of this machine's loopback addresses. */
async function call(from = '127.0.0.1'): Promise<net.Socket> {
  const socket = net.connect({ port: port?.port ?? 0, host: '127.0.0.1', localAddress: from })
  callers.push(socket)
  socket.on('error', () => undefined).resume()
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

/** Whether the port responds on this connection. */
async function answers(socket: net.Socket): Promise<boolean> {
  if (socket.destroyed) return false
  socket.write('hello')
  return Promise.race([
    once(socket, 'data').then(() => true),
    once(socket, 'close').then(() => false),
  ])
}

test('a silent connection is closed, and one that has sent data stays', async () => {
  const { open: count } = await open({ silentMs: 300 })
  const [silent, talking] = [await call(), await call()]
  expect(await answers(talking)).toBe(true)
  await until(() => silent.destroyed)
  expect(await answers(talking)).toBe(true)
  expect(count()).toBe(1)
})

test('an address at its limit is refused, and others are not', async () => {
  await open({ perAddress: 3 })
  const first = [await call(), await call(), await call()]
  for (const socket of first) expect(await answers(socket)).toBe(true)
  expect(await answers(await call())).toBe(false)
  expect(await answers(await call('127.0.0.2'))).toBe(true)
  const [leaving] = first
  leaving?.destroy()
  await until(async () => answers(await call()))
})

test('silent connections make room for a new one, oldest first', async () => {
  await open({ perAddress: 3 })
  const talking = await call()
  expect(await answers(talking)).toBe(true)
  const [oldest, younger] = [await call(), await call()]
  expect(await answers(await call())).toBe(true)
  await until(() => oldest.destroyed)
  expect(await answers(younger)).toBe(true)
  expect(await answers(talking)).toBe(true)
})

test('the total limit includes addresses that are not counted themselves', async () => {
  await open({ connections: 3, perAddress: 1, keyOf: () => undefined })
  for (const from of ['127.0.0.1', '127.0.0.1', '127.0.0.3'])
    expect(await answers(await call(from))).toBe(true)
  expect(await answers(await call('127.0.0.4'))).toBe(false)
})

test.each([256, 1024, 20_000, 1_048_576])(
  '%i descriptors include a reserve that connections never get',
  (limit) => {
    const { panel, fleet } = connectionBudget(limit)
    expect(panel).toBeGreaterThan(0)
    if (limit > 512) expect(panel + fleet).toBeLessThanOrEqual(limit * 0.75)
  },
)

test('a port survives running out of descriptors and accepts again when there are some', async () => {
  const program = `
    import { closeSync, openSync } from 'node:fs'
    import { pino } from 'pino'
    import { openPort } from '${import.meta.dirname}/../../../shared/src/local/port.ts'
    const options = { connections: 9, perAddress: 9, silentMs: 9e9, keyOf: () => undefined, paused: false }
    const port = await openPort({ host: '127.0.0.1', port: 0 }, options, (socket) => socket.pipe(socket), pino({ level: 'silent' }))
    const files = []
    process.on('SIGUSR2', () => { for (const file of files) closeSync(file); process.stdout.write('free ') })
    try { for (;;) files.push(openSync('/dev/null', 'r')) } catch {}
    process.stdout.write(port.port + ' ')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const [said] = await once(child.stdout, 'data')
    const at = { port: Number(said), host: '127.0.0.1' }
    const turnedAway = Array.from({ length: 20 }, () => net.connect(at))
    callers.push(...turnedAway)
    for (const socket of turnedAway) socket.on('error', () => undefined)
    await Promise.all(turnedAway.map((socket) => once(socket, 'connect')))
    child.kill('SIGUSR2')
    await once(child.stdout, 'data')
    await until(async () => {
      const socket = net.connect(at)
      callers.push(socket)
      socket.on('error', () => undefined)
      return answers(socket)
    })
    expect(child.exitCode).toBe(null)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
})
