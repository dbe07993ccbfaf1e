import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const FLOOD = 20_000
const callers = path.resolve(import.meta.dirname, 'silent-callers.ts')

let lodge: Lodge
let admin: Caller
let flood: { readonly program: ChildProcess; readonly ended: Promise<unknown> } | undefined
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())
afterEach(endFlood)

async function endFlood(): Promise<void> {
  flood?.program.kill('SIGKILL')
  await flood?.ended
}

/** Opens the flood, and returns when every connection has been opened once. */
async function floodPort(port: number): Promise<void> {
  const program = spawn(process.execPath, [callers, String(port), String(FLOOD)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  flood = { program, ended: once(program, 'exit') }
  await once(program.stdout, 'data')
}

/** A signed-in person's response time over a new connection, in milliseconds. */
async function answerMs(): Promise<number> {
  const beganAt = performance.now()
  const status = await new Promise<number | undefined>((resolve, reject) => {
    http
      .get(
        `${lodge.url}/api/auth/me`,
        { agent: false, headers: { cookie: `panel_session=${admin.cookie}` } },
        (response) => {
          response.resume().once('end', () => resolve(response.statusCode))
        },
      )
      .on('error', reject)
  })
  expect(status).toBe(200)
  return performance.now() - beganAt
}

/**
 * The response time allowed during a flood: a second, or more on a machine that is slow without one.
 */
async function allowedMs(): Promise<number> {
  let calmMs = 0
  for (let round = 0; round < 5; round++) calmMs = Math.max(calmMs, await answerMs())
  return Math.max(1_000, calmMs * 10)
}

const openFiles = () => readdirSync('/proc/self/fd').length

test('20,000 idle connections do not delay a signed-in person, and leave nothing behind', async () => {
  const limitMs = await allowedMs()
  const before = openFiles()
  await floodPort(lodge.controlPlane.port)
  for (let round = 0; round < 10; round++) expect(await answerMs()).toBeLessThan(limitMs)
  await endFlood()
  await until(() => openFiles() < before + 50)
  expect(await answerMs()).toBeLessThan(limitMs)
})

test('20,000 idle connections to the fleet port do not prevent agents from connecting', async () => {
  const limitMs = await allowedMs()
  const { port, caCertificate } = lodge.controlPlane.services.fleet
  await floodPort(port)
  const beganAt = performance.now()
  const socket = tls.connect({ port, ca: caCertificate, servername: 'lodge' })
  await once(socket, 'secureConnect')
  expect(performance.now() - beganAt).toBeLessThan(limitMs * 5)
  socket.destroy()
  expect(await answerMs()).toBeLessThan(limitMs)
})
