import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import { z } from 'zod'
import type { Engine } from '../engine/client.ts'

const DEADLINE_MS = 600_000

/** What the engine says about the parts of an image that it saves. */
const Manifest = z.tuple([z.object({ Layers: z.tuple([z.string()]) })])

/**
 * Fetches the only layer of an image from the engine, as a tar file below `work`; returns its path.
 * The engine keeps the only lasting copy. Throws `image_unavailable`.
 */
export async function takeLayer(
  engine: Engine,
  imageId: string,
  work: string,
  signal: AbortSignal,
): Promise<string> {
  const folder = join(work, 'base')
  const saved = join(work, 'base.tar')
  await mkdir(folder)
  const limited = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)])
  try {
    const stream = await engine.call(() => engine.docker.getImage(imageId).get(), {
      signal,
      deadlineMs: DEADLINE_MS,
    })
    await pipeline(stream, createWriteStream(saved), { signal: limited })
    const args = ['--extract', `--file=${saved}`, `--directory=${folder}`]
    const { code, output } = await runProgram('tar', args, { signal, deadlineMs: DEADLINE_MS })
    if (code !== 0) throw new Error(output.trim().slice(-200))
    await rm(saved)
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
    const [{ Layers }] = Manifest.parse(manifest)
    return join(folder, Layers[0])
  } catch (error) {
    signal.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    throw new DriverError('image_unavailable', `The base system could not be fetched: ${why}`, {
      retryable: true,
      cause: error,
    })
  }
}
