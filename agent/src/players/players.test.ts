import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { systemClock } from '../clock.ts'
import { askPlayers } from './ask.ts'
import { PlayerWatch } from './player-watch.ts'
import { readPlayerList } from './read-list.ts'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})

const text = (value: string) => Buffer.from(`${value}\0`)
const head = Buffer.from([0xff, 0xff, 0xff, 0xff])

/**
 * Answers in Valve's protocol for a game with these players, with challenges as real servers send
 * them.
 */
function valveAnswer(question: Buffer, names: readonly string[]): Buffer {
  const challenge = Buffer.from([1, 2, 3, 4])
  const given = question.subarray(-4).equals(challenge)
  const players = question[4] === 0x55
  if (!given) return Buffer.concat([head, Buffer.from([0x41]), challenge])
  if (!players)
    return Buffer.concat([
      ...[head, Buffer.from([0x49, 17]), text('A game'), text('map'), text('folder'), text('Game')],
      ...[Buffer.from([0, 0, names.length, 20, 0, 0x64, 0x6c, 0, 0]), text('1')],
    ])
  const rows = names.map((name) => Buffer.concat([Buffer.from([0]), text(name), Buffer.alloc(8)]))
  return Buffer.concat([head, Buffer.from([0x44, names.length]), ...rows])
}

/** A game server on UDP, simulated. */
async function game(
  answer: (question: Buffer, send: (part: Buffer) => void) => void,
): Promise<number> {
  const socket: Socket = createSocket('udp4')
  socket.on('message', (question, { port }) =>
    answer(question, (part) => socket.send(part, port, '127.0.0.1')),
  )
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  ending.push(() => socket.close())
  return socket.address().port
}

describe('a player query', () => {
  test('in the Valve protocol returns the number of players, the limit and the names', async () => {
    const port = await game((question, send) => send(valveAnswer(question, ['Ann', 'Bob', 'Cy'])))
    expect(await askPlayers('valve', port)).toEqual({
      online: 3,
      most: 20,
      names: ['Ann', 'Bob', 'Cy'],
    })
  })

  test('in the Minecraft protocol returns the same', async () => {
    const status = JSON.stringify({
      version: { name: '1.21' },
      players: { max: 20, online: 1, sample: [{ id: '0', name: 'Steve' }] },
    })
    const varint = (value: number) => Buffer.from([(value & 127) | 128, value >> 7])
    const body = Buffer.concat([Buffer.from([0]), varint(status.length), Buffer.from(status)])
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(Buffer.concat([varint(body.length), body])))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ending.push(() => server.close())
    const { port } = server.address() as net.AddressInfo
    expect(await askPlayers('minecraft', port)).toEqual({ online: 1, most: 20, names: ['Steve'] })
  })

  test('shortens names and strips control characters from them', async () => {
    const hostile = ['\u001b[2Jred\u202e', 'x'.repeat(500), '\n']
    const port = await game((question, send) => send(valveAnswer(question, hostile)))
    const told = await askPlayers('valve', port)
    expect(told?.names).toEqual(['[2Jred', 'x'.repeat(64)])
  })

  test('stops reading an answer that is larger than any game would send', async () => {
    let sent = 0
    const port = await game((_question, send) => {
      for (let at = 0; at < 200; at++) {
        const part = Buffer.alloc(8_000)
        part.writeInt32LE(-2)
        part.writeInt32LE(at + 1, 4)
        send(part)
        sent += part.byteLength
      }
    })
    const before = process.memoryUsage().arrayBuffers
    expect(await askPlayers('valve', port)).toBeUndefined()
    expect(sent).toBeGreaterThan(1_000_000)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000)
  })

  test('gives up within seconds when the server is silent', async () => {
    const port = await game(() => undefined)
    const startedMs = Date.now()
    expect(await askPlayers('valve', port)).toBeUndefined()
    expect(Date.now() - startedMs).toBeLessThan(8_000)
  })
})

describe('a player list in the data folder', () => {
  let folder: string
  const list = () => readPlayerList(folder, 'world/players.json', Date.now())
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodge-players-'))
    ending.push(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'world'))
  })
  const keep = (content: string) => writeFile(join(folder, 'world/players.json'), content)

  test('is read while the server keeps it up to date', async () => {
    await keep('{"online":2,"most":15,"names":["ann","bob"]}')
    expect(await list()).toEqual({ online: 2, most: 15, names: ['ann', 'bob'] })
    await utimes(join(folder, 'world/players.json'), 0, 0)
    expect(await list()).toBeUndefined()
  })

  test.for([['{"online":-1}'], ['{"online":"many"}'], ['null'], ['{'], [' '.repeat(40_000)]])(
    'is ignored when it contains %s',
    async ([content = '']) => {
      await keep(content.slice(0, 40_000))
      expect(await list()).toBeUndefined()
    },
  )

  test('is not followed out of the folder', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'lodge-players-'))
    ending.push(() => rm(elsewhere, { recursive: true }))
    await writeFile(join(elsewhere, 'secret.json'), '{"online":1}')
    await symlink(join(elsewhere, 'secret.json'), join(folder, 'world/players.json'))
    expect(await list()).toBeUndefined()
  })
})

test('sampling never waits for an answer, and a server that falls silent keeps its last one', async () => {
  let silent = false
  let nowMs = Date.now()
  let questions = 0
  const port = await game((question, send) => {
    questions++
    if (!silent) send(valveAnswer(question, ['Ann']))
  })
  const watch = new PlayerWatch({
    clock: { ...systemClock, nowMs: () => nowMs },
    serverOf: () => ({
      query: { kind: 'protocol', protocol: 'valve', port: 27015 },
      ports: [{ hostAddress: '0.0.0.0', hostPort: port, containerPort: 27015, protocol: 'udp' }],
    }),
    dataFolder: () => '/',
  })
  const figures = { cpuPercent: 0, memoryBytes: 0, networkRxBytes: 0, networkTxBytes: 0 }
  const running = [{ serverId: 'a', at: new Date(), ...figures, diskBytes: null }]
  expect(watch.of(running).get('a')).toBeUndefined()
  const told = await until(() => watch.of(running).get('a'))
  expect(told).toMatchObject({ online: 1, names: ['Ann'], at: new Date(nowMs) })
  silent = true
  nowMs += 60_000
  const asked = questions
  expect(watch.of(running).get('a')).toEqual(told)
  await until(() => questions > asked)
  expect(watch.of(running).get('a')).toEqual(told)
  expect(watch.of([]).get('a')).toBeUndefined()
})
