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
   * Limit of writable memory (RLIMIT_DATA). Node reserves some 500 MiB that it never uses; the
   * largest picture, interlaced with 16 bits per channel, takes 400 MiB.
   */
  readonly dataMb: number
  /** Aborted when the control plane stops. */
  readonly stopped?: AbortSignal
}
const LIMITS: Limits = { withinMs: 30_000, dataMb: 1200 }
/** Far more than a picture of this size ever takes. */
const MAX_DRAWN_BYTES = 16 * 1024 * 1024

/**
 * Decodes a picture and encodes it anew with bounded dimensions and without metadata, in a separate
 * process with limits on time and memory.
 * @returns undefined if there can be no preview: the picture is broken, or too large once decoded
 * @throws {Error} if drawing ended without an answer, such as when it took too long
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
      // The limit of CPU time ends it even if the control plane is killed meanwhile.
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
      // The process may exit before it has read everything.
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

/** The output: a line with the dimensions, then the picture. */
function drawnFrom(output: Buffer): Drawn {
  const end = output.indexOf('\n')
  const { width, height } = JSON.parse(output.toString('utf8', 0, end)) as Omit<Drawn, 'bytes'>
  return { width, height, bytes: output.subarray(end + 1) }
}
