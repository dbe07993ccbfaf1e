import { createReadStream } from 'node:fs'
import { DriverError } from '@lodge/driver/driver.ts'
import type { Engine } from '../engine/client.ts'
import { readMessages } from './stream.ts'

const DEADLINE_MS = 600_000

export interface ImportOptions {
  readonly tag: string
  /** Dockerfile instructions for the image, such as `ENV PATH=/usr/bin`. */
  readonly changes?: readonly string[]
  readonly signal: AbortSignal
}

/** Creates an image from the tar file of a root file system. Throws `image_unavailable`. */
export async function importRootTar(
  engine: Engine,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const [repo, tag] = splitTag(options.tag)
  const body = createReadStream(file, { highWaterMark: 1024 * 1024 })
  await feeding(body, options.signal, async (abortSignal) => {
    const stream = await engine.docker.importImage(body, {
      repo,
      tag,
      ...(options.changes ? { changes: options.changes } : {}),
      abortSignal,
    })
    await readMessages(stream, () => {})
  })
}

/** Loads an archive made by `docker save` and adds our tag. Throws `image_unavailable`. */
export async function loadSavedTar(
  engine: Engine,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const body = createReadStream(file, { highWaterMark: 1024 * 1024 })
  await feeding(body, options.signal, async (abortSignal) => {
    const stream = await engine.docker.loadImage(body, { quiet: true, abortSignal })
    let loaded: string | undefined
    await readMessages(stream, (message) => {
      loaded ??= /^Loaded image(?: ID)?: (\S+)/.exec(message.stream ?? '')?.[1]
    })
    if (loaded === undefined) throw new Error('the archive holds no image')
    const [repo, tag] = splitTag(options.tag)
    await engine.docker.getImage(loaded).tag({ repo, tag, abortSignal })
  })
}

/** Runs an upload to the engine with a deadline. Throws `image_unavailable`. */
export async function feeding(
  body: { destroy(): unknown },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)])
  try {
    await work(limited)
    limited.throwIfAborted()
  } catch (error) {
    signal.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    throw new DriverError('image_unavailable', `The image could not be brought in: ${why}`, {
      retryable: true,
      cause: error,
    })
  } finally {
    body.destroy()
  }
}

export function splitTag(name: string): [string, string] {
  const at = name.lastIndexOf(':')
  return [name.slice(0, at), name.slice(at + 1)]
}
