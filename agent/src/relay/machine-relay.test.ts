import { randomUUID } from 'node:crypto'
import net from 'node:net'
import { Duplex } from 'node:stream'
import { Power } from '@lodge/proto/server.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { AgentFixture } from '../testing/agent.fixture.ts'
import { machineText } from '../testing/machine.fixture.ts'
import { ViewOnly } from './view-only.ts'

/** A screen that records its input and can be read at the test's pace. */
class TestScreen extends Duplex {
  readonly told: Buffer[] = []
  wanted = 0
  sent = 0
  override _read(): void {
    this.wanted += 1
    // Endless, like a film: only the reader's pace limits it.
    const chunk = Buffer.alloc(64 * 1024, 'p')
    this.sent += chunk.byteLength
    setImmediate(() => this.push(chunk))
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.told.push(chunk)
    done()
  }
}

describe('the screen and the serial line of a machine', () => {
  let fixture: AgentFixture
  let serverId: string
  const ends: (() => void)[] = []

  beforeEach(async () => {
    fixture = await AgentFixture.open({ output: ['ready'] })
    serverId = randomUUID()
    const desired = fixture.fleet.setDesired({
      serverId,
      run: 1,
      install: 1,
      power: Power.ON,
      machineSpec: machineText(),
    })
    await fixture.start()
    expect(await fixture.fleet.settled(desired)).toMatchObject({ state: 'running' })
  })
  afterEach(async () => {
    for (const end of ends.splice(0)) end()
    await fixture.close()
  })

  /** A real WebSocket client on the connection that the agent opens for it. */
  async function open(kind: string, mayWrite = true): Promise<WebSocket> {
    const ticket = randomUUID()
    const dialled = new Promise<Duplex>((resolve) => fixture.fleet.relays.set(ticket, resolve))
    const sessionId = randomUUID()
    const value = { sessionId, serverId, kind, ticket, mayWrite, address: '', person: '' }
    fixture.fleet.send({ $case: 'relayOpen', value })
    const agent = await dialled
    const door = net.createServer((browser) => {
      browser.on('error', () => agent.destroy())
      agent.on('close', () => browser.destroy())
      browser.pipe(agent).pipe(browser)
    })
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    const { port } = door.address() as net.AddressInfo
    const socket = new WebSocket(`ws://127.0.0.1:${port}/relay/${kind}`, [`lodge.${kind}.v1`])
    socket.on('error', () => undefined)
    ends.push(() => {
      socket.terminate()
      door.close()
    })
    return socket
  }
  const opened = (socket: WebSocket) =>
    new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })

  it('relays the screen byte for byte and forwards input', async () => {
    const socket = await open('vnc')
    const greeting = await new Promise<Buffer>((resolve) => socket.once('message', resolve))
    expect(socket.protocol).toBe('lodge.vnc.v1')
    // The fake screen echoes everything.
    expect(greeting.toString()).toBe('RFB 003.008\n')
    socket.send(Buffer.from('typed'))
    const echo = await new Promise<Buffer>((resolve) => socket.once('message', resolve))
    expect(echo.toString()).toBe('typed')
  })

  it('reads the screen no faster than its reader does', async () => {
    const screen = new TestScreen()
    Object.assign(fixture.driver.screen, { open: async () => screen })
    const socket = await open('vnc')
    await opened(socket)
    socket.pause()
    let before = -1
    await expect
      .poll(
        () => {
          const still = screen.sent === before && before > 0
          before = screen.sent
          return still
        },
        { interval: 300 },
      )
      .toBe(true)
    // The difference is what the buffers of the kernel and the agent hold.
    expect(screen.sent).toBeLessThan(32 * 1024 * 1024)
    const paused = screen.sent
    socket.resume()
    await expect.poll(() => screen.sent).toBeGreaterThan(paused)
    socket.terminate()
    await expect.poll(() => screen.destroyed).toBe(true)
  })

  it('shows a view-only reader the full screen and forwards none of their keys', async () => {
    const screen = new TestScreen()
    Object.assign(fixture.driver.screen, { open: async () => screen })
    const socket = await open('vnc', false)
    await opened(socket)
    const update = Buffer.from([3, 0, 0, 0, 0, 0, 4, 0, 3, 0])
    socket.send(Buffer.concat([Buffer.from('RFB 003.008\n'), Buffer.from([1, 1])]))
    socket.send(Buffer.from([4, 1, 0, 0, 0, 0, 0xff, 0x0d]))
    socket.send(update)
    await expect
      .poll(() => Buffer.concat(screen.told).toString('latin1'))
      .toBe(`RFB 003.008\n\u0001\u0001${update.toString('latin1')}`)
  })

  it('closes with a reason for a machine that is off', async () => {
    const off = fixture.fleet.setDesired({ serverId, power: Power.OFF })
    await fixture.fleet.settled(off)
    const socket = await open('vnc')
    const [code, reason] = await new Promise<[number, Buffer]>((resolve) =>
      socket.once('close', (...how) => resolve(how)),
    )
    expect([code, reason.toString()]).toEqual([1011, 'The machine does not run.'])
  })

  it('gives every reader of the serial line past and new output', async () => {
    const texts = ['', '']
    const reader = async (index: number, mayWrite: boolean) => {
      const socket = await open('serial', mayWrite)
      socket.on('message', (data: Buffer) => {
        texts[index] += data.toString()
      })
      return socket
    }
    const sockets = [await reader(0, true), await reader(1, false)]
    await expect.poll(() => texts).toEqual(['ready\n', 'ready\n'])
    fixture.driver.print(serverId, 'login: ')
    await expect.poll(() => texts).toEqual(['ready\nlogin: ', 'ready\nlogin: '])
    sockets[0]?.send(Buffer.from('root\n'))
    sockets[1]?.send(Buffer.from('not heard\n'))
    await expect.poll(() => fixture.driver.inputs(serverId)).toEqual(['root'])
  })
})

