import { decode } from './text-file.ts'

/** A limit, because a few KiB can unpack to gigabytes. */
export const MOST_UNPACKED_BYTES = 4 * 1024 * 1024

export interface Unpacked {
  readonly text: string
  /** There is more than what is shown. */
  readonly isCut: boolean
}

/** The text in a gzip file, such as yesterday's log; undefined if it contains none. */
export async function unpack(packed: Uint8Array<ArrayBuffer>): Promise<Unpacked | undefined> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    for (const reader = stream.getReader(); size <= MOST_UNPACKED_BYTES; ) {
      const { done, value } = await reader.read()
      if (done) return textOf(parts, false)
      parts.push(value)
      size += value.byteLength
      if (size > MOST_UNPACKED_BYTES) await reader.cancel()
    }
    return textOf(parts, true)
  } catch {
    return undefined
  }
}

async function textOf(
  parts: readonly Uint8Array<ArrayBuffer>[],
  isCut: boolean,
): Promise<Unpacked | undefined> {
  const bytes = new Uint8Array(await new Blob([...parts]).arrayBuffer())
  // Cuts after a line: half a character would change the detected encoding.
  const end = isCut ? bytes.lastIndexOf(10) + 1 || bytes.length : bytes.length
  const file = decode(bytes.subarray(0, end))
  return file && { text: file.text, isCut }
}
