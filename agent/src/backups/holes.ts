import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'

// restic keeps holes as zeros and, before its version 0.15, writes all of them back to the disk.

/** Shorter ones are not worth the fragments that they leave. */
const HOLE_BYTES = 1024 * 1024
const ZEROS = Buffer.alloc(HOLE_BYTES)
/** Of `stat`. */
const BLOCK_BYTES = 512
/** Of millions of files. */
const DEADLINE_MS = 3_600_000

interface Found {
  readonly path: Buffer
  readonly stats: BigIntStats
}

/**
 * Whether any file of a tree has large holes; true if that cannot be found out. `find` filters out the
 * many files that are too small to have one.
 */
export async function hasHoles(folder: string, signal: AbortSignal): Promise<boolean> {
  let found = false
  const large = ['-type', 'f', '-size', `+${HOLE_BYTES / 1024 - 1}k`]
  const { code } = await runProgram('find', [folder, ...large, '-printf', '%s %b\\n'], {
    signal,
    deadlineMs: DEADLINE_MS,
    onLine(line) {
      const [bytes, blocks] = line.split(' ').map(Number)
      if (Number(bytes) - Number(blocks) * BLOCK_BYTES >= HOLE_BYTES) found = true
    },
  })
  return found || code === null
}

/** Makes holes of the long runs of zeros in a tree that nobody else writes to. */
export async function digHoles(folder: string, signal: AbortSignal): Promise<void> {
  for await (const { path, stats } of filesIn(Buffer.from(folder), signal))
    if (stats.size >= HOLE_BYTES && stats.blocks > 0n) await digIn(path, signal)
}

/** The files below a folder, whatever bytes their names have. */
async function* filesIn(folder: Buffer, signal: AbortSignal): AsyncGenerator<Found> {
  for (const entry of await readdir(folder, { encoding: 'buffer', withFileTypes: true })) {
    signal.throwIfAborted()
    const path = Buffer.concat([folder, Buffer.from('/'), entry.name])
    if (entry.isDirectory()) yield* filesIn(path, signal)
    else if (entry.isFile()) yield { path, stats: await lstat(path, { bigint: true }) }
  }
}

async function digIn(path: Buffer, signal: AbortSignal): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    const { mtimeNs } = await file.stat({ bigint: true })
    let dug = false
    for await (const { from, bytes } of zerosIn(file, signal)) {
      const range = ['--offset', `${from}`, '--length', `${bytes}`]
      // A file system without holes keeps the zeros.
      if (!(await run(file, 'fallocate', ['--punch-hole', ...range]))) break
      dug = true
    }
    // A hole counts as a change, and the clock of JavaScript is not exact enough.
    const date = ['--date', `@${seconds(mtimeNs)}`]
    if (dug && !(await run(file, 'touch', ['-m', '--no-create', ...date])))
      throw new DriverError('not_permitted', 'The time of a restored file could not be set.')
  } finally {
    await file.close()
  }
}

const seconds = (ns: bigint): string =>
  `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`

/** Runs of whole pieces that are nothing but zeros. */
async function* zerosIn(file: FileHandle, signal: AbortSignal) {
  const piece = Buffer.allocUnsafe(HOLE_BYTES)
  let from: number | null = null
  let at = 0
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(piece, 0, HOLE_BYTES, at)
    const isZero = bytesRead === HOLE_BYTES && piece.equals(ZEROS)
    if (isZero) from ??= at
    else if (from !== null) {
      yield { from, bytes: at - from }
      from = null
    }
    if (bytesRead < HOLE_BYTES) return
    at += bytesRead
  }
}

/** Runs a program on an open file, whose name it need not know. */
async function run(file: FileHandle, program: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(program, [...args, '/proc/self/fd/3'], {
    stdio: ['ignore', 'ignore', 'ignore', file.fd],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' },
  })
  const [code] = await once(child, 'close')
  return code === 0
}
