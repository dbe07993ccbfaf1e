import type { BigIntStats } from 'node:fs'
import { field, type PacketReader } from './packets.ts'

const SIZE = 0x1
const OWNER = 0x2
const PERMISSIONS = 0x4
const TIMES = 0x8
const EXTENDED = 0x80000000

/** What a client wants to be true of a file; what it leaves out stays as it is. */
export interface WantedAttributes {
  readonly sizeBytes?: number
  readonly owner?: { readonly uid: number; readonly gid: number }
  readonly mode?: number
  readonly times?: { readonly accessed: number; readonly modified: number }
}

export function readAttributes(packet: PacketReader): WantedAttributes {
  const flags = packet.uint32()
  const wanted = {
    ...(flags & SIZE && { sizeBytes: packet.uint64() }),
    ...(flags & OWNER && { owner: { uid: packet.uint32(), gid: packet.uint32() } }),
    // Without the bits that would run a file as somebody else.
    ...(flags & PERMISSIONS && { mode: packet.uint32() & 0o777 }),
    ...(flags & TIMES && { times: { accessed: packet.uint32(), modified: packet.uint32() } }),
  }
  if (flags & EXTENDED)
    for (let left = packet.uint32(); left > 0; left -= 1) {
      packet.bytes()
      packet.bytes()
    }
  return wanted
}

const seconds = (milliseconds: bigint): number =>
  Math.min(0xffffffff, Math.max(0, Number(milliseconds / 1000n)))

export const attributesOf = (stats: BigIntStats): Buffer =>
  Buffer.concat([
    field.uint32(SIZE | OWNER | PERMISSIONS | TIMES),
    field.uint64(stats.size),
    field.uint32(Number(stats.uid)),
    field.uint32(Number(stats.gid)),
    field.uint32(Number(stats.mode)),
    field.uint32(seconds(stats.atimeMs)),
    field.uint32(seconds(stats.mtimeMs)),
  ])

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const RIGHTS = ['---', '--x', '-w-', '-wx', 'r--', 'r-x', 'rw-', 'rwx']

/** The line of `ls -l`, which clients for the terminal show as it is. */
export function lineOf(name: Buffer, stats: BigIntStats): Buffer {
  const mode = Number(stats.mode)
  const kind = stats.isDirectory() ? 'd' : stats.isSymbolicLink() ? 'l' : '-'
  const rights = [6, 3, 0].map((shift) => RIGHTS[(mode >> shift) & 7]).join('')
  const date = new Date(Number(stats.mtimeMs))
  const recent = Math.abs(Date.now() - date.getTime()) < 180 * 86_400_000
  const time = recent ? date.toISOString().slice(11, 16) : ` ${date.getUTCFullYear()}`
  const day = `${MONTHS[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)}`
  const columns = [
    String(stats.nlink).padStart(3),
    String(stats.uid).padEnd(8),
    String(stats.gid).padEnd(8),
    String(stats.size).padStart(10),
  ].join(' ')
  return Buffer.concat([Buffer.from(`${kind}${rights} ${columns} ${day} ${time} `), name])
}
