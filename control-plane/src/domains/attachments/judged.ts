import { Problem } from '../../problem.ts'
import type { JudgeOfFile } from './sniff.ts'

/**
 * Passes the bytes through for as long as they may still be of an allowed type.
 * @param endMs by when the last of them has to arrive
 * @throws {Problem} unsupported_media_type; conflict if it takes longer
 */
export async function* judged(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  judge: JudgeOfFile,
  endMs = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    if (!judge.mayGoOn(piece)) throw notAllowed()
    if (Date.now() > endMs)
      throw new Problem('conflict', 'The file took too long to arrive: send a smaller one')
    yield piece
  }
  if (!judge.type()) throw notAllowed()
}

export const notAllowed = () =>
  new Problem(
    'unsupported_media_type',
    'Attach a picture (PNG, JPEG, GIF or WebP), a video (MP4 or WebM), a PDF, a text, or an archive (ZIP or GZIP)',
  )
