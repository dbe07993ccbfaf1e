import { fakeDriver } from '@lodge/driver-fake/fake.ts'
import { ContainerSpec } from '@lodge/shared/container-spec.ts'
import { describe, expect, it } from 'vitest'
import { ServerConsole } from '../console/console.ts'
import { createLog } from '../log.ts'
import { specText } from '../testing/agent.fixture.ts'
import { ConsoleSession } from './console-session.ts'

const KIB = 1024
const WINDOW = 256 * KIB
const FRAME = 32 * KIB

/** A session whose socket the test inspects: what was sent, and what is still buffered. */
function sessionOn(output: ServerConsole) {
  const line = { sent: 0, waiting: 0, heard: '', texts: [] as string[] }
  const session = new ConsoleSession({
    console: output,
    socket: {
      waitingBytes: () => line.waiting,
      sendBytes(bytes) {
        line.sent += bytes.byteLength
        line.heard += new TextDecoder().decode(bytes)
        line.waiting += bytes.byteLength
      },
      sendText: (text) => line.texts.push(text),
    },
    mayWrite: false,
    nowMs: () => Date.now(),
    command: async () => {},
  })
  return { session, line }
}

async function sessionOf() {
  const output = new ServerConsole(fakeDriver(), 'a-server', 'run', createLog('silent'))
  const { session, line } = sessionOn(output)
  await session.start()
  const print = (kib: number) => output.heard(Buffer.alloc(kib * KIB, 'x'))
  const acknowledge = (bytes: number) => session.heard(JSON.stringify({ type: 'ack', bytes }))
  return { line, print, acknowledge, close: () => session.close() }
}

describe('a reader of a console', () => {
  it('is sent at most one unacknowledged window', async () => {
    const { line, print, acknowledge, close } = await sessionOf()
    for (let count = 0; count < 4; count += 1) print(64)
    await expect.poll(() => line.sent).toBe(WINDOW)
    for (let count = 0; count < 3; count += 1) print(64)
    line.waiting = 0
    acknowledge(1)
    expect(line.sent).toBeLessThan(WINDOW + 2 * FRAME)
    acknowledge(line.sent)
    expect(line.sent).toBe(7 * 64 * KIB)
    close()
  })

  it('is sent nothing more while the socket is full, even after acknowledging everything', async () => {
    const { line, print, acknowledge, close } = await sessionOf()
    for (let count = 0; count < 16; count += 1) {
      print(64)
      acknowledge(Number.MAX_SAFE_INTEGER)
    }
    expect(line.waiting).toBeLessThan(WINDOW + FRAME)
    // It continues as soon as the socket has drained.
    const before = line.sent
    line.waiting = 0
    acknowledge(0)
    expect(line.sent).toBeGreaterThan(before)
    expect(line.waiting).toBeLessThan(WINDOW + FRAME)
    close()
  })

  it('cannot do anything with malformed messages', async () => {
    const { line, print, acknowledge, close } = await sessionOf()
    for (let count = 0; count < 4; count += 1) print(64)
    await expect.poll(() => line.sent).toBe(WINDOW)
    print(64)
    const before = line.sent
    acknowledge(-1_000_000)
    acknowledge(Number.NaN)
    expect(line.sent).toBe(before)
    close()
  })

  it('is sent each line once, also when others begin to read at the same time', async () => {
    const driver = fakeDriver()
    const ref = { serverId: 'a-server', generation: 1, run: 1 }
    const spec = ContainerSpec.parse(JSON.parse(specText()))
    const { signal } = new AbortController()
    await driver.apply(ref, spec, () => {}, signal)
    await driver.start(ref.serverId, signal)
    driver.print(ref.serverId, 'before\n')
    const output = new ServerConsole(driver, ref.serverId, 'run', createLog('silent'))
    output.heard(Buffer.from('since\n'))
    const readers = [0, 1, 2].map(() => sessionOn(output))
    const [, , gone] = readers
    const started = readers.map(({ session }) => session.start())
    // One leaves before it has begun.
    gone?.session.close()
    await Promise.all(started)
    output.heard(Buffer.from('now\n'))
    const present = readers.filter((reader) => reader !== gone)
    for (const { line, session } of present) {
      await expect.poll(() => line.heard).toContain('now')
      expect(line.heard.split(/\r?\n/)).toEqual(['ready', 'before', 'since', 'now', ''])
      session.close()
    }
    expect(gone?.line).toMatchObject({ sent: 0, texts: [] })
  })
})
