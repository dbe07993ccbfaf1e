import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanCommand } from './command.ts'
import { withoutOverlap } from './console.ts'
import { LineSplitter } from './lines.ts'
import { Ring } from './ring.ts'

describe('the ring of a console', () => {
  it('keeps the newest bytes at their own offsets, whatever the chunk sizes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_000 }),
        fc.array(fc.uint8Array({ maxLength: 6_000 }), { maxLength: 12 }),
        fc.integer({ min: -5, max: 20_000 }),
        fc.integer({ min: 1, max: 5_000 }),
        (capacity, chunks, from, limit) => {
          const ring = new Ring(capacity)
          for (const chunk of chunks) ring.push(chunk)
          const all = Buffer.concat(chunks)
          expect(ring.end).toBe(all.byteLength)
          expect(ring.end - ring.start).toBeLessThanOrEqual(capacity)
          const read = ring.read(from, limit)
          expect(read.from).toBe(Math.min(Math.max(from, ring.start), ring.end))
          const expected = all.subarray(read.from, Math.min(all.byteLength, read.from + limit))
          expect(Buffer.from(read.bytes).equals(expected)).toBe(true)
        },
      ),
    )
  })

  it('keeps at least its capacity less one chunk', () => {
    const ring = new Ring(10_000)
    for (let index = 0; index < 100; index += 1) ring.push(Buffer.alloc(1_000))
    expect(ring.end - ring.start).toBeGreaterThanOrEqual(10_000 - 4_096)
  })
})

describe('lines', () => {
  it('are the same however the output is chunked', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', ' ') }),
        fc.integer({ min: 1, max: 7 }),
        (text, size) => {
          const splitter = new LineSplitter(true)
          const bytes = Buffer.from(`${text}\n`)
          const lines: string[] = []
          for (let at = 0; at < bytes.byteLength; at += size)
            lines.push(...splitter.push(bytes.subarray(at, at + size)))
          expect(lines).toEqual(text.split(/[\r\n]/).filter((line) => line !== ''))
        },
      ),
    )
  })

  it('without an end are split, so that they cannot exhaust memory', () => {
    const splitter = new LineSplitter(false)
    let count = 0
    for (let index = 0; index < 100; index += 1)
      count += splitter.push(Buffer.alloc(10_000, 'x')).length
    expect(count).toBeGreaterThan(40)
    expect(splitter.unfinished.length).toBeLessThanOrEqual(16_384)
  })
})

describe('output from two sources', () => {
  it('is joined without repeating a line', () => {
    expect(withoutOverlap(['a', 'b', 'c'], 'c\nd\n')).toEqual(['a', 'b'])
    expect(withoutOverlap(['a', 'b'], 'b\r\nc\r\n')).toEqual(['a'])
    expect(withoutOverlap(['a', 'b'], 'x\n')).toEqual(['a', 'b'])
    expect(withoutOverlap(['a', 'b'], '')).toEqual(['a', 'b'])
  })
})

describe('a command', () => {
  it('is one line, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cleanCommand(text)).not.toMatch(/[\r\n\0]/)
      }),
    )
  })
})
