import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pace } from './pace.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a stream without end is read at its pace, and one within it at once', async () => {
  const endless = new Readable({ read() {} })
  let read = 0
  endless.on('data', (part: Buffer) => {
    read += part.length
  })
  pace(endless, 4000)
  const written = Buffer.alloc(500)
  const second = async (parts: number) => {
    for (let at = 0; at < parts; at += 1) {
      endless.push(written)
      await vi.advanceTimersByTimeAsync(1000 / parts)
    }
  }
  await second(100)
  expect(read).toBeLessThanOrEqual(5000)
  expect(read).toBeGreaterThanOrEqual(3500)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(read).toBe(50_000)
  await second(4)
  expect(read).toBe(52_000)
})