describe('a view-only reader of a screen', () => {
  const greeting = Buffer.concat([Buffer.from('RFB 003.008\n'), Buffer.from([1, 1])])
  const encodings = Buffer.from([2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1])
  const format = Buffer.concat([Buffer.from([0]), Buffer.alloc(19)])
  const update = Buffer.from([3, 1, 0, 0, 0, 0, 4, 0, 3, 0])
  const key = Buffer.from([4, 1, 0, 0, 0, 0, 0xff, 0x0d])
  const pointer = Buffer.from([5, 1, 0, 9, 0, 9])
  const cut = Buffer.concat([Buffer.from([6, 0, 0, 0, 0, 0, 0, 3]), Buffer.from('abc')])
  const qemuKey = Buffer.concat([Buffer.from([255, 0]), Buffer.alloc(10)])
  const all = Buffer.concat([
    greeting,
    format,
    key,
    encodings,
    pointer,
    cut,
    update,
    qemuKey,
    update,
  ])
  const seen = Buffer.concat([greeting, format, encodings, update, update])

  it('has only display messages forwarded, however the bytes are chunked', () => {
    for (let size = 1; size <= all.byteLength; size += 1) {
      const filter = new ViewOnly()
      const out: Buffer[] = []
      for (let at = 0; at < all.byteLength; at += size)
        out.push(filter.pass(all.subarray(at, at + size)))
      expect(Buffer.concat(out).equals(seen)).toBe(true)
    }
  })

  it.each(['003.003', '003.004', '003.005', '003.006', '003.889', '004.000'])(
    'cannot speak RFB %s, whose messages begin elsewhere',
    (version) => {
      // In RFB 3.3 the byte after the version is ClientInit already.
      const said = Buffer.concat([Buffer.from(`RFB ${version}\n`), Buffer.from([1]), key, key])
      for (let size = 1; size <= said.byteLength; size += 1) {
        const filter = new ViewOnly()
        const out: Buffer[] = []
        const say = () => {
          for (let at = 0; at < said.byteLength; at += size)
            out.push(filter.pass(said.subarray(at, at + size)))
        }
        expect(say).toThrow(/RFB 3\.7 or 3\.8/)
        expect(Buffer.concat(out).byteLength).toBe(0)
      }
    },
  )

  it('is disconnected after a message that no viewer sends', () => {
    const filter = new ViewOnly()
    filter.pass(greeting)
    expect(() => filter.pass(Buffer.from([77]))).toThrow(/no message 77/)
    const flood = new ViewOnly()
    flood.pass(greeting)
    flood.pass(Buffer.from([6, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff]))
    expect(() => flood.pass(Buffer.alloc(100_000))).toThrow(/too long/)
  })
})
