import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Quota } from '../quota.ts'
import { OpenFile } from './handles.ts'
import { BadPacket, field, PacketReader, packet, packetsOf, REPLY, REQUEST } from './packets.ts'
import { type Reads, readParts, withReadsJoined } from './reads.ts'

const folder = mkdtempSync(join(tmpdir(), 'lodge-reads-'))
const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251))
let file: OpenFile
beforeAll(() => {
  writeFileSync(join(folder, 'file'), bytes)
  const root = openSync(folder, 'r')
  file = new OpenFile(openSync(join(folder, 'file'), 'r'), new Quota(root), false)
  closeSync(root)
})
afterAll(() => {
  file.close()
  rmSync(folder, { recursive: true })
})

const read = (id: number, handle: string, offset: number, length: number) =>
  packet(
    REQUEST.read,
    ...[field.uint32(id), field.text(handle), field.uint64(offset), field.uint32(length)],
  ).subarray(4)
const close = packet(REQUEST.close, field.uint32(9), field.text('1')).subarray(4)
const shown = (asked: Buffer | Reads) =>
  Buffer.isBuffer(asked)
    ? asked
    : [asked.handle, asked.offset, asked.parts.map(({ id, length }) => [id.readUInt32BE(), length])]

test('reads that follow one another in a file are one, and nothing else is', () => {
  const asked = [
    ...[read(1, '1', 0, 100), read(2, '1', 100, 50), read(3, '1', 150, 50)],
    // Elsewhere, of another file, and after something else.
    ...[read(4, '1', 500, 10), read(5, '2', 510, 10), close, read(6, '2', 520, 10)],
  ]
  expect([...withReadsJoined(asked)].map(shown)).toEqual([
    [
      ...['1', 0],
      [
        [1, 100],
        [2, 50],
        [3, 50],
      ],
    ],
    ['1', 500, [[4, 10]]],
    ['2', 510, [[5, 10]]],
    close,
    ['2', 520, [[6, 10]]],
  ])
})

test('no more is read at once than fits into a quarter of a MiB', () => {
  const asked = Array.from({ length: 20 }, (_, index) => read(index, '1', index * 32_768, 32_768))
  const runs = [...withReadsJoined(asked)].map((run) => !Buffer.isBuffer(run) && run.parts.length)
  expect(runs).toEqual([8, 8, 4])
  const many = Array.from({ length: 200 }, (_, index) => read(index, '1', 0, 0))
  for (const run of withReadsJoined(many))
    expect(!Buffer.isBuffer(run) && run.parts.length).toBeLessThanOrEqual(64)
  expect(() => [...withReadsJoined([read(1, '1', 0, 1).subarray(0, 12)])]).toThrow(BadPacket)
})

test.each([
  { what: 'whole', offset: 0, lengths: [300, 300, 300], got: [300, 300, 300] },
  {
    what: 'up to the part that the file ends in',
    offset: 700,
    lengths: [200, 200, 200],
    got: [200, 100],
  },
  {
    what: 'up to the part that begins where the file ends',
    offset: 800,
    lengths: [200, 9, 9],
    got: [200, null],
  },
  { what: 'beyond the end', offset: 5_000, lengths: [10, 10], got: [null] },
  { what: 'of no bytes', offset: 5_000, lengths: [0, 0], got: [0, 0] },
])('parts are answered in order: $what', async ({ offset, lengths, got }) => {
  const parts = lengths.map((length, index) => ({ id: field.uint32(40 + index), length }))
  const { reply, answered } = await readParts(file, offset, parts)
  expect(answered).toBe(got.length)
  const replies: (number | null)[] = []
  let at = offset
  for await (const packets of packetsOf([reply] as never))
    for (const one of packets) {
      const reader = new PacketReader(one)
      const type = reader.byte()
      expect(reader.uint32()).toBe(40 + replies.length)
      if (type === REPLY.status) {
        expect(reader.uint32()).toBe(1)
        replies.push(null)
        continue
      }
      const data = reader.bytes()
      expect(data).toEqual(bytes.subarray(at, at + data.byteLength))
      at += data.byteLength
      replies.push(data.byteLength)
    }
  expect(replies).toEqual(got)
})
