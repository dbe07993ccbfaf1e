import { fakeDriver } from '@lodge/driver-fake/fake.ts'
import { describe, expect, it } from 'vitest'
import { ServerConsole } from '../console/console.ts'
import { createLog } from '../log.ts'
import { ConsoleSession } from './console-session.ts'

const KIB = 1024
const WINDOW = 256 * KIB
const FRAME = 32 * KIB

/** A session whose socket the test inspects: what was sent, and what is still buffered. */
async function sessionOf() {
  const output = new ServerConsole(fakeDriver(), 'a-server', 'run', createLog('silent'))
  const line = { sent: 0, waiting: 0, texts: [] as string[] }
  const session = new ConsoleSession({
    console: output,
    socket: {
      waitingBytes: () => line.waiting,
      sendBytes(bytes) {
        line.sent += bytes.byteLength
        line.waiting += bytes.byteLength
      },
      sendText: (text) => line.texts.push(text),
    },
    mayWrite: false,
    nowMs: () => Date.now(),
    command: async () => {},
  })
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
})
