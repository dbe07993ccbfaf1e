import { PassThrough, pipeline, Readable } from 'node:stream'
import { createGzip, createZstdCompress } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { type ArchiveWriter, closing, type Packed } from './archive-writer.ts'

const CHUNK = 128 * 1024

export function tarWriter(format: 'tar.gz' | 'tar.zst'): ArchiveWriter {
  const tar = pack()
  const press =
    format === 'tar.gz'
      ? createGzip({ chunkSize: CHUNK })
      : createZstdCompress({ chunkSize: CHUNK })
  const output = new PassThrough({ highWaterMark: CHUNK })
  const closed = closing(output)
  const drained = (sink: ReturnType<typeof tar.entry>) =>
    Promise.race([new Promise<void>((resolve) => sink.once('drain', () => resolve())), closed])
  pipeline(Readable.from(tar), press, output, () => {})

  /** Entries without content. */
  const whole = (header: Partial<Header> & { name: string }) =>
    new Promise<void>((resolve, reject) => {
      tar.entry(header, '', (error) => (error ? reject(error) : resolve()))
      if (output.destroyed) reject(new Error('the archive is no longer wanted'))
    })

  return {
    output,
    folder: (entry) => whole({ ...headerOf(entry), name: `${entry.name}/`, type: 'directory' }),
    link: (entry, target) => whole({ ...headerOf(entry), type: 'symlink', linkname: target }),
    hardLink: (entry, to) => whole({ ...headerOf(entry), type: 'link', linkname: to }),
    async file(entry, size, content) {
      const ended = Promise.withResolvers<void>()
      const sink = tar.entry({ ...headerOf(entry), size, type: 'file' }, (error) =>
        error ? ended.reject(error) : ended.resolve(),
      )
      // Handled below; a failure before that must not end the process.
      ended.promise.catch(() => {})
      sink.on('error', () => {})
      for await (const piece of content) {
        if (output.destroyed) throw new Error('the archive is no longer wanted')
        if (!sink.write(piece)) await drained(sink)
      }
      sink.end(null)
      await Promise.race([ended.promise, closed])
    },
    finish: () => void tar.finalize(),
  }
}

const BILLION = 1_000_000_000n

/** The owner is left out: whoever unpacks it owns the files. */
function headerOf({ name, mode, modifiedNs }: Packed): Partial<Header> & { name: string } {
  const header = { name, mode, mtime: new Date(Number(modifiedNs / 1_000_000n)), uid: 0, gid: 0 }
  const fraction = modifiedNs % BILLION
  if (fraction <= 0n) return header
  const mtime = `${modifiedNs / BILLION}.${fraction.toString().padStart(9, '0')}`
  return { ...header, pax: { mtime } }
}
