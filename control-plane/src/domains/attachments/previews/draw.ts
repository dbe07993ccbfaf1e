import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { PATHS } from '../../../plugins/sandbox.ts'
import { programBeside } from '../../../program-beside.ts'
import { UNREADABLE } from './drawing.ts'

/** A small copy of a picture, as WebP. */
export interface Drawn {
  /** Pixels. */
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

interface Limits {
  readonly withinMs: number
  /**
   * Of writable memory. Node reserves some 500 MiB that it never uses; the largest picture, of 16 bits
   * a colour and interlaced, takes 400 MiB.
   */
  readonly dataMb: number
  /** Aborted when the control plane stops. */
  readonly stopped?: AbortSignal
}
const LIMITS: Limits = { withinMs: 30_000, dataMb: 1200 }
/** Far more than a picture of this size ever takes. */
const MAX_DRAWN_BYTES = 16 * 1024 * 1024

/**
 * Decodes a picture and encodes it anew, bounded in pixels and without its metadata, in a process of
 * its own with limits of time and memory.
 * @returns undefined if it cannot be shown: broken, or too large once it is decoded
 * @throws {Error} if it was not found out, such as when it takes too long
 */
export async function drawPreview(
  picture: Readable,
  limits: Partial<Limits> = {},
): Promise<Drawn | undefined> {
  const { withinMs, dataMb, stopped } = { ...LIMITS, ...limits }
  const program = fileURLToPath(programBeside(import.meta.url, 'draw-process'))
  const seconds = Math.ceil(withinMs / 1000)
  const child = spawn(
    'prlimit',
    [
      // The limit of computing time ends it also when the control plane was killed meanwhile.
      ...[`--data=${dataMb * 1024 * 1024}`, `--cpu=${seconds}`, '--core=0', '--'],
      ...['nice', '-n', '10', process.execPath, '--no-warnings', program],
    ],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: PATHS,
      timeout: withinMs,
      killSignal: 'SIGKILL',
      ...(stopped && { signal: stopped }),
    },
  )
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>
  try {
    const [output, [code, signal]] = await Promise.all([
      read(child.stdout),
      ended,
      // It may end before it has read all.
      pipeline(picture, child.stdin).catch(() => undefined),
    ])
    if (code === UNREADABLE) return undefined
    if (code !== 0) throw new Error(`a preview was not drawn (${signal ?? `code ${code}`})`)
    return drawnFrom(output)
  } finally {
    picture.destroy()
    child.kill('SIGKILL')
  }
}

async function read(stdout: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of stdout as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > MAX_DRAWN_BYTES) throw new Error('a preview is too large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** A line with the size, and the picture. */
function drawnFrom(output: Buffer): Drawn {
  const end = output.indexOf('\n')
  const { width, height } = JSON.parse(output.toString('utf8', 0, end)) as Omit<Drawn, 'bytes'>
  return { width, height, bytes: output.subarray(end + 1) }
}
