import { PassThrough, pipeline, Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import { z } from 'zod'
import { FileRefusal } from '../refusal.ts'
import { type ArchiveEntry, invalid, nameIn } from './archive-entry.ts'
import type { Looks } from './builder.ts'

const CHUNK = 256 * 1024

/** Not every name is UTF-8, and two that are not must not become the same. */
const NAMES_AS_BYTES: Parameters<typeof extract>[0] & { filenameEncoding: string } = {
  filenameEncoding: 'latin1',
}

const KINDS: Partial<Record<Header['type'], ArchiveEntry['kind']>> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'folder',
  symlink: 'link',
  link: 'hard-link',
}

/** The entries of a tar archive, in the order of the stream. */
export async function* readTar(
  source: Readable,
  format: 'gzip' | 'zstd' | 'tar',
): AsyncGenerator<ArchiveEntry> {
  const tar = extract(NAMES_AS_BYTES)
  const options = { chunkSize: CHUNK }
  const opened = {
    gzip: () => createGunzip(options),
    zstd: () => createZstdDecompress(options),
    tar: () => new PassThrough(),
  }
  const plain = opened[format]()
  pipeline(source, plain, tar, () => {})
  try {
    for await (const entry of tar) {
      const { header } = entry
      const kind = KINDS[header.type] ?? 'other'
      // Reported by the archive itself.
      entry.on('error', () => {})
      const content: AsyncIterable<Buffer> = Readable.from(entry)
      yield { ...namesOf(header), kind, looks: looksOf(header), content }
      // What nobody read has to be passed over.
      entry.resume()
    }
  } catch (error) {
    // An error of ours, thrown by whoever takes the entries, never arrives here.
    if (error instanceof FileRefusal) throw error
    throw invalid('it is damaged', error)
  } finally {
    source.destroy()
    tar.destroy()
  }
}

const Pax = z.object({
  mtime: z.coerce.number().optional(),
  path: z.string().optional(),
  linkpath: z.string().optional(),
})

/** Extended headers are always UTF-8, all others whatever the writer had: mostly that, or Latin-1. */
function namesOf({ name, linkname, pax }: Header): Pick<ArchiveEntry, 'name' | 'target'> {
  const { path, linkpath } = Pax.safeParse(pax).data ?? {}
  const text = (given: string) => nameIn(Buffer.from(given, 'latin1'), () => given)
  return { name: path ?? text(name), target: linkpath ?? text(linkname ?? '') }
}

function looksOf({ mode, mtime, pax }: Header): Looks {
  const exact = Pax.safeParse(pax).data?.mtime ?? Number.NaN
  const whole = mtime.getTime() / 1000
  return {
    mode: mode & 0o777,
    modifiedSeconds: Number.isFinite(exact) ? exact : whole,
  }
}
