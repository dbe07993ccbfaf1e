import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import { type MediumRef, mediumHost } from '@lodge/shared/machine-spec.ts'
import { asDriverError } from '../errors.ts'
import type { Settings } from '../options.ts'
import { checkImage } from './headers.ts'

/** Media on this node. A file is named after its fingerprint only once that has been verified. */
export interface MediaCache {
  /** Returns the path of a medium, downloading and verifying it if necessary. */
  fetch(medium: MediumRef, onProgress: OnProgress, signal: AbortSignal): Promise<string>
  /** Returns the path of a cached medium. Throws `medium_unavailable`. */
  file(sha256: string): Promise<string>
  drop(sha256: string): Promise<void>
  list(): Promise<readonly { sha256: string; sizeBytes: number }[]>
}

const PROGRESS_EVERY_BYTES = 4 * 1024 * 1024

export function mediaCache({ mediaFolder, openMedium }: Settings): MediaCache {
  const fetching = new Map<string, Promise<string>>()
  const pathOf = (sha256: string) => join(mediaFolder, checkFingerprint(sha256))

  async function fetchNow(medium: MediumRef, onProgress: OnProgress, signal: AbortSignal) {
    const path = pathOf(medium.sha256)
    if (await isWhole(path, medium.sizeBytes)) return path
    await mkdir(mediaFolder, { recursive: true, mode: 0o755 })
    const part = `${path}.part`
    // Resume from what an earlier attempt downloaded.
    let done = (await stat(part).catch(() => null))?.size ?? 0
    if (done > medium.sizeBytes) {
      await rm(part)
      done = 0
    }
    if (done < medium.sizeBytes) {
      const source = await openMedium(medium, done, signal)
      // The server may ignore the range and send everything.
      const isResumed = source.offset === done && done > 0
      const count = counter(medium, isResumed ? done : 0, onProgress)
      const target = createWriteStream(part, { flags: isResumed ? 'a' : 'w', mode: 0o644 })
      await pipeline(source.body, count, target, { signal })
    }
    try {
      await verify(part, medium, signal)
    } catch (error) {
      signal.throwIfAborted()
      // A bad file would make every retry fail.
      await rm(part, { force: true })
      throw error
    }
    // Synced before it is renamed, so that the final name never refers to partial data after a
    // crash.
    const file = await open(part, 'r')
    await file.sync().finally(() => file.close())
    await rename(part, path)
    return path
  }

  return {
    async fetch(medium, onProgress, signal) {
      // One download per medium at a time: two would write to the same partial file.
      // Whoever waited looks again, because another one may have begun first.
      let underWay = fetching.get(medium.sha256)
      while (underWay !== undefined) {
        // The other caller's failure may be specific to it, such as an abort; try again.
        await underWay.catch(() => {})
        signal.throwIfAborted()
        underWay = fetching.get(medium.sha256)
      }
      const work = fetchNow(medium, onProgress, signal).catch((error) => {
        if (signal.aborted) throw signal.reason
        throw unavailable(medium, error)
      })
      fetching.set(medium.sha256, work)
      try {
        return await work
      } finally {
        fetching.delete(medium.sha256)
      }
    },
    async file(sha256) {
      const path = pathOf(sha256)
      if (await stat(path).catch(() => null)) return path
      throw new DriverError('medium_unavailable', 'The medium in the drive is not on this node.', {
        retryable: true,
      })
    },
    async drop(sha256) {
      await rm(pathOf(sha256), { force: true })
      await rm(`${pathOf(sha256)}.part`, { force: true })
    },
    async list() {
      const names = await readdir(mediaFolder).catch(() => [])
      const whole = names.filter((name) => /^[0-9a-f]{64}$/.test(name))
      const found = whole.map(async (sha256) => {
        const facts = await stat(join(mediaFolder, sha256)).catch(() => null)
        return facts ? [{ sha256, sizeBytes: facts.size }] : []
      })
      return (await Promise.all(found)).flat()
    },
  }
}

function counter(medium: MediumRef, begun: number, onProgress: OnProgress): Transform {
  let [done, reportedBytes] = [begun, -PROGRESS_EVERY_BYTES]
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length
      if (done > medium.sizeBytes) {
        next(new DriverError('medium_invalid', 'The medium is larger than it should be.'))
        return
      }
      if (done - reportedBytes >= PROGRESS_EVERY_BYTES || done === medium.sizeBytes) {
        reportedBytes = done
        const percent = (done / medium.sizeBytes) * 100
        const bytes = { done, total: medium.sizeBytes }
        onProgress({ step: 'image', percent, detail: 'Downloading the medium', bytes })
      }
      next(null, chunk)
    },
  })
}

/** Reads the file itself: what was received says nothing about what is on the disk. */
async function verify(path: string, medium: MediumRef, signal: AbortSignal): Promise<void> {
  const { size } = await stat(path)
  if (size < medium.sizeBytes)
    throw new DriverError('medium_unavailable', 'The medium came only in part.', {
      retryable: true,
    })
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash, { signal })
  if (size > medium.sizeBytes || hash.digest('hex') !== medium.sha256)
    throw new DriverError('medium_invalid', 'The medium has another fingerprint than it should.')
  await checkImage(path, medium.kind)
}

async function isWhole(path: string, sizeBytes: number): Promise<boolean> {
  return (await stat(path).catch(() => null))?.size === sizeBytes
}

function checkFingerprint(sha256: string): string {
  if (/^[0-9a-f]{64}$/.test(sha256)) return sha256
  throw new DriverError('invalid_spec', 'The medium has a fingerprint that cannot be used.')
}

function unavailable(medium: MediumRef, error: unknown): unknown {
  const known = asDriverError(error)
  if (known instanceof DriverError) return known
  const why = error instanceof Error ? error.message : String(error)
  const from = mediumHost(medium.url)
  return new DriverError('medium_unavailable', `The medium could not be had from ${from}: ${why}`, {
    retryable: true,
    cause: error,
  })
}
