import type { Readable } from 'node:stream'
import v8 from 'node:v8'
import vm from 'node:vm'

/** So much passes before what is left of it is collected. */
const EVERY_BYTES = 4 * 1024 * 1024

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as (options: { type: 'minor' }) => void

let passedBytes = 0

/**
 * Counts buffers that have passed, and collects them soon after. They lie outside of the heap: the garbage
 * collector sees only the small objects that own them, and lets a hundred megabytes gather before it looks,
 * or marks the whole heap because of them. Collecting the youngest objects takes about a millisecond.
 */
export function collectPassed(bytes: number): void {
  passedBytes += bytes
  if (passedBytes < EVERY_BYTES) return
  passedBytes = 0
  collect({ type: 'minor' })
}

/** The same for all that a stream yields. */
export function collectAfter(stream: Readable): void {
  const { push } = stream
  stream.push = (chunk: Buffer | null, encoding) => {
    collectPassed(chunk?.length ?? 0)
    return push.call(stream, chunk, encoding)
  }
}
